package io.frameloom.rdg.jfr;

import io.frameloom.rdg.FramePlan;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A pass of the host ran. */
@Name("frameloom.rdg.HostPass")
@Label("Host Pass")
@Category({"Frameloom", "Render Graph"})
@Description("A pass of the host ran on this thread, or was left out by its condition")
@StackTrace(false)
public final class HostPassEvent extends Event {
    @Label("Frame")
    long frame;

    @Label("Submit Thread")
    @Description("Named thread of the executor, which tells the executors of several devices apart")
    String submitThread = "";

    @Label("Plan")
    String plan = "";

    @Label("Pass")
    String pass = "";

    @Label("Failure")
    @Description("What went wrong; empty if nothing did")
    String failure = "";

    HostPassEvent() {}

    /** Notes why the pass did not come to its end. */
    public void failed(Throwable cause) {
        failure = cause.toString();
    }

    public void end(long number, String submits, FramePlan executed, String name) {
        end();
        if (shouldCommit()) {
            frame = number;
            submitThread = submits;
            plan = executed.name();
            pass = name;
            commit();
        }
    }
}
