package io.frameloom.rdg.explain;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.compile.order.VectorClocks;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which passes, and which resources with all their uses, come before which in a plan, by the order of its queues and
 * its waits. Immutable; any thread.
 */
public final class PlanClocks {
    private static final int NONE = -1;

    private final FramePlan plan;
    /** By pass its batch, -1 if it does not run. */
    private final int[] batchOf;

    private final VectorClocks clocks;
    /** By resource and queue the first and the last pass that uses it, -1 for none. */
    private final int[] first;

    private final int[] last;

    public PlanClocks(FramePlan plan) {
        this.plan = plan;
        int passes = plan.passes().size();
        batchOf = new int[passes];
        Arrays.fill(batchOf, NONE);
        int queues = plan.queues().queues().size();
        int[] queue = new int[passes];
        IntList order = new IntList(passes);
        IntList from = new IntList(plan.batches().size());
        IntList to = new IntList(plan.batches().size());
        for (Batch batch : plan.batches()) {
            for (int pass : batch.passes()) {
                queue[pass] = batch.queue();
                batchOf[pass] = batch.index();
                order.add(pass);
            }
            for (BatchWait wait : batch.waits()) {
                from.add(lastPass(plan.batches().get(wait.batch())));
                to.add(batch.passes().get(0));
            }
        }
        int[] sorted = order.toArray();
        clocks = new Synchronization(
                        sorted, sorted.length, queue, queues, from.size(), from.toArray(), to.toArray(), new Scratch())
                .clocks;
        first = new int[plan.resources().size() * queues];
        last = new int[first.length];
        Arrays.fill(first, NONE);
        Arrays.fill(last, NONE);
        findUses(sorted);
    }

    /** All passes of a render pass use what one of them uses, since all barriers come before the first. */
    private void findUses(int[] order) {
        int[] begin = IntStream.range(0, batchOf.length).toArray();
        int[] end = begin.clone();
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            List<Integer> members = renderPass.passes();
            for (int member : members) {
                begin[member] = members.get(0);
                end[member] = members.get(members.size() - 1);
            }
        }
        for (int pass : order) {
            for (UsePlan use : plan.passes().get(pass).uses()) {
                int at = use.resource() * clocks.queueCount() + clocks.queue(pass);
                first[at] = first[at] < 0 ? begin[pass] : first[at];
                last[at] = end[pass];
            }
        }
    }

    /**
     * A wait between two queues.
     *
     * @param from index of the pass that must have ended
     * @param to index of the pass that waits
     */
    public record Wait(int from, int to) {}

    /** Returns whether {@code earlier} is complete before {@code later} starts, or at least begins before it. */
    public boolean precedes(int earlier, int later) {
        return clocks.precedes(earlier, later);
    }

    /** Returns whether every use of a resource is complete before any use of another one. */
    public boolean precedes(ResourcePlan earlier, ResourcePlan later) {
        // The passes of a queue are in order, so that its last use and its first stand for all.
        for (int former : uses(last, earlier)) {
            for (int next : uses(first, later)) {
                if (!clocks.precedes(former, next)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the first pass of each queue that uses a resource. */
    public int[] firstUses(ResourcePlan resource) {
        return uses(first, resource);
    }

    private int[] uses(int[] table, ResourcePlan resource) {
        int begin = resource.index() * clocks.queueCount();
        return Arrays.stream(table, begin, begin + clocks.queueCount())
                .filter(pass -> pass >= 0)
                .toArray();
    }

    /** Returns the last pass of a queue that a pass knows to be complete, itself on its own queue, or -1. */
    public int known(int pass, int queue) {
        int at = clocks.known(pass, queue);
        return at < 0 ? NONE : clocks.node(queue, at);
    }

    /** Returns the position of the first pass of another queue that a pass does not know to be complete. */
    public int firstBeside(int queue, int pass) {
        return clocks.known(pass, queue) + 1;
    }

    /** Returns the position of the first pass of another queue that knows a pass to be complete, or their number. */
    public int firstAfter(int queue, int pass) {
        return clocks.firstAfter(pass, queue);
    }

    /** Returns the position of a pass on its queue, -1 if it does not run. */
    public int position(int pass) {
        return clocks.position(pass);
    }

    public int count(int queue) {
        return clocks.count(queue);
    }

    public int pass(int queue, int position) {
        return clocks.node(queue, position);
    }

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
        int later = dependency.to();
        // Each step goes back to what was submitted before, so it ends on the queue of the earlier pass.
        while (clocks.queue(later) != clocks.queue(earlier)) {
            int queue = clocks.queue(later);
            int waiting = clocks.node(queue, clocks.firstAfter(earlier, queue));
            int source = source(plan.batches().get(batchOf[waiting]), earlier);
            chain.addFirst(new Wait(source, waiting));
            later = source;
        }
        return List.copyOf(chain);
    }

    /** Returns the last pass of a batch that is waited for and knows the earlier pass, rather one of its queue. */
    private int source(Batch waiting, int earlier) {
        int found = NONE;
        for (BatchWait wait : waiting.waits()) {
            int pass = lastPass(plan.batches().get(wait.batch()));
            boolean knows = pass == earlier || clocks.precedes(earlier, pass);
            if (knows && (found < 0 || clocks.queue(pass) == clocks.queue(earlier))) {
                found = pass;
            }
        }
        if (found < 0) {
            throw new IllegalStateException(
                    "nothing orders '" + pass(earlier).name() + "' before batch " + waiting.index());
        }
        return found;
    }

    /** Returns the waits that imply a dependency in words; nothing where {@link #implying} finds none. */
    public String describe(Dependency dependency) {
        StringBuilder words = new StringBuilder();
        for (Wait wait : implying(dependency)) {
            words.append(words.length() == 0 ? "implied by the wait of " : ", then by that of ")
                    .append(described(wait.to()))
                    .append(" for ")
                    .append(described(wait.from()));
        }
        return words.toString();
    }

    private String described(int pass) {
        return "'" + pass(pass).name() + "' on "
                + plan.queues().queues().get(pass(pass).queue()).name();
    }

    private PassPlan pass(int index) {
        return plan.passes().get(index);
    }

    private static int lastPass(Batch batch) {
        return batch.passes().get(batch.passes().size() - 1);
    }
}
