package io.frameloom.rdg;

import org.jspecify.annotations.Nullable;

/**
 * Whether a barrier is issued in two halves, of a plan with {@link PlanPolicy#splitBarriers}.
 *
 * @param begin index of the pass after which the first half is issued, on the queue of the second; -1 if the barrier is
 *     whole
 * @param refusal why it is whole, or null if it is not
 */
public record BarrierSplit(int begin, @Nullable SplitRefusal refusal) {
    /** Says in words how a barrier is issued, to follow other words; nothing where halves are off. */
    public static String describe(FramePlan plan, FramePlan.PlanBarrier barrier) {
        BarrierSplit split = barrier.split();
        if (split == null) {
            return "";
        }
        SplitRefusal refusal = split.refusal;
        return refusal != null
                ? "; whole: " + refusal.words()
                : "; split: the first half after "
                        + plan.passes().get(split.begin).name();
    }
}
