package io.frameloom.rdg.diagnostics;

import io.frameloom.rdg.options.RdgProperties;
import java.nio.file.Path;

/**
 * What is reported and drawn while graphs are compiled and executed, and the names that {@link RdgDiagnostics} is
 * limited to. A breakpoint at a pass asks {@code passes} alone, one at a resource {@code resources}; a barrier is
 * logged if both match. Immutable.
 *
 * @param dump what is drawn of every compiled graph
 * @param dumpFolder where the drawings go, with the graph as JSON beside them; made if it is missing
 * @param transitionLog whether the listener receives every barrier
 * @param breakpoint at which moments the listener is called
 * @param listener receiver of all reports
 * @param graphs graphs that dumps, log, breakpoints, clobber and captures are limited to
 * @param passes passes that log and breakpoints are limited to
 * @param resources resources that log, breakpoints and clobber are limited to
 */
public record RdgWatch(
        PlanDumpMode dump,
        Path dumpFolder,
        boolean transitionLog,
        Breakpoint breakpoint,
        RdgListener listener,
        NameFilter graphs,
        NameFilter passes,
        NameFilter resources) {
    /** Returns settings that report and draw nothing, with filters that everything passes. */
    public static RdgWatch none() {
        return new RdgWatch(
                PlanDumpMode.OFF,
                Path.of("rdg-dump"),
                false,
                Breakpoint.OFF,
                RdgListener.logging(),
                NameFilter.ALL,
                NameFilter.ALL,
                NameFilter.ALL);
    }

    /** Returns the same settings with another drawing of graphs, into a folder. */
    public RdgWatch withDump(PlanDumpMode value, Path folder) {
        return new RdgWatch(value, folder, transitionLog, breakpoint, listener, graphs, passes, resources);
    }

    /** Returns the same settings with the log of barriers on or off. */
    public RdgWatch withTransitionLog(boolean value) {
        return new RdgWatch(dump, dumpFolder, value, breakpoint, listener, graphs, passes, resources);
    }

    /** Returns the same settings with another moment to break at. */
    public RdgWatch withBreakpoint(Breakpoint value) {
        return new RdgWatch(dump, dumpFolder, transitionLog, value, listener, graphs, passes, resources);
    }

    /** Returns the same settings with another listener. */
    public RdgWatch withListener(RdgListener value) {
        return new RdgWatch(dump, dumpFolder, transitionLog, breakpoint, value, graphs, passes, resources);
    }

    /** Returns the same settings with other graphs. */
    public RdgWatch withGraphs(NameFilter value) {
        return new RdgWatch(dump, dumpFolder, transitionLog, breakpoint, listener, value, passes, resources);
    }

    /** Returns the same settings with other passes. */
    public RdgWatch withPasses(NameFilter value) {
        return new RdgWatch(dump, dumpFolder, transitionLog, breakpoint, listener, graphs, value, resources);
    }

    /** Returns the same settings with other resources. */
    public RdgWatch withResources(NameFilter value) {
        return new RdgWatch(dump, dumpFolder, transitionLog, breakpoint, listener, graphs, passes, value);
    }

    RdgWatch withSystemProperties() {
        return new RdgWatch(
                RdgProperties.GROUP.constant("dump", dump),
                RdgProperties.GROUP.folder("dumpFolder", dumpFolder),
                RdgProperties.GROUP.flag("transitionLog", transitionLog),
                RdgProperties.GROUP.constant("breakpoint", breakpoint),
                listener,
                RdgProperties.GROUP.parsed("graphFilter", graphs, NameFilter::new),
                RdgProperties.GROUP.parsed("passFilter", passes, NameFilter::new),
                RdgProperties.GROUP.parsed("resourceFilter", resources, NameFilter::new));
    }

    /** Returns whether the listener is to be called for a pass at a moment. */
    public boolean breaksAtPass(Breakpoint moment, String graph, String pass) {
        return breakpoint == moment && graphs.matches(graph) && passes.matches(pass);
    }

    /** Returns whether the listener is to be called for a resource at a moment. */
    public boolean breaksAtResource(Breakpoint moment, String graph, String resource) {
        return breakpoint == moment && graphs.matches(graph) && resources.matches(resource);
    }
}
