package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.tools.file.LeftOut;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * What Unreal Engine 4.26 would cull of a frame, which is less: there each pass that names an external resource stays, even
 * one that reads it, and a pass keeps the last writer of what it overwrites ("RDG 101: A Crash Course", Epic Games).
 */
final class UnrealCulling {
    /** Separate mips, layers and planes that passes touch. */
    private static final long MOST = 50_000_000;

    private final FramePlan plan;
    /** By resource the last pass that writes each subresource, or all of it. */
    private final int[][] producer;

    private final List<BitSet> producers = new ArrayList<>();
    private long steps;

    UnrealCulling(FramePlan plan) {
        this.plan = plan;
        this.producer = new int[plan.resources().size()][];
    }

    void add(Map<String, Object> facts) {
        if (!plan.options().cullPasses()) {
            facts.put("culledUe4", List.of());
            return;
        }
        BitSet kept = new BitSet();
        if (!cells()) {
            LeftOut.add(facts, "culledUe4", "resources have more than " + MOST + " mips, layers and planes");
            return;
        }
        for (PassPlan pass : plan.passes()) {
            producers.add(new BitSet());
            if (isRoot(pass)) {
                kept.set(pass.index());
            }
            for (UsePlan use : pass.uses()) {
                touch(pass.index(), use);
            }
            if (steps > MOST) {
                LeftOut.add(facts, "culledUe4", "passes touch more than " + MOST + " mips, layers and planes");
                return;
            }
        }
        for (ResourcePlan resource : plan.resources()) {
            if (resource.lifetime() == Lifetime.EXTRACTED) {
                Arrays.stream(producer[resource.index()])
                        .filter(pass -> pass >= 0)
                        .forEach(kept::set);
            }
        }
        flood(kept);
        facts.put(
                "culledUe4",
                plan.passes().stream()
                        .filter(pass -> (pass.level() >= 0 || pass.culled()) && !kept.get(pass.index()))
                        .map(PassPlan::name)
                        .toList());
    }

    /** One for a resource that is only used whole. Returns false, and makes none, if there are too many. */
    private boolean cells() {
        BitSet parted = new BitSet();
        for (PassPlan pass : plan.passes()) {
            for (UsePlan use : pass.uses()) {
                TextureDescription shape = plan.resources().get(use.resource()).textureDescription();
                if (shape != null && use.range() != null && !use.range().equals(SubresourceRange.all(shape))) {
                    parted.set(use.resource());
                }
            }
        }
        long all = 0;
        for (ResourcePlan resource : plan.resources()) {
            all += cells(resource, parted);
        }
        if (all > MOST) {
            return false;
        }
        for (ResourcePlan resource : plan.resources()) {
            producer[resource.index()] = new int[(int) cells(resource, parted)];
            Arrays.fill(producer[resource.index()], -1);
        }
        return true;
    }

    private static long cells(ResourcePlan resource, BitSet parted) {
        TextureDescription shape = resource.textureDescription();
        return shape != null && parted.get(resource.index())
                ? (long) shape.mips() * shape.layers() * shape.format().planes()
                : 1;
    }

    private boolean isRoot(PassPlan pass) {
        return pass.flags().contains(PassFlag.NEVER_CULL)
                || pass.flags().contains(PassFlag.READBACK)
                || pass.uses().stream()
                        .map(use -> plan.resources().get(use.resource()).lifetime())
                        .anyMatch(lifetime -> lifetime == Lifetime.EXTERNAL || lifetime == Lifetime.HISTORY);
    }

    private void touch(int pass, UsePlan use) {
        int[] last = producer[use.resource()];
        TextureDescription shape = plan.resources().get(use.resource()).textureDescription();
        SubresourceRange range = use.range();
        if (last.length == 1 || shape == null || range == null) {
            touch(pass, use, last, 0);
            return;
        }
        steps += (long) range.mipCount() * range.layerCount() * range.planeCount();
        if (steps > MOST) {
            return;
        }
        for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
            for (int layer = range.baseLayer(); layer < range.baseLayer() + range.layerCount(); layer++) {
                for (int mip = range.baseMip(); mip < range.baseMip() + range.mipCount(); mip++) {
                    touch(pass, use, last, (plane * shape.layers() + layer) * shape.mips() + mip);
                }
            }
        }
    }

    private void touch(int pass, UsePlan use, int[] last, int cell) {
        if (last[cell] >= 0 && last[cell] != pass) {
            producers.get(pass).set(last[cell]);
        }
        if (use.access().writes()) {
            last[cell] = pass;
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
