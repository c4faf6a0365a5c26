package io.frameloom.taskgraph.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A compiled graph was run. */
@Name("frameloom.GraphRun")
@Label("Graph Run")
@Category("Frameloom")
@Description("A run of a compiled graph; the event's thread is the last one that took part")
@StackTrace(false)
final class GraphRunEvent extends Event {
    @Label("Graph")
    String name = "";

    @Label("Nodes")
    int nodes;

    @Label("Nodes Run")
    @Description("Nodes whose bodies ran: neither switched off nor skipped")
    int nodesRun;

    @Label("Threads")
    @Description("Threads that ran bodies")
    int threads;

    @Label("Run Time")
    @Timespan(Timespan.NANOSECONDS)
    long runTime;

    @Label("Busy Time")
    @Description("Time in bodies, summed over all threads")
    @Timespan(Timespan.NANOSECONDS)
    long busyTime;

    @Label("Critical Path Length")
    @Description("Time in the bodies on the critical path")
    @Timespan(Timespan.NANOSECONDS)
    long criticalPathLength;

    @Label("Critical Path")
    @Description("Names of the nodes on the critical path, in order, with ' > ' between")
    String criticalPath = "";

    @Label("Failure")
    @Description("How the run failed; empty if it succeeded")
    String failure = "";
}
