package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PlanDerivation.Epoch;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.explain.PlanClocks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Changes between two states of one range: of layout, of the owning queue family, and where a barrier could be split. */
final class TransitionFacts {
    private final FramePlan plan;
    private final PlanClocks clocks;
    private final List<List<Integer>> renderPassOf;
    /** By resource the passes that the compiler added for it. */
    private final Map<Integer, Set<Integer>> added = new HashMap<>();
    /** By queue the declared passes in order: nodes that carry barriers alone hide nothing. */
    private final List<List<Integer>> onQueue = new ArrayList<>();
    /** By declared pass its position on its queue. */
    private final int[] position;
    /** By declared pass: position on its queue of the first pass behind which a half may be, so that none crosses a fence. */
    private final int[] afterFence;

    private final List<Change> changes = new ArrayList<>();

    /**
     * A change of layout that keeps the contents.
     *
     * @param resource index of the resource
     * @param after passes of the state before it
     * @param before passes of the state behind it
     */
    record Change(int resource, List<Integer> after, List<Integer> before) {}

    TransitionFacts(FramePlan plan, PlanClocks clocks) {
        this.plan = plan;
        this.clocks = clocks;
        position = new int[plan.passes().size()];
        afterFence = new int[position.length];
        renderPassOf = new ArrayList<>(Collections.nCopies(plan.passes().size(), List.of()));
        for (FramePlan.RenderPassPlan renderPass : plan.renderPasses()) {
            renderPass.passes().forEach(pass -> renderPassOf.set(pass, renderPass.passes()));
        }
        walk();
        for (PassPlan pass : plan.passes()) {
            if (pass.level() < 0 && !pass.culled()) {
                Stream.concat(pass.before().stream(), pass.after().stream())
                        .forEach(barrier -> added.computeIfAbsent(barrier.resource(), r -> new LinkedHashSet<>())
                                .add(pass.index()));
            }
        }
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

    void add(Map<String, Object> facts) {
        Set<Map<String, Object>> transitions = new LinkedHashSet<>();
        Set<Map<String, Object>> ownership = new LinkedHashSet<>();
        Set<Map<String, Object>> split = new LinkedHashSet<>();
        Set<Map<String, Object>> noSplit = new LinkedHashSet<>();
        for (int e = 1; e < plan.epochs().size(); e++) {
            Epoch former = plan.epochs().get(e - 1);
            Epoch next = plan.epochs().get(e);
            if (sameRange(former, next)) {
                transition(former, next, transitions);
                ownership(former, next, ownership);
                split(former, next, split, noSplit);
            }
        }
        facts.put("transitions", transitions);
        facts.put("ownership", ownership);
        facts.put("split", split);
        facts.put("noSplit", noSplit);
    }

    /** Returns the changes of layout that {@link #add} has found. */
    List<Change> changes() {
        return changes;
    }

    private static boolean sameRange(Epoch a, Epoch b) {
        return a.resource() == b.resource()
                && a.offset() == b.offset()
                && (a.range() == null || a.range().equals(b.range()));
    }

    private void transition(Epoch former, Epoch next, Set<Map<String, Object>> rows) {
        if (former.range() == null || former.layout() == next.layout() || discards(next)) {
            return;
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", resource(next));
        row.put("from", former.layout().name());
        row.put("to", next.layout().name());
        row.put("dstStages", StateFacts.stageNames(stages(next)));
        int host = host(former, next);
        String queue = host < 0
                ? ""
                : plan.queues().queues().get(plan.passes().get(host).queue()).name();
        row.put("onQueue", queue);
        row.put("after", names(former.passes()));
        row.put("before", names(next.passes()));
        int reader = plan.passes().get(next.passes().get(0)).queue();
        boolean several =
                next.passes().stream().anyMatch(pass -> plan.passes().get(pass).queue() != reader);
        row.put("rerouted", several || (host >= 0 && isRerouted(host, reader, former, next)));
        row.put("count", 1);
        if (rows.add(row)) {
            changes.add(new Change(next.resource(), former.passes(), next.passes()));
        }
    }

    /** Behind a writer a change costs nothing more than before the reader, if the reader's queue could have made it. */
    private boolean isRerouted(int host, int reader, Epoch former, Epoch next) {
        int queue = plan.passes().get(host).queue();
        boolean ofWriter = former.passes().stream()
                .anyMatch(pass -> plan.passes().get(pass).queue() == queue);
        return queue != reader && !(ofWriter && isAble(reader, former) && isAble(reader, next));
    }

    private boolean isAble(int queue, Epoch epoch) {
        QueueKind kind = plan.queues().queues().get(queue).kind();
        return epoch.passes().stream()
                .flatMap(pass -> plan.passes().get(pass).uses().stream())
                .filter(use -> use.resource() == epoch.resource())
                .allMatch(use -> kind.supports(use.access().queue()));
    }

    private boolean discards(Epoch epoch) {
        for (FramePlan.UsePlan use : plan.passes().get(epoch.passes().get(0)).uses()) {
            if (use.resource() == epoch.resource() && use.discard() && epoch.write()) {
                return true;
            }
        }
        return false;
    }

    private int stages(Epoch epoch) {
        int stages = PipelineStage.NONE;
        for (int pass : epoch.passes()) {
            for (FramePlan.UsePlan use : plan.passes().get(pass).uses()) {
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

    /** Returns the pass that carries the change of layout, or -1. */
    private int host(Epoch former, Epoch next) {
        Set<Integer> candidates = new LinkedHashSet<>(added.getOrDefault(next.resource(), Set.of()));
        next.passes().forEach(pass -> candidates.addAll(withRenderPass(pass)));
        for (int pass : candidates) {
            if (carries(plan.passes().get(pass).before(), former.layout(), next)) {
                return pass;
            }
        }
        candidates.clear();
        former.passes().forEach(pass -> candidates.addAll(withRenderPass(pass)));
        for (int pass : candidates) {
            if (carries(plan.passes().get(pass).after(), former.layout(), next)) {
                return pass;
            }
        }
        return plan.options().policy().hoistBarriers() ? hoistedTo(former, next) : -1;
    }

    /** Returns the pass between two states of one queue that carries the change, or -1. */
    private int hoistedTo(Epoch former, Epoch next) {
        int last = former.passes().get(former.passes().size() - 1);
        int[] nodes = clocks.passes(plan.passes().get(last).queue());
        int end = clocks.position(next.passes().get(0));
        for (int i = clocks.position(last) + 1; i < end; i++) {
            PassPlan pass = plan.passes().get(nodes[i]);
            if (carries(pass.before(), former.layout(), next) || carries(pass.after(), former.layout(), next)) {
                return pass.index();
            }
        }
        return -1;
    }

    private List<Integer> withRenderPass(int pass) {
        return renderPassOf.get(pass).isEmpty() ? List.of(pass) : renderPassOf.get(pass);
    }

    private static boolean carries(List<PlanBarrier> barriers, TextureLayout from, Epoch next) {
        return barriers.stream()
                .anyMatch(barrier -> barrier.resource() == next.resource()
                        && barrier.oldLayout() == from
                        && barrier.newLayout() == next.layout()
                        && barrier.range() != null
                        && next.range() != null
                        && barrier.range().overlaps(next.range()));
    }

    /** A transfer between the families of two states, by its halves in the plan; those of the ends of the frame are left out. */
    private void ownership(Epoch former, Epoch next, Set<Map<String, Object>> rows) {
        int from = family(former.passes().get(0));
        int to = family(next.passes().get(0));
        if (from == to
                || !hasHalf(former.passes(), from, to, from, next)
                || !hasHalf(next.passes(), from, to, to, next)) {
            return;
        }
        int release = former.passes().get(former.passes().size() - 1);
        int acquire = next.passes().get(0);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", resource(next));
        row.put("from", queue(release).name());
        row.put("to", queue(acquire).name());
        row.put("releaseAfter", plan.passes().get(release).name());
        row.put("acquireBefore", plan.passes().get(acquire).name());
        rows.add(row);
    }

    /** Whether some pass, or a node of its own on a queue of the same family, carries one half of a transfer. */
    private boolean hasHalf(List<Integer> passes, int from, int to, int on, Epoch next) {
        Set<Integer> candidates = new LinkedHashSet<>(added.getOrDefault(next.resource(), Set.of()));
        passes.forEach(pass -> candidates.addAll(withRenderPass(pass)));
        BarrierBatch.OwnershipTransfer wanted = new BarrierBatch.OwnershipTransfer(from, to);
        for (int candidate : candidates) {
            PassPlan pass = plan.passes().get(candidate);
            if (family(candidate) == on
                    && Stream.concat(pass.before().stream(), pass.after().stream())
                            .anyMatch(barrier -> wanted.equals(barrier.ownership()) && reaches(barrier, next))) {
                return true;
            }
        }
        return false;
    }

    private static boolean reaches(PlanBarrier barrier, Epoch epoch) {
        if (barrier.resource() != epoch.resource()) {
            return false;
        }
        return (barrier.range() != null && epoch.range() != null)
                ? barrier.range().overlaps(epoch.range())
                : barrier.offset() <= epoch.offset() && epoch.offset() < barrier.offset() + barrier.bytes();
    }

    private QueueTopology.Queue queue(int pass) {
        return plan.queues().queues().get(plan.passes().get(pass).queue());
    }

    private int family(int pass) {
        return queue(pass).family();
    }

    /** A barrier may begin behind the last pass of the former state and end before the first of the next. */
    private void split(Epoch former, Epoch next, Set<Map<String, Object>> rows, Set<Map<String, Object>> refusals) {
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
            refuse(next, end, "cross-queue", refusals);
            return;
        }
        if (((stages(former) | stages(next)) & PipelineStage.HOST.bit()) != 0) {
            refuse(next, end, "host", refusals);
            return;
        }
        if (plan.queues().queues().get(queue).kind() == QueueKind.COPY) {
            refuse(next, end, "copy-queue", refusals);
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
            refuse(next, end, first == position[behind] ? "adjacent" : "untracked", refusals);
            return;
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", resource(next));
        row.put("begin", plan.passes().get(onQueue.get(queue).get(first)).name());
        row.put("end", plan.passes().get(onQueue.get(queue).get(last)).name());
        row.put("gap", last - first - 1);
        rows.add(row);
    }

    private int lastOfRenderPass(int pass) {
        List<Integer> members = withRenderPass(pass);
        return members.get(members.size() - 1);
    }

    private void refuse(Epoch next, int at, String why, Set<Map<String, Object>> refusals) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", resource(next));
        row.put("at", plan.passes().get(at).name());
        row.put("why", why);
        refusals.add(row);
    }

    private List<String> names(List<Integer> passes) {
        return passes.stream().map(pass -> plan.passes().get(pass).name()).toList();
    }

    private String resource(Epoch epoch) {
        return plan.resources().get(epoch.resource()).name();
    }
}
