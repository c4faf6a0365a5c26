/** Tasks with prerequisites on named threads and prioritised workers. */
module io.frameloom.taskgraph {
    requires org.jctools.core.jdk11;
    requires static org.jspecify;
}
