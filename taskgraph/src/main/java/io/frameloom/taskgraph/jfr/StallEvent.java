package io.frameloom.taskgraph.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A wait took longer than the limit of the stall watchdog. */
@Name("frameloom.Stall")
@Label("Stall")
@Category("Frameloom")
@Description("A thread waits for an event for longer than the limit of the stall watchdog")
@StackTrace(false)
final class StallEvent extends Event {
    @Label("Event")
    @Description("Name of the awaited event")
    String name = "";

    @Label("Waiting Thread")
    Thread waiting = Thread.currentThread();

    @Label("Waited")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Cycle")
    @Description("Whether the event can never complete, because what it waits for waits for itself")
    boolean cycle;

    @Label("Explanation")
    String explanation = "";
}
