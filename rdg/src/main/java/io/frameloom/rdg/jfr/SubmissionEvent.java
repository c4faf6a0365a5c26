package io.frameloom.rdg.jfr;

import io.frameloom.rdg.FramePlan;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A batch was submitted. */
@Name("frameloom.rdg.Submission")
@Label("Submission")
@Category({"Frameloom", "Render Graph"})
@Description("A batch of a frame was submitted to a queue by this thread")
@StackTrace(false)
public final class SubmissionEvent extends Event {
    @Label("Frame")
    long frame;

    @Label("Submit Thread")
    @Description("Named thread of the executor, which tells the executors of several devices apart")
    String submitThread = "";

    @Label("Plan")
    String plan = "";

    @Label("Batch")
    @Description("Index of the batch in the plan")
    int batch;

    @Label("Queue")
    String queue = "";

    @Label("Command Lists")
    int lists;

    @Label("Waits")
    @Description("Waits for other batches of the frame")
    int waits;

    @Label("Failure")
    @Description("What went wrong; empty if nothing did")
    String failure = "";

    SubmissionEvent() {}

    /** Notes why the device refused it. */
    public void failed(Throwable cause) {
        failure = cause.toString();
    }

    public void end(long number, String submits, FramePlan executed, int index, String queueName, int listCount) {
        end();
        if (shouldCommit()) {
            frame = number;
            submitThread = submits;
            plan = executed.name();
            batch = index;
            queue = queueName;
            lists = listCount;
            waits = executed.batches().get(index).waits().size();
            commit();
        }
    }
}
