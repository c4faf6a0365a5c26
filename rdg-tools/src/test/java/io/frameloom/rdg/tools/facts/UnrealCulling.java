package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What Unreal Engine 4.26 would cull of a frame, which is less: there each pass that names an external resource stays, even
 * one that reads it, and a pass keeps the last writer of what it overwrites ("RDG 101: A Crash Course", Epic Games).
 */
public final class UnrealCulling {
    private final FramePlan plan;
    /** By resource, plane, layer and mip the last pass that writes it. */
    private final Map<List<Integer>, Integer> producer = new HashMap<>();

    private final List<BitSet> producers = new ArrayList<>();

    public UnrealCulling(FramePlan plan) {
        this.plan = plan;
    }

    /** Returns the names of the passes. */
    public List<String> culled() {
        if (!plan.options().cullPasses()) {
            return List.of();
        }
        BitSet kept = new BitSet();
        for (PassPlan pass : plan.passes()) {
            producers.add(new BitSet());
            if (isRoot(pass)) {
                kept.set(pass.index());
            }
            for (UsePlan use : pass.uses()) {
                cells(use).forEach(cell -> touch(pass.index(), use, cell));
            }
        }
        producer.forEach((cell, pass) -> {
            if (plan.resources().get(cell.get(0)).lifetime() == Lifetime.EXTRACTED) {
                kept.set(pass);
            }
        });
        flood(kept);
        return plan.passes().stream()
                .filter(pass -> (pass.level() >= 0 || pass.culled()) && !kept.get(pass.index()))
                .map(PassPlan::name)
                .toList();
    }

    private boolean isRoot(PassPlan pass) {
        return pass.flags().contains(PassFlag.NEVER_CULL)
                || pass.flags().contains(PassFlag.READBACK)
                || pass.uses().stream()
                        .map(use -> plan.resources().get(use.resource()).lifetime())
                        .anyMatch(lifetime -> lifetime == Lifetime.EXTERNAL || lifetime == Lifetime.HISTORY);
    }

    private static List<List<Integer>> cells(UsePlan use) {
        SubresourceRange range = use.range();
        if (range == null) {
            return List.of(List.of(use.resource()));
        }
        List<List<Integer>> cells = new ArrayList<>();
        for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
            for (int layer = range.baseLayer(); layer < range.baseLayer() + range.layerCount(); layer++) {
                for (int mip = range.baseMip(); mip < range.baseMip() + range.mipCount(); mip++) {
                    cells.add(List.of(use.resource(), plane, layer, mip));
                }
            }
        }
        return cells;
    }

    private void touch(int pass, UsePlan use, List<Integer> cell) {
        int last = producer.getOrDefault(cell, pass);
        if (last != pass) {
            producers.get(pass).set(last);
        }
        if (use.access().writes()) {
            producer.put(cell, pass);
        }
    }

    private void flood(BitSet kept) {
        Deque<Integer> open = new ArrayDeque<>();
        kept.stream().forEach(open::add);
        while (!open.isEmpty()) {
            BitSet sources = producers.get(open.remove());
            for (int source = sources.nextSetBit(0); source >= 0; source = sources.nextSetBit(source + 1)) {
                if (!kept.get(source)) {
                    kept.set(source);
                    open.add(source);
                }
            }
        }
    }
}
