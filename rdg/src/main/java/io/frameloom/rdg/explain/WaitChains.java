package io.frameloom.rdg.explain;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.PlanDerivation.Dependency;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * By which waits of a plan a pass comes after one of another queue for which its queue does not wait. Immutable; any
 * thread.
 */
public final class WaitChains {
    private final FramePlan plan;
    private final PlanClocks clocks;
    /** By pass its batch, -1 if it does not run. */
    private final int[] batchOf;

    /** Learns what each pass of a plan knows to be complete. */
    public WaitChains(FramePlan plan) {
        this(plan, new PlanClocks(plan));
    }

    public WaitChains(FramePlan plan, PlanClocks clocks) {
        this.plan = plan;
        this.clocks = clocks;
        batchOf = new int[plan.passes().size()];
        Arrays.fill(batchOf, -1);
        for (Batch batch : plan.batches()) {
            batch.passes().forEach(pass -> batchOf[pass] = batch.index());
        }
    }

    /**
     * A wait between two queues.
     *
     * @param from index of the pass that must have ended
     * @param to index of the pass that waits
     */
    public record Wait(int from, int to) {}

    /**
     * Returns the waits that together imply a dependency between queues. Each signals from the queue that the one
     * before it waits on, and later there. None if the queue waits for the dependency itself, or it is within one
     * queue.
     */
    public List<Wait> implying(Dependency dependency) {
        if (!dependency.crossQueue() || dependency.waited()) {
            return List.of();
        }
        int earlier = dependency.from();
        Deque<Wait> chain = new ArrayDeque<>(2);
        int behind = dependency.to();
        // Each step goes back to what was submitted before, so it ends on the queue of the earlier pass.
        while (queue(behind) != queue(earlier)) {
            int waiting = clocks.passes(queue(behind))[clocks.firstBehind(plan, queue(behind), earlier)];
            int source = source(plan.batches().get(batchOf[waiting]), earlier);
            chain.addFirst(new Wait(source, waiting));
            behind = source;
        }
        return List.copyOf(chain);
    }

    /** Returns the last pass of a batch that is waited for and knows the earlier pass, rather one of its queue. */
    private int source(Batch waiting, int earlier) {
        int found = -1;
        for (BatchWait wait : waiting.waits()) {
            List<Integer> passes = plan.batches().get(wait.batch()).passes();
            int last = passes.get(passes.size() - 1);
            boolean knows = last == earlier || clocks.precedes(plan, earlier, last);
            if (knows && (found < 0 || queue(last) == queue(earlier))) {
                found = last;
            }
        }
        if (found < 0) {
            throw new IllegalStateException("nothing orders '" + name(earlier) + "' before batch " + waiting.index());
        }
        return found;
    }

    /** Returns the waits that imply a dependency in words; nothing where {@link #implying} finds none. */
    public String describe(Dependency dependency) {
        StringBuilder words = new StringBuilder();
        for (Wait wait : implying(dependency)) {
            words.append(words.length() == 0 ? "implied by the wait of '" : ", behind it that of '")
                    .append(name(wait.to()))
                    .append("' on ")
                    .append(plan.queues().queues().get(queue(wait.to())).name())
                    .append(" for '")
                    .append(name(wait.from()))
                    .append("' on ")
                    .append(plan.queues().queues().get(queue(wait.from())).name());
        }
        return words.toString();
    }

    private int queue(int pass) {
        return plan.passes().get(pass).queue();
    }

    private String name(int pass) {
        return plan.passes().get(pass).name();
    }
}
