package io.frameloom.rdg.jfr;

import io.frameloom.rdg.FramePlan;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A render graph got a plan. */
@Name("frameloom.rdg.Compile")
@Label("Compile")
@Category({"Frameloom", "Render Graph"})
@Description("A render graph was compiled, or got the plan of an equal one")
@StackTrace(false)
public final class CompileEvent extends Event {
    @Label("Graph")
    String graph = "";

    @Label("Reused")
    @Description("Whether it got the plan of an equal graph and only what differs was bound")
    boolean reused;

    @Label("Passes")
    @Description("Passes of the plan, with those that were removed")
    int passes;

    @Label("Culled")
    @Description("Passes that were removed")
    int culled;

    @Label("Batches")
    int batches;

    @Label("Heap Size")
    @Description("Memory of the transient resources")
    @DataAmount
    long heapBytes;

    @Label("Failure")
    @Description("What went wrong; empty if nothing did")
    String failure = "";

    CompileEvent() {}

    /** Notes that the graph got the plan of an equal one. */
    public void reused() {
        reused = true;
    }

    public void compiled(FramePlan plan) {
        passes = plan.passes().size();
        culled = plan.culledCount();
        batches = plan.batches().size();
        heapBytes = plan.heapBytes();
    }

    /** Notes why there is no plan. */
    public void failed(Throwable cause) {
        failure = cause.toString();
    }

    public void end(String name) {
        end();
        if (shouldCommit()) {
            graph = name;
            commit();
        }
    }
}
