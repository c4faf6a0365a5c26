package io.frameloom.rdg;

import io.frameloom.gpu.command.PipelineStage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the waits of a plan alone keep behind passes of other queues, by pass and stage and by brute force: a wait holds back
 * its stages of all passes behind it until the batch that it names, all before that on its queue, and all that these have
 * waited for in any stage, are complete.
 */
final class StageOrder {
    /** The device's stages that can be named one by one. */
    private static final int EVERY = PipelineStage.HOST.bit() - 1;

    private final FramePlan plan;
    /** By batch the passes that are complete once it is. */
    private final List<BitSet> complete = new ArrayList<>();
    /** By pass and stage the passes that are complete before. */
    private final BitSet[][] behind;

    StageOrder(FramePlan plan) {
        this(plan, -1, -1);
    }

    /** Leaves out wait number {@code skippedWait} of batch {@code skippedBatch}. */
    StageOrder(FramePlan plan, int skippedBatch, int skippedWait) {
        this.plan = plan;
        int stages = Integer.bitCount(EVERY);
        behind = new BitSet[plan.passes().size()][stages];
        BitSet[][] heldBack = new BitSet[plan.queues().queues().size()][stages];
        for (BitSet[] ofQueue : heldBack) {
            for (int s = 0; s < stages; s++) {
                ofQueue[s] = new BitSet();
            }
        }
        for (FramePlan.Batch batch : plan.batches()) {
            BitSet done = new BitSet();
            for (FramePlan.Batch former : plan.batches()) {
                if (former.queue() == batch.queue() && former.index() < batch.index()) {
                    done.or(complete.get(former.index()));
                }
            }
            for (int w = 0; w < batch.waits().size(); w++) {
                if (batch.index() != skippedBatch || w != skippedWait) {
                    FramePlan.BatchWait wait = batch.waits().get(w);
                    done.or(complete.get(wait.batch()));
                    for (int s = 0; s < stages; s++) {
                        if ((closed(wait.stages()) & 1 << s) != 0) {
                            heldBack[batch.queue()][s].or(complete.get(wait.batch()));
                        }
                    }
                }
            }
            for (int pass : batch.passes()) {
                done.set(pass);
                for (int s = 0; s < stages; s++) {
                    behind[pass][s] = (BitSet) heldBack[batch.queue()][s].clone();
                }
            }
            complete.add(done);
        }
    }

    /** Returns the stages of a mask one by one; all of them if it names all, or none that a queue could hold back. */
    static int closed(int mask) {
        boolean every = (mask & ~EVERY) != 0;
        return every ? EVERY : mask;
    }

    /** Returns a pair that is not ordered in a stage that needs it, or null. */
    @Nullable
    String unordered(int[][] needed) {
        for (int a = 0; a < needed.length; a++) {
            for (int b = 0; b < needed.length; b++) {
                for (int s = 0; s < Integer.bitCount(EVERY); s++) {
                    if ((closed(needed[a][b]) & 1 << s) != 0 && !behind[b][s].get(a)) {
                        return plan.passes().get(a).name() + " before stage " + s + " of "
                                + plan.passes().get(b).name();
                    }
                }
            }
        }
        return null;
    }
}
