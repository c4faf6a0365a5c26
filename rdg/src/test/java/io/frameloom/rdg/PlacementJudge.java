package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Judges where a plan puts passes: in which order, on which queues, in which render passes and recording groups. */
final class PlacementJudge {
    private final GraphModel model;
    private final FramePlan plan;
    private final RdgOptions options;

    /** The passes of the model are in the order of the plan. */
    PlacementJudge(GraphModel model, FramePlan plan) {
        this.model = model;
        this.plan = plan;
        this.options = plan.options();
    }

    /** Whether passes are executed in an order that the declaration allows; {@code order[0]} is the first. */
    static void order(GraphModel declared, int[] order, RdgOptions options) {
        int count = order.length;
        int[] position = new int[count];
        for (int i = 0; i < count; i++) {
            position[order[i]] = i;
        }
        boolean[][] said = said(declared);
        boolean inProgramOrder = options.policy().schedule().policy() == PassSchedule.Policy.PROGRAM;
        for (int a = 0; a < count; a++) {
            for (int b = 0; b < count; b++) {
                boolean unordered = options.order() == PassOrder.UNORDERED;
                boolean first = said[a][b]
                        || (unordered
                                ? !said[b][a] && feeds(declared, a, b)
                                : a < b && (inProgramOrder || mayNotBeExchanged(declared, a, b, options)));
                if (first) {
                    assertThat(position[a])
                            .as(declared.passes().get(a).name() + " comes before "
                                    + declared.passes().get(b).name())
                            .isLessThan(position[b]);
                }
            }
        }
    }

    /** Whether one of two passes writes what the other one touches, as far as anybody knows. */
    private static boolean mayNotBeExchanged(GraphModel declared, int a, int b, RdgOptions options) {
        GraphModel.Pass first = declared.passes().get(a);
        GraphModel.Pass second = declared.passes().get(b);
        if (first.has(PassFlag.UNTRACKED_ACCESS) || second.has(PassFlag.UNTRACKED_ACCESS)) {
            return true;
        }
        for (GraphModel.Use x : first.uses()) {
            for (GraphModel.Use y : second.uses()) {
                boolean overlap = options.overlapStorageWrites() && x.group() >= 0 && x.group() == y.group();
                if (x.meets(y)
                        && (x.access().writes() || y.access().writes())
                        && !(overlap && x.access().writes() && y.access().writes())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean[][] said(GraphModel declared) {
        int count = declared.passes().size();
        boolean[][] said = new boolean[count][count];
        for (int b = 0; b < count; b++) {
            for (int a : declared.passes().get(b).after()) {
                said[a][b] = true;
            }
        }
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < count; i++) {
                for (int j = 0; said[i][k] && j < count; j++) {
                    said[i][j] |= said[k][j];
                }
            }
        }
        return said;
    }

    private static boolean feeds(GraphModel declared, int writer, int reader) {
        for (GraphModel.Use a : declared.passes().get(writer).uses()) {
            for (GraphModel.Use b : declared.passes().get(reader).uses()) {
                if (a.access().writes() && !b.access().writes() && a.meets(b)) {
                    return writer != reader;
                }
            }
        }
        return false;
    }

    void judge() {
        for (int p = 0; p < model.passes().size(); p++) {
            if (!plan.passes().get(p).culled()) {
                queue(p);
            }
        }
        queueOrder();
        renderPasses();
        recording();
        for (int r = 0; r < model.resources().size(); r++) {
            if (model.resources().get(r).role() == GraphModel.Role.PASSTHROUGH) {
                untouched(r);
            }
        }
    }

    private void queue(int p) {
        GraphModel.Pass pass = model.passes().get(p);
        List<QueueTopology.Queue> queues = plan.queues().ofDevice().queues();
        int queue = plan.passes().get(p).queue();
        QueueKind kind = plan.queues().queues().get(queue).kind();
        String what = pass + " on queue " + queue;
        assertThat(pass.uses())
                .as(what)
                .allMatch(use -> kind.supports(use.access().queue()));
        if (pass.queue() >= 0 && (options.async() != AsyncCompute.OFF || pass.kind() != PassKind.COMPUTE)) {
            assertThat(queue).as(what).isEqualTo(pass.queue());
            return;
        }
        if (pass.kind() == PassKind.HOST) {
            assertThat(queue).as(what).isEqualTo(plan.queues().host());
            return;
        }
        boolean stays = options.async() == AsyncCompute.OFF
                || pass.uses().stream()
                        .anyMatch(use -> use.access() == Access.COPY_DST
                                && model.resources().get(use.resource()).depth());
        boolean copies = pass.has(PassFlag.ASYNC_COPY);
        boolean computes = pass.async()
                || (options.async() == AsyncCompute.ALL
                        && pass.kind() == PassKind.COMPUTE
                        && !pass.uses().isEmpty()
                        && !pass.has(PassFlag.UNTRACKED_ACCESS));
        boolean copyQueue = queues.stream().anyMatch(other -> other.kind() == QueueKind.COPY);
        boolean computeQueue =
                queues.stream().skip(1).anyMatch(other -> other.kind().supports(QueueKind.COMPUTE));
        if (!stays && copies && copyQueue) {
            assertThat(kind).as(what).isEqualTo(QueueKind.COPY);
        } else if (!stays && computes && computeQueue) {
            assertThat(queue).as(what).isNotZero();
            assertThat(kind.supports(QueueKind.COMPUTE)).as(what).isTrue();
        } else {
            assertThat(queue).as(what).isZero();
        }
    }

    /** Each queue executes its passes in the order of the plan, so nothing is moved across a pass of that queue. */
    private void queueOrder() {
        int[] last = new int[plan.queues().queues().size()];
        Arrays.fill(last, -1);
        for (FramePlan.Batch batch : plan.batches()) {
            for (int p : batch.passes()) {
                assertThat(plan.passes().get(p).queue()).isEqualTo(batch.queue());
                if (p < model.passes().size()) {
                    assertThat(p).isGreaterThan(last[batch.queue()]);
                    last[batch.queue()] = p;
                }
            }
        }
    }

    private void renderPasses() {
        int[] inRenderPasses = new int[plan.passes().size()];
        plan.renderPasses().forEach(renderPass -> renderPass.passes().forEach(p -> inRenderPasses[p]++));
        for (int p = 0; p < inRenderPasses.length; p++) {
            FramePlan.PassPlan pass = plan.passes().get(p);
            assertThat(inRenderPasses[p])
                    .as("render passes of p" + p)
                    .isEqualTo(
                            pass.kind() == PassKind.RASTER
                                            && !pass.culled()
                                            && p < model.passes().size()
                                    ? 1
                                    : 0);
        }
        for (FramePlan.RenderPassPlan renderPass : plan.renderPasses()) {
            List<Integer> members = renderPass.passes();
            if (members.size() == 1) {
                continue;
            }
            String what = "render pass of " + members;
            assertThat(options.mergeRenderPasses()).as(what).isTrue();
            List<Integer> onQueue = new ArrayList<>();
            plan.batches().stream()
                    .filter(batch ->
                            batch.queue() == plan.passes().get(members.get(0)).queue())
                    .forEach(batch -> onQueue.addAll(batch.passes()));
            int at = onQueue.indexOf(members.get(0));
            assertThat(onQueue.subList(at, at + members.size())).as(what).isEqualTo(members);
            for (int i = 0; i < members.size(); i++) {
                GraphModel.Pass pass = model.passes().get(members.get(i));
                FramePlan.PassPlan planned = plan.passes().get(members.get(i));
                assertThat(pass.hasTargets()).as(what).isTrue();
                assertThat(pass.has(PassFlag.NEVER_MERGE) || pass.has(PassFlag.UNTRACKED_ACCESS) || pass.parts() > 0)
                        .as(what)
                        .isFalse();
                assertThat(i == 0 || planned.before().isEmpty()).as(what).isTrue();
                assertThat(i == members.size() - 1 || planned.after().isEmpty())
                        .as(what)
                        .isTrue();
                assertThat(targets(pass))
                        .as(what)
                        .isEqualTo(targets(model.passes().get(members.get(0))));
                assertThat(i == 0
                                || pass.uses().stream()
                                        .allMatch(use -> use.attachment() == null || use.attachment() == LoadOp.LOAD))
                        .as(what + " begins nothing anew")
                        .isTrue();
            }
            assertThat(plan.batches().stream().filter(batch -> batch.passes().contains(members.get(0))))
                    .allMatch(batch -> batch.passes().containsAll(members));
        }
    }

    private static List<List<Integer>> targets(GraphModel.Pass pass) {
        return pass.uses().stream()
                .filter(use -> use.attachment() != null)
                .map(use -> List.of(use.resource(), use.mip(), use.layer(), pass.quarter()))
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .toList();
    }

    private void recording() {
        for (FramePlan.RecordingGroup group : plan.recordingGroups()) {
            List<Integer> passes = group.passes();
            boolean alone = passes.stream()
                    .anyMatch(p ->
                            p < model.passes().size() && model.passes().get(p).has(PassFlag.NEVER_PARALLEL));
            if (alone) {
                assertThat(group.serial()).isTrue();
            }
            boolean one = plan.renderPasses().stream()
                    .anyMatch(renderPass -> renderPass.passes().containsAll(passes));
            assertThat(one || passes.size() <= (alone ? 1 : options.passMax()))
                    .as("recording group of " + passes)
                    .isTrue();
        }
    }

    private void untouched(int r) {
        for (FramePlan.PassPlan pass : plan.passes()) {
            assertThat(pass.before()).noneMatch(barrier -> barrier.resource() == r);
            assertThat(pass.after()).noneMatch(barrier -> barrier.resource() == r);
        }
    }
}
