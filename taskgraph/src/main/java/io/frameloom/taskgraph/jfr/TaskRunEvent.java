package io.frameloom.taskgraph.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The body of a task ran. */
@Name("frameloom.TaskRun")
@Label("Task Run")
@Category("Frameloom")
@Description("The body of a task, or of a node of a compiled graph, ran on this thread")
@Enabled(false)
@StackTrace(false)
final class TaskRunEvent extends Event {
    @Label("Task")
    String name = "";

    @Label("Target")
    @Description("The worker level or named thread that the task was sent to")
    String target = "";

    @Label("Inside")
    @Description(
            "What ran on the same thread and went on afterwards, because it waited or looped; empty if nothing did. "
                    + "Its time counts this one's")
    String inside = "";

    @Label("Failure")
    @Description("What the body threw; empty if it returned")
    String failure = "";
}
