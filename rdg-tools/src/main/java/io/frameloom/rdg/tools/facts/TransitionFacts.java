package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.PlanDerivation.Epoch;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Changes between two states of one range: of layout and of the owning queue family. */
final class TransitionFacts {
    private final FramePlan plan;
    private final PlanNames names;
    private final PlanClocks clocks;
    private final List<List<Integer>> renderPassOf;
    /** By resource the passes that the compiler added for it. */
    private final Map<Integer, Set<Integer>> added = new HashMap<>();

    private final List<Change> changes = new ArrayList<>();

    /**
     * A change of layout that keeps the contents.
     *
     * @param resource index of the resource
     * @param after passes of the state before it
     * @param before passes of the state behind it
     */
    record Change(int resource, List<Integer> after, List<Integer> before) {}

    TransitionFacts(FramePlan plan, PlanNames names, PlanClocks clocks) {
        this.plan = plan;
        this.names = names;
        this.clocks = clocks;
        renderPassOf = new ArrayList<>(Collections.nCopies(plan.passes().size(), List.of()));
        for (FramePlan.RenderPassPlan renderPass : plan.renderPasses()) {
            renderPass.passes().forEach(pass -> renderPassOf.set(pass, renderPass.passes()));
        }
        for (PassPlan pass : plan.passes()) {
            if (pass.level() < 0 && !pass.culled()) {
                Stream.concat(pass.before().stream(), pass.after().stream())
                        .forEach(barrier -> added.computeIfAbsent(barrier.resource(), r -> new LinkedHashSet<>())
                                .add(pass.index()));
            }
        }
    }

    void add(Map<String, Object> facts) {
        Set<Map<String, Object>> transitions = new LinkedHashSet<>();
        Set<Map<String, Object>> ownership = new LinkedHashSet<>();
        for (int e = 1; e < plan.epochs().size(); e++) {
            Epoch former = plan.epochs().get(e - 1);
            Epoch next = plan.epochs().get(e);
            if (sameRange(former, next)) {
                transition(former, next, transitions);
                ownership(former, next, ownership);
            }
        }
        facts.put("transitions", transitions);
        facts.put("ownership", ownership);
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
        row.put("r", names.resource(next.resource()));
        row.put("from", former.layout().name());
        row.put("to", next.layout().name());
        row.put("dstStages", StateFacts.stageNames(stages(next)));
        int host = host(former, next);
        row.put("onQueue", host < 0 ? "" : names.queueOf(host));
        row.put("after", names.passes(former.passes()));
        row.put("before", names.passes(next.passes()));
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
        row.put("r", names.resource(next.resource()));
        row.put("from", names.queueOf(release));
        row.put("to", names.queueOf(acquire));
        row.put("releaseAfter", names.pass(release));
        row.put("acquireBefore", names.pass(acquire));
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

    private int family(int pass) {
        return plan.queues().queues().get(plan.passes().get(pass).queue()).family();
    }
}
