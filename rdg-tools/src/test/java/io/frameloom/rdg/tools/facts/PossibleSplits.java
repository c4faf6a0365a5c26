package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PlanDerivation.Epoch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where the barriers between the states of a plan could be split, found from its states alone. */
public final class PossibleSplits {
    private final FramePlan plan;
    private final List<List<Integer>> renderPassOf;
    /** By queue the declared passes in order: nodes that carry barriers alone hide nothing. */
    private final List<List<Integer>> onQueue = new ArrayList<>();
    /** By declared pass its position on its queue. */
    private final int[] position;
    /** By declared pass: position on its queue of the first pass behind which a half may be, so that none crosses a fence. */
    private final int[] afterFence;

    public PossibleSplits(FramePlan plan) {
        this.plan = plan;
        position = new int[plan.passes().size()];
        afterFence = new int[position.length];
        renderPassOf = new ArrayList<>(Collections.nCopies(plan.passes().size(), List.of()));
        for (FramePlan.RenderPassPlan renderPass : plan.renderPasses()) {
            renderPass.passes().forEach(pass -> renderPassOf.set(pass, renderPass.passes()));
        }
        walk();
    }

    /** A pass with undeclared accesses fences its queue behind itself, the others behind the first pass that comes after it. */
    private void walk() {
        plan.queues().queues().forEach(queue -> onQueue.add(new ArrayList<>()));
        int[] fence = new int[onQueue.size()];
        for (PassPlan pass : plan.passes()) {
            if (pass.level() < 0) {
                continue;
            }
            List<Integer> queue = onQueue.get(pass.queue());
            afterFence[pass.index()] = fence[pass.queue()];
            position[pass.index()] = queue.size();
            queue.add(pass.index());
            if (pass.flags().contains(PassFlag.UNTRACKED_ACCESS)) {
                for (int q = 0; q < fence.length; q++) {
                    fence[q] = q == pass.queue()
                            ? position[pass.index()]
                            : onQueue.get(q).size();
                }
            }
        }
    }

    /** Returns of each split its resource, the passes of its halves and how many passes lie between. */
    public Set<Map<String, Object>> rows() {
        Set<Map<String, Object>> rows = new LinkedHashSet<>();
        for (int e = 1; e < plan.epochs().size(); e++) {
            Epoch former = plan.epochs().get(e - 1);
            Epoch next = plan.epochs().get(e);
            if (former.resource() == next.resource()
                    && former.offset() == next.offset()
                    && (former.range() == null || former.range().equals(next.range()))) {
                split(former, next, rows);
            }
        }
        return rows;
    }

    private int stages(Epoch epoch) {
        int stages = PipelineStage.NONE;
        for (int pass : epoch.passes()) {
            for (UsePlan use : plan.passes().get(pass).uses()) {
                if (use.resource() == epoch.resource()
                        && (epoch.range() == null
                                || use.range() == null
                                || use.range().overlaps(epoch.range()))) {
                    stages |= use.access().stages();
                }
            }
        }
        return stages;
    }

    private List<Integer> withRenderPass(int pass) {
        return renderPassOf.get(pass).isEmpty() ? List.of(pass) : renderPassOf.get(pass);
    }

    /** A barrier may begin behind the last pass of the former state and end before the first of the next. */
    private void split(Epoch former, Epoch next, Set<Map<String, Object>> rows) {
        int begin = former.passes().get(former.passes().size() - 1);
        int end = next.passes().get(0);
        int queue = plan.passes().get(begin).queue();
        boolean across = false;
        for (int pass : former.passes()) {
            across |= plan.passes().get(pass).queue() != queue;
        }
        for (int pass : next.passes()) {
            across |= plan.passes().get(pass).queue() != queue;
        }
        if (across) {
            return;
        }
        if (((stages(former) | stages(next)) & PipelineStage.HOST.bit()) != 0) {
            return;
        }
        if (plan.queues().queues().get(queue).kind() == QueueKind.COPY) {
            return;
        }
        int behind = lastOfRenderPass(begin);
        int first = position[behind];
        int fenced = afterFence[end];
        if (fenced > first && fenced < onQueue.get(queue).size()) {
            first = position[lastOfRenderPass(onQueue.get(queue).get(fenced))];
        }
        int last = position[withRenderPass(end).get(0)];
        if (last - first <= 1) {
            return;
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", plan.resources().get(next.resource()).name());
        row.put("begin", plan.passes().get(onQueue.get(queue).get(first)).name());
        row.put("end", plan.passes().get(onQueue.get(queue).get(last)).name());
        row.put("gap", last - first - 1);
        rows.add(row);
    }

    private int lastOfRenderPass(int pass) {
        List<Integer> members = withRenderPass(pass);
        return members.get(members.size() - 1);
    }
}
