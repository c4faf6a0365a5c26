package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.BarrierBatch.OwnershipTransfer;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.PlanDerivation.Epoch;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/** Changes between two states of one range: of layout and of the owning queue family. */
final class TransitionFacts {
    private final FramePlan plan;
    private final PlanNames names;
    private final PlanClocks clocks;
    /** By pass its place in the order of submission. */
    private final int[] place;
    /** By resource and place the pass with barriers for it. */
    private final List<NavigableMap<Integer, PassPlan>> carriers = new ArrayList<>();

    private final List<Change> changes = new ArrayList<>();

    /**
     * A change of layout that keeps the contents.
     *
     * @param resource index of the resource
     * @param after passes of the state before it
     * @param before passes of the state after it
     */
    record Change(int resource, List<Integer> after, List<Integer> before) {}

    TransitionFacts(FramePlan plan, PlanNames names, PlanClocks clocks) {
        this.plan = plan;
        this.names = names;
        this.clocks = clocks;
        place = new int[plan.passes().size()];
        plan.resources().forEach(resource -> carriers.add(new TreeMap<>()));
        int count = 0;
        for (Batch batch : plan.batches()) {
            for (int index : batch.passes()) {
                place[index] = count++;
                PassPlan pass = plan.passes().get(index);
                barriers(pass)
                        .forEach(barrier -> carriers.get(barrier.resource()).put(place[index], pass));
            }
        }
    }

    private static Stream<PlanBarrier> barriers(PassPlan pass) {
        return Stream.concat(pass.before().stream(), pass.after().stream());
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
        int host = carrier(former, next, (pass, barrier) -> carries(barrier, former.layout(), next));
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

    /** Returns the pass between two states that has a barrier, a node of its own first, then the last one; or -1. */
    private int carrier(Epoch former, Epoch next, BiPredicate<PassPlan, PlanBarrier> wanted) {
        int from = former.passes().stream().mapToInt(pass -> place[pass]).min().orElseThrow();
        int to = next.passes().stream().mapToInt(pass -> place[pass]).max().orElseThrow();
        int found = -1;
        if (from < to) {
            for (PassPlan pass :
                    carriers.get(next.resource()).subMap(from, true, to, true).values()) {
                if (isBetween(former, pass.index(), next) && barriers(pass).anyMatch(b -> wanted.test(pass, b))) {
                    if (pass.level() < 0) {
                        return pass.index();
                    }
                    found = pass.index();
                }
            }
        }
        return found;
    }

    private boolean isBetween(Epoch former, int pass, Epoch next) {
        return former.passes().stream().allMatch(earlier -> earlier == pass || clocks.precedes(earlier, pass))
                && next.passes().stream().allMatch(later -> later == pass || clocks.precedes(pass, later));
    }

    private static boolean carries(PlanBarrier barrier, TextureLayout from, Epoch next) {
        return barrier.oldLayout() == from && barrier.newLayout() == next.layout() && reaches(barrier, next);
    }

    /** A transfer between the families of two states, by its halves in the plan; not at the ends of the frame. */
    private void ownership(Epoch former, Epoch next, Set<Map<String, Object>> rows) {
        int from = family(former.passes().get(0));
        int to = family(next.passes().get(0));
        OwnershipTransfer wanted = new OwnershipTransfer(from, to);
        BiPredicate<PassPlan, PlanBarrier> half =
                (pass, barrier) -> wanted.equals(barrier.ownership()) && reaches(barrier, next);
        if (from == to
                || carrier(former, next, half.and((pass, barrier) -> family(pass.index()) == from)) < 0
                || carrier(former, next, half.and((pass, barrier) -> family(pass.index()) == to)) < 0) {
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
