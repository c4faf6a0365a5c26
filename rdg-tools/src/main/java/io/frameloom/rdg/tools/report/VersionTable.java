package io.frameloom.rdg.tools.report;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PlanDerivation.Epoch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** Which version of each part of each resource is the newest, while passes are walked in order. */
final class VersionTable {
    /** Stands for the epoch of what the frame starts with. */
    private static final int START = -2;

    private final FramePlan plan;
    private final List<List<Version>> current = new ArrayList<>();
    private final int[] written;
    private final Map<Long, Integer> writeEpochs = new HashMap<>();

    /**
     * A version of a part.
     *
     * @param node its node
     * @param epoch the state in which it is written, or -1
     * @param part its part
     */
    private record Version(int node, int epoch, BitSet part) {}

    VersionTable(FramePlan plan) {
        this.plan = plan;
        this.written = new int[plan.resources().size()];
        for (int r = 0; r < written.length; r++) {
            current.add(new ArrayList<>());
        }
        int number = 0;
        for (Epoch epoch : plan.epochs()) {
            if (epoch.write() && epoch.passes().size() > 1) {
                for (int pass : epoch.passes()) {
                    writeEpochs.put(key(epoch.resource(), pass), number);
                }
            }
            number++;
        }
    }

    private static long key(int resource, int pass) {
        return (long) resource << 32 | pass;
    }

    int written(int resource) {
        return written[resource];
    }

    /** Counts a version that no pass is going to write. */
    int count(int resource) {
        return ++written[resource];
    }

    /** Returns the node of the newest version of a resource, or -1. */
    int newest(int resource) {
        List<Version> versions = current.get(resource);
        return versions.isEmpty() ? -1 : versions.get(versions.size() - 1).node;
    }

    /**
     * Returns the nodes of the versions that a use finds.
     *
     * @param start makes the node of what the frame starts with
     */
    List<Integer> readers(UsePlan use, IntUnaryOperator start) {
        List<Version> versions = current.get(use.resource());
        BitSet missing = part(use);
        List<Integer> result = new ArrayList<>();
        for (int i = versions.size() - 1; i >= 0 && !missing.isEmpty(); i--) {
            Version version = versions.get(i);
            if (version.part.intersects(missing)) {
                result.add(version.node);
                missing.andNot(version.part);
            }
        }
        boolean outlives = plan.resources().get(use.resource()).lifetime() != Lifetime.TRANSIENT;
        if (outlives && !missing.isEmpty() && (versions.isEmpty() || versions.get(0).epoch != START)) {
            BitSet all = new BitSet();
            all.set(0, cells(use.resource()));
            versions.add(0, new Version(start.applyAsInt(use.resource()), START, all));
            result.add(versions.get(0).node);
        }
        return result;
    }

    /**
     * Returns the node of the version that a use writes; passes that write side by side in one state share one.
     *
     * @param next makes a node of a resource and a number
     */
    int write(UsePlan use, int pass, IntBinaryOperator next) {
        List<Version> versions = current.get(use.resource());
        BitSet part = part(use);
        int epoch = writeEpochs.getOrDefault(key(use.resource(), pass), -1);
        if (epoch >= 0) {
            for (Version version : versions) {
                if (version.epoch == epoch && version.part.equals(part)) {
                    return version.node;
                }
            }
        }
        versions.removeIf(version -> {
            version.part.andNot(part);
            return version.part.isEmpty();
        });
        int node = next.applyAsInt(use.resource(), count(use.resource()));
        versions.add(new Version(node, epoch, part));
        return node;
    }

    private int cells(int resource) {
        TextureDescription texture = plan.resources().get(resource).textureDescription();
        return texture == null
                ? 1
                : texture.mips() * texture.layers() * texture.format().planes();
    }

    /** Buffers are taken as a whole. */
    private BitSet part(UsePlan use) {
        BitSet part = new BitSet();
        TextureDescription texture = plan.resources().get(use.resource()).textureDescription();
        SubresourceRange range = use.range();
        if (texture == null || range == null) {
            part.set(0);
            return part;
        }
        for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
            for (int mip = range.baseMip(); mip < range.baseMip() + range.mipCount(); mip++) {
                int at = (plane * texture.mips() + mip) * texture.layers() + range.baseLayer();
                part.set(at, at + range.layerCount());
            }
        }
        return part;
    }
}
