/** The Frameloom task graph: named threads, prioritised workers, events. */
module io.frameloom.taskgraph {
    requires static transitive org.jspecify;
    requires static jdk.jfr;
    requires org.jctools.core.jdk11;

    exports io.frameloom.taskgraph;
    exports io.frameloom.taskgraph.deterministic;
    exports io.frameloom.taskgraph.jfr;
    exports io.frameloom.taskgraph.trace;
}
