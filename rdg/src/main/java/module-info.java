/** The render dependency graph: declare, compile, execute, explain. */
module io.frameloom.rdg {
    requires transitive io.frameloom.gpu;
    requires transitive io.frameloom.gpu.compute;
    requires com.fasterxml.jackson.core;
    requires static transitive org.jspecify;
    requires static jdk.jfr;

    exports io.frameloom.rdg;
    exports io.frameloom.rdg.capture;
    exports io.frameloom.rdg.diagnostics;
    exports io.frameloom.rdg.parameter;
    exports io.frameloom.rdg.utility;
}
