/** The Frameloom task graph: named threads, prioritised workers, events. */
module io.frameloom.taskgraph {
    requires org.jctools.core.jdk11;
    requires static transitive org.jspecify;

    exports io.frameloom.taskgraph;
    exports io.frameloom.taskgraph.deterministic;
    exports io.frameloom.taskgraph.trace;
}
