/** The Frameloom task graph: named threads, prioritised workers, events. */
@SuppressWarnings("module") // the modules that internal things are exported to are compiled after this one
module io.frameloom.taskgraph {
    requires static transitive org.jspecify;
    requires static jdk.jfr;
    requires org.jctools.core.jdk11;

    exports io.frameloom.taskgraph;
    exports io.frameloom.taskgraph.deterministic;
    exports io.frameloom.taskgraph.jfr;
    exports io.frameloom.taskgraph.property to
            io.frameloom.gpu,
            io.frameloom.rdg;
    exports io.frameloom.taskgraph.trace;
    exports io.frameloom.taskgraph.waiting to
            io.frameloom.rdg;
}
