package io.frameloom.taskgraph.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A worker or named thread was parked. */
@Name("frameloom.WorkerPark")
@Label("Worker Park")
@Category("Frameloom")
@Description("A worker or a named thread was out of work, or waited for an event")
@Threshold("1 ms")
@StackTrace(false)
final class WorkerParkEvent extends Event {
    @Label("Waiting For")
    @Description("Name of the awaited event; empty if the thread was out of work")
    String waitingFor = "";
}
