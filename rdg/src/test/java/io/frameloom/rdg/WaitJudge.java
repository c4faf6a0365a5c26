package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges whether the waits of a plan are enough, and none too many. */
final class WaitJudge {
    private final GraphModel model;
    private final FramePlan plan;
    private final PlanTouches uses;

    WaitJudge(GraphModel model, FramePlan plan, PlanTouches uses) {
        this.model = model;
        this.plan = plan;
        this.uses = uses;
    }

    /**
     * Together the waits order every pair that must be ordered; without any one of them some pair is not; and each lies
     * between such a pair. The transitive reduction is unique, so that the waits are it.
     */
    void judge() {
        boolean[][] needed = neededPairs();
        PlanOrder all = new PlanOrder(plan);
        assertThat(firstUnordered(needed, all)).as("waits suffice").isNull();
        if (plan.options().policy().waitStageScope() == WaitStageScope.EXACT) {
            exactWaits();
            return;
        }
        for (FramePlan.Batch batch : plan.batches()) {
            for (int w = 0; w < batch.waits().size(); w++) {
                FramePlan.Batch source = plan.batches().get(batch.waits().get(w).batch());
                assertThat(source.signals()).isTrue();
                assertThat(source.queue()).isNotEqualTo(batch.queue());
                int from = source.passes().get(source.passes().size() - 1);
                String what = "wait of batch " + batch.index() + " for batch " + source.index();
                assertThat(needed[from][batch.passes().get(0)])
                        .as(what + " joins a pair")
                        .isTrue();
                assertThat(firstUnordered(needed, new PlanOrder(plan, batch.index(), w)))
                        .as(what + " is needed")
                        .isNotNull();
            }
        }
    }

    /** Each wait in exact stages is the only one that keeps some stage of some pass behind another pass. */
    private void exactWaits() {
        int[][] needed = neededStages();
        assertThat(new StageOrder(plan).unordered(needed)).as("waits suffice").isNull();
        for (FramePlan.Batch batch : plan.batches()) {
            for (int w = 0; w < batch.waits().size(); w++) {
                FramePlan.Batch source = plan.batches().get(batch.waits().get(w).batch());
                int from = source.passes().get(source.passes().size() - 1);
                String what = "wait of batch " + batch.index() + " for batch " + source.index();
                assertThat(StageOrder.closed(needed[from][batch.passes().get(0)]))
                        .as(what + " names the stages that need it")
                        .isEqualTo(StageOrder.closed(batch.waits().get(w).stages()));
                assertThat(new StageOrder(plan, batch.index(), w).unordered(needed))
                        .as(what + " is needed")
                        .isNotNull();
            }
        }
    }

    /** By pair of passes of different queues the stages in which the later one directly follows the earlier one. */
    private int[][] neededStages() {
        int count = plan.passes().size();
        int all = PipelineStage.ALL_COMMANDS.bit();
        int[][] needed = new int[count][count];
        for (int b = 0; b < model.passes().size(); b++) {
            BitSet before = saidBefore(b);
            for (int a = 0; a < b; a++) {
                boolean said = model.passes().get(a).has(PassFlag.UNTRACKED_ACCESS)
                        || model.passes().get(b).has(PassFlag.UNTRACKED_ACCESS)
                        || before.get(a);
                needed[a][b] = said ? all : 0;
            }
        }
        for (int r = 0; r < model.resources().size(); r++) {
            for (int unit = 0; unit < model.resources().get(r).units(); unit++) {
                List<PlanTouches.Touch> touches = uses.touches(r, unit);
                for (int i = 0; i < touches.size(); i++) {
                    for (int j = i + 1; j < touches.size(); j++) {
                        if (conflict(touches, i, j) && !conflictBetween(touches, i, j)) {
                            PlanTouches.Touch later = touches.get(j);
                            needed[touches.get(i).pass()][later.pass()] |= later.stages() == 0 ? all : later.stages();
                        }
                    }
                }
                for (int node = model.passes().size(); node < count; node++) {
                    boolean[][] around = new boolean[count][count];
                    needsOfAddedNode(around, node, r, unit, touches);
                    for (int i = 0; i < touches.size(); i++) {
                        PlanTouches.Touch touch = touches.get(i);
                        boolean after = around[node][touch.pass()];
                        boolean direct = true;
                        for (int k = 0; k < touches.size(); k++) {
                            // A touch on the same side that lies between orders the two.
                            boolean between =
                                    after ? k < i && around[node][touches.get(k).pass()] : k > i;
                            between &= after || around[touches.get(k).pass()][node];
                            direct &= !between || !conflict(touches, Math.min(i, k), Math.max(i, k));
                        }
                        if (direct && around[touch.pass()][node]) {
                            needed[touch.pass()][node] = all;
                        } else if (direct && after) {
                            needed[node][touch.pass()] |= touch.stages() == 0 ? all : touch.stages();
                        }
                    }
                }
            }
        }
        for (int a = 0; a < count; a++) {
            for (int b = 0; b < count; b++) {
                FramePlan.PassPlan first = plan.passes().get(a);
                FramePlan.PassPlan second = plan.passes().get(b);
                needed[a][b] = first.culled() || second.culled() || first.queue() == second.queue() ? 0 : needed[a][b];
            }
        }
        return needed;
    }

    private boolean conflict(List<PlanTouches.Touch> touches, int i, int j) {
        PlanTouches.Touch a = touches.get(i);
        PlanTouches.Touch b = touches.get(j);
        return (a.write() || b.write() || a.layout() != b.layout()) && !uses.overlap(touches, i, j);
    }

    /** Whether a chain of touches between two orders them, each in conflict with the one before it. */
    private boolean conflictBetween(List<PlanTouches.Touch> touches, int i, int j) {
        boolean[] behind = new boolean[j];
        behind[i] = true;
        for (int k = i + 1; k < j; k++) {
            for (int m = i; m < k && !behind[k]; m++) {
                behind[k] = behind[m] && conflict(touches, m, k);
            }
            if (behind[k] && conflict(touches, k, j)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String firstUnordered(boolean[][] needed, PlanOrder order) {
        for (int a = 0; a < needed.length; a++) {
            for (int b = 0; b < needed.length; b++) {
                if (needed[a][b] && !order.before(a, b)) {
                    return "p" + a + " before p" + b;
                }
            }
        }
        return null;
    }

    /** The passes left that a pass is declared to come after, itself or through culled ones. */
    private BitSet saidBefore(int pass) {
        BitSet said = new BitSet();
        for (int earlier : model.passes().get(pass).after()) {
            if (plan.passes().get(earlier).culled()) {
                said.or(saidBefore(earlier));
            } else {
                said.set(earlier);
            }
        }
        return said;
    }

    /** Pairs of passes that touch a unit, one of them writing it or changing its layout. */
    private boolean[][] neededPairs() {
        int count = plan.passes().size();
        boolean[][] needed = new boolean[count][count];
        for (int p = 0; p < model.passes().size(); p++) {
            for (int earlier = 0; earlier < p; earlier++) {
                // What a pass touches without declaring it may be what any other one uses.
                needed[earlier][p] = (model.passes().get(p).has(PassFlag.UNTRACKED_ACCESS)
                                || model.passes().get(earlier).has(PassFlag.UNTRACKED_ACCESS))
                        && !plan.passes().get(p).culled()
                        && !plan.passes().get(earlier).culled();
            }
            if (!plan.passes().get(p).culled()) {
                BitSet before = saidBefore(p);
                for (int earlier = before.nextSetBit(0); earlier >= 0; earlier = before.nextSetBit(earlier + 1)) {
                    needed[earlier][p] = true;
                }
            }
        }
        for (int r = 0; r < model.resources().size(); r++) {
            for (int unit = 0; unit < model.resources().get(r).units(); unit++) {
                List<PlanTouches.Touch> touches = uses.touches(r, unit);
                for (int i = 0; i < touches.size(); i++) {
                    for (int j = i + 1; j < touches.size(); j++) {
                        PlanTouches.Touch a = touches.get(i);
                        PlanTouches.Touch b = touches.get(j);
                        needed[a.pass()][b.pass()] |=
                                (a.write() || b.write() || a.layout() != b.layout()) && !uses.overlap(touches, i, j);
                    }
                }
                for (int node = model.passes().size(); node < count; node++) {
                    needsOfAddedNode(needed, node, r, unit, touches);
                }
            }
        }
        return needed;
    }

    private void needsOfAddedNode(boolean[][] needed, int node, int r, int unit, List<PlanTouches.Touch> touches) {
        for (PlanBarrier barrier : plan.passes().get(node).before()) {
            if (uses.on(barrier, r, unit)) {
                PlanOrder order = new PlanOrder(plan);
                for (PlanTouches.Touch touch : touches) {
                    needed[touch.pass()][node] |= order.before(touch.pass(), node);
                    needed[node][touch.pass()] |= !order.before(touch.pass(), node);
                }
            }
        }
    }
}
