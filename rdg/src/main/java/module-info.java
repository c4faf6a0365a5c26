/** The render dependency graph: declare, compile, execute, explain. */
@SuppressWarnings("module") // the tools are no module when this is compiled
module io.frameloom.rdg {
    requires transitive io.frameloom.gpu;
    requires transitive io.frameloom.gpu.compute;
    requires static transitive org.jspecify;
    requires static jdk.jfr;

    exports io.frameloom.rdg;
    exports io.frameloom.rdg.capture;
    exports io.frameloom.rdg.diagnostics;
    exports io.frameloom.rdg.parameter;
    exports io.frameloom.rdg.utility;
    exports io.frameloom.rdg.async to
            io.frameloom.rdg.tools;
    exports io.frameloom.rdg.bind to
            io.frameloom.rdg.tools;
    exports io.frameloom.rdg.compile to
            io.frameloom.rdg.tools;
    exports io.frameloom.rdg.compile.graph to
            io.frameloom.rdg.tools;
    exports io.frameloom.rdg.compile.order to
            io.frameloom.rdg.tools;
    exports io.frameloom.rdg.compile.plan to
            io.frameloom.rdg.tools;
    exports io.frameloom.rdg.declare to
            io.frameloom.rdg.tools;
    exports io.frameloom.rdg.explain to
            io.frameloom.rdg.tools;
    exports io.frameloom.rdg.options to
            io.frameloom.rdg.tools;

    uses io.frameloom.rdg.explain.PlanFormat;
}
