package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.PlanDerivation.Epoch;
import io.frameloom.rdg.explain.PlanClocks;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The barriers of a plan as the form {@code rdg-case/1} counts them. One counts before the first pass that finds what
 * it has changed, also where the plan has it after the writer. Those of buffers between queues count, too, though the
 * wait is enough for them.
 */
final class CaseBarrierCounts {
    private final FramePlan plan;
    private final PlanClocks clocks;
    private final List<List<Epoch>> ofResource = new ArrayList<>();
    /** By resource and layout the passes that begin a state in it. */
    private final List<Map<TextureLayout, NavigableSet<Integer>>> firstPasses = new ArrayList<>();

    private final BitSet before = new BitSet();
    /** Passes with barriers after them that nothing in the frame finds. */
    private final BitSet behind = new BitSet();

    private int count;

    CaseBarrierCounts(FramePlan plan, PlanClocks clocks) {
        this.plan = plan;
        this.clocks = clocks;
        plan.resources().forEach(resource -> {
            ofResource.add(new ArrayList<>(2));
            firstPasses.add(new EnumMap<>(TextureLayout.class));
        });
        for (Epoch epoch : plan.epochs()) {
            ofResource.get(epoch.resource()).add(epoch);
            firstPasses
                    .get(epoch.resource())
                    .computeIfAbsent(epoch.layout(), layout -> new TreeSet<>())
                    .add(epoch.passes().get(0));
        }
    }

    void add(Map<String, Object> facts) {
        for (PassPlan pass : plan.passes()) {
            count += pass.before().size() + pass.after().size();
            before.set(pass.index(), before.get(pass.index()) || !pass.before().isEmpty());
            pass.after().forEach(barrier -> countBehind(pass.index(), barrier));
        }
        ofResource.forEach(this::countWaits);
        facts.put("barrierCount", count);
        facts.put("barrierBatches", before.cardinality() + behind.cardinality());
    }

    private void countBehind(int pass, PlanBarrier barrier) {
        NavigableSet<Integer> finding =
                firstPasses.get(barrier.resource()).getOrDefault(barrier.newLayout(), Collections.emptyNavigableSet());
        @Nullable Integer first = finding.higher(pass);
        if (first != null) {
            before.set(first);
        } else {
            behind.set(pass);
        }
    }

    /** Two states of one buffer on two queues. */
    private void countWaits(List<Epoch> epochs) {
        for (int e = 1; e < epochs.size(); e++) {
            Epoch former = epochs.get(e - 1);
            Epoch next = epochs.get(e);
            int writer = former.passes().get(0);
            int reader = next.passes().get(0);
            if (next.range() == null
                    && former.offset() == next.offset()
                    && plan.passes().get(writer).queue()
                            != plan.passes().get(reader).queue()
                    && clocks.precedes(writer, reader)) {
                count++;
                before.set(reader);
            }
        }
    }
}
