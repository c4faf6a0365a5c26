package io.frameloom.overlay;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.FramePlan.UsePlan;
import java.util.ArrayList;
import java.util.List;

/** What an inspector says of a plan. Stateless. */
final class PlanWords {
    private PlanWords() {}

    /** Returns the passes of this name in words: kind, queue, accesses, and barriers with their reasons. */
    static List<String> ofPass(FramePlan plan, String name) {
        List<String> words = new ArrayList<>();
        for (PassPlan pass : plan.passes()) {
            if (pass.name().equals(name)) {
                words.add(
                        pass.kind() + (pass.culled() ? ", culled: " + pass.cullReason() : " on " + queue(plan, pass)));
                pass.uses().forEach(use -> words.add("* " + use(plan, use)));
                pass.before().forEach(barrier -> words.add("> " + barrier(plan, barrier)));
                pass.after().forEach(barrier -> words.add("< " + barrier(plan, barrier)));
            }
        }
        return words;
    }

    private static String queue(FramePlan plan, PassPlan pass) {
        return queue(plan, pass.queue());
    }

    private static String queue(FramePlan plan, int queue) {
        return queue >= plan.queues().queues().size() || queue < 0
                ? "host"
                : plan.queues().queues().get(queue).name();
    }

    private static String use(FramePlan plan, UsePlan use) {
        String part = plan.resources().get(use.resource()).part(use.range(), use.offset(), use.bytes());
        return plan.resources().get(use.resource()).name() + (part.isEmpty() ? "" : " " + part) + ": " + use.access()
                + (use.discard() ? ", old contents dropped" : "");
    }

    private static String barrier(FramePlan plan, PlanBarrier barrier) {
        String layouts = barrier.oldLayout() == barrier.newLayout()
                ? ""
                : " from " + barrier.oldLayout() + " to " + barrier.newLayout();
        return "barrier of " + plan.resources().get(barrier.resource()).name() + layouts + ": " + barrier.reason();
    }

    /** Returns the waits of queues for each other with their reasons. */
    static List<String> ofWaits(FramePlan plan) {
        List<String> words = new ArrayList<>();
        for (Batch batch : plan.batches()) {
            for (BatchWait wait : batch.waits()) {
                words.add(queue(plan, batch.queue()) + " waits for "
                        + queue(plan, plan.batches().get(wait.batch()).queue()) + ": " + wait.reason());
            }
        }
        return words;
    }
}
