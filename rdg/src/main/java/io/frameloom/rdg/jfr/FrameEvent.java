package io.frameloom.rdg.jfr;

import io.frameloom.rdg.FramePlan;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A frame was executed. */
@Name("frameloom.rdg.Frame")
@Label("Frame")
@Category({"Frameloom", "Render Graph"})
@Description("A frame from its launch to its completion; the event's thread is the one that completes it")
@StackTrace(false)
public final class FrameEvent extends Event {
    @Label("Frame")
    @Description("Number of the frame; the first of an executor is 0")
    long frame;

    @Label("Submit Thread")
    @Description("Named thread of the executor, which tells the executors of several devices apart")
    String submitThread = "";

    @Label("Plan")
    String plan = "";

    @Label("Passes")
    @Description("Passes that were not removed")
    int passes;

    @Label("Recording Groups")
    int groups;

    @Label("Batches")
    int batches;

    @Label("Barriers")
    int barriers;

    @Label("Waits")
    @Description("Waits between queues")
    int waits;

    @Label("Failure")
    @Description("What went wrong; empty if nothing did")
    String failure = "";

    FrameEvent() {}

    public void end(long number, String submits, FramePlan executed, int recordingGroups, @Nullable Exception cause) {
        end();
        if (shouldCommit()) {
            frame = number;
            submitThread = submits;
            plan = executed.name();
            passes = executed.passes().size() - executed.culledCount();
            groups = recordingGroups;
            batches = executed.batches().size();
            barriers = executed.barrierCount();
            waits = executed.waitCount();
            failure = cause == null ? "" : cause.toString();
            commit();
        }
    }
}
