package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.SplitRefusal;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The barriers in order of submission, where changes of layout stand among the passes, and which are split. */
final class BarrierFacts {
    private final FramePlan plan;
    private final PlanNames names;
    private final PlanClocks clocks;
    private final List<Map<String, Object>> rows = new ArrayList<>();
    private final Map<String, Integer> changes = new LinkedHashMap<>();
    /** Passes and changes of layout. */
    private final List<String> order = new ArrayList<>();

    private final List<Map<String, Object>> split = new ArrayList<>();
    private final List<Map<String, Object>> whole = new ArrayList<>();

    BarrierFacts(FramePlan plan, PlanNames names, PlanClocks clocks) {
        this.plan = plan;
        this.names = names;
        this.clocks = clocks;
    }

    void add(Map<String, Object> facts) {
        for (Batch batch : plan.batches()) {
            for (int p : batch.passes()) {
                PassPlan pass = plan.passes().get(p);
                barriers("before", pass, pass.before());
                if (pass.level() >= 0) {
                    order.add(names.pass(p));
                }
                barriers("after", pass, pass.after());
            }
        }
        facts.put("barriers", rows);
        facts.put("transitionCountOf", changes);
        facts.put("transitionOrder", order);
        if (plan.options().policy().splitBarriers()) {
            facts.put("split", split);
            facts.put("noSplit", whole);
        }
    }

    private void barriers(String where, PassPlan pass, List<PlanBarrier> barriers) {
        Set<String> here = new LinkedHashSet<>();
        for (PlanBarrier barrier : barriers) {
            String resource = names.resource(barrier.resource());
            if (isChange(pass, barrier)) {
                changes.merge(resource, 1, Integer::sum);
                here.add("T:" + resource);
            }
            rows.add(row(where, pass, barrier));
            split(pass, barrier);
        }
        order.addAll(here);
    }

    /** A change from UNDEFINED keeps nothing, and one between queue families counts where it is released. */
    private boolean isChange(PassPlan pass, PlanBarrier barrier) {
        int family = plan.queues().queues().get(pass.queue()).family();
        boolean acquires = barrier.ownership() != null && barrier.ownership().to() == family;
        // Buffers have the layout UNDEFINED on both sides.
        return barrier.oldLayout() != TextureLayout.UNDEFINED
                && barrier.oldLayout() != barrier.newLayout()
                && !acquires;
    }

    private Map<String, Object> row(String where, PassPlan pass, PlanBarrier barrier) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put(where, names.pass(pass.index()));
        row.put("r", names.resource(barrier.resource()));
        boolean texture = plan.resources().get(barrier.resource()).texture();
        row.put("from", texture ? barrier.oldLayout().name() : null);
        row.put("to", texture ? barrier.newLayout().name() : null);
        row.put("sub", PlanNames.part(barrier.range(), barrier.offset(), barrier.bytes()));
        row.put("srcStages", StateFacts.stageNames(barrier.scope().srcStages()));
        row.put("srcAccess", MemoryAccess.describe(barrier.scope().srcAccess()));
        row.put("dstStages", StateFacts.stageNames(barrier.scope().dstStages()));
        row.put("dstAccess", MemoryAccess.describe(barrier.scope().dstAccess()));
        if (barrier.ownership() != null) {
            row.put("fromFamily", barrier.ownership().from());
            row.put("toFamily", barrier.ownership().to());
        }
        row.put("allMemory", barrier.allMemory());
        row.put("reason", barrier.reason());
        BarrierSplit halves = barrier.split();
        SplitRefusal refusal = halves == null ? null : halves.refusal();
        if (refusal != null) {
            row.put("whole", refusal.name());
        } else if (halves != null) {
            row.put("splitBehind", names.pass(halves.begin()));
        }
        return row;
    }

    /** Of those that are whole only barriers between two states of the frame have halves to speak of. */
    private void split(PassPlan pass, PlanBarrier barrier) {
        BarrierSplit halves = barrier.split();
        if (halves == null) {
            return;
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", names.resource(barrier.resource()));
        SplitRefusal refusal = halves.refusal();
        if (refusal == null) {
            row.put("begin", names.pass(halves.begin()));
            row.put("end", names.pass(pass.index()));
            row.put("gap", (int) IntStream.range(clocks.position(halves.begin()) + 1, clocks.position(pass.index()))
                    .map(position -> clocks.pass(pass.queue(), position))
                    .filter(between -> plan.passes().get(between).level() >= 0)
                    .count());
            split.add(row);
        } else if (refusal != SplitRefusal.FIRST_USE && refusal != SplitRefusal.END_OF_FRAME) {
            row.put("at", names.pass(pass.index()));
            row.put("why", refusal.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            whole.add(row);
        }
    }
}
