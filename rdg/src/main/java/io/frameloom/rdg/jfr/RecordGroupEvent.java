package io.frameloom.rdg.jfr;

import io.frameloom.rdg.FramePlan;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A recording group was recorded. */
@Name("frameloom.rdg.RecordGroup")
@Label("Record Group")
@Category({"Frameloom", "Render Graph"})
@Description("The passes of a recording group were recorded into a command list on this thread")
@Enabled(false)
@StackTrace(false)
public final class RecordGroupEvent extends Event {
    @Label("Frame")
    long frame;

    @Label("Submit Thread")
    @Description("Named thread of the executor, which tells the executors of several devices apart")
    String submitThread = "";

    @Label("Plan")
    String plan = "";

    @Label("Group")
    @Description("Index of the group in the frame")
    int group;

    @Label("First Pass")
    String firstPass = "";

    @Label("Passes")
    int passes;

    @Label("Queue")
    String queue = "";

    @Label("Failure")
    @Description("What went wrong; empty if nothing did")
    String failure = "";

    RecordGroupEvent() {}

    public void failed(Throwable cause) {
        failure = cause.toString();
    }

    public void end(
            long number, String submits, FramePlan executed, int index, String first, int passCount, String queueName) {
        end();
        if (shouldCommit()) {
            frame = number;
            submitThread = submits;
            plan = executed.name();
            group = index;
            firstPass = first;
            passes = passCount;
            queue = queueName;
            commit();
        }
    }
}
