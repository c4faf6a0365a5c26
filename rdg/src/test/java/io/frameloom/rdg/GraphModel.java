package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A graph as plain test data: declared through the public API, judged without the compiler. */
public record GraphModel(List<Res> resources, List<Pass> passes) {
    static final int UNIT_BYTES = 256;

    static final int SAMPLES = 4;

    /** How a resource comes into the graph and what it is for, beyond what its lifetime says. */
    enum Role {
        PLAIN,
        /** A texture of {@link #SAMPLES} samples, which is a target and nothing else. */
        MULTISAMPLED,
        PASSTHROUGH,
        /** What the former frame wrote; the next resource is what this frame writes. */
        PREVIOUS,
        CURRENT,
        /** An acceleration structure: of one unit, external, built before the first frame. */
        BOTTOM_LEVEL,
        /** As that, of instances of what the pass that builds it reads. */
        TOP_LEVEL
    }

    /**
     * A resource; a texture has mips x layers x planes units, a buffer {@code mips} units of {@link #UNIT_BYTES} bytes.
     */
    record Res(
            String name,
            boolean texture,
            boolean depth,
            int mips,
            int layers,
            int planes,
            Lifetime lifetime,
            TextureLayout initial,
            @Nullable Access finalAccess,
            MemoryUsage memory,
            Role role,
            QueueSharing sharing) {
        Res(
                String name,
                boolean texture,
                boolean depth,
                int mips,
                int layers,
                int planes,
                Lifetime lifetime,
                TextureLayout initial,
                @Nullable Access finalAccess,
                MemoryUsage memory,
                Role role) {
            this(
                    name,
                    texture,
                    depth,
                    mips,
                    layers,
                    planes,
                    lifetime,
                    initial,
                    finalAccess,
                    memory,
                    role,
                    QueueSharing.CONCURRENT);
        }

        Res(
                String name,
                boolean texture,
                boolean depth,
                int mips,
                int layers,
                Lifetime lifetime,
                TextureLayout initial,
                @Nullable Access finalAccess) {
            this(name, texture, depth, mips, layers, 1, lifetime, initial, finalAccess, MemoryUsage.DEVICE, Role.PLAIN);
        }

        int units() {
            return mips * layers * planes;
        }

        long bytes() {
            return (long) mips * UNIT_BYTES;
        }

        boolean isStructure() {
            return role == Role.BOTTOM_LEVEL || role == Role.TOP_LEVEL;
        }

        int samples() {
            return role == Role.MULTISAMPLED ? SAMPLES : 1;
        }

        Res extracted(@Nullable Access access) {
            return of(Lifetime.EXTRACTED, initial, access, sharing);
        }

        Res shared(QueueSharing other) {
            return of(lifetime, initial, finalAccess, other);
        }

        private Res of(Lifetime life, TextureLayout first, @Nullable Access last, QueueSharing by) {
            return new Res(name, texture, depth, mips, layers, planes, life, first, last, memory, role, by);
        }

        /** Returns the resource without being extracted. */
        Res kept() {
            return of(Lifetime.TRANSIENT, initial, null, sharing);
        }

        Res with(TextureLayout first, @Nullable Access last) {
            return of(lifetime, first, last, sharing);
        }

        Res ofParts(int otherMips, int otherLayers) {
            return new Res(
                    name,
                    texture,
                    depth,
                    otherMips,
                    otherLayers,
                    planes,
                    lifetime,
                    initial,
                    finalAccess,
                    memory,
                    role,
                    sharing);
        }

        /** Returns whether there are contents before the frame; a texture without a layout has none. */
        boolean hasContents() {
            return lifetime == Lifetime.EXTERNAL && (!texture || initial != TextureLayout.UNDEFINED);
        }

        Format format() {
            return planes == 2 ? Format.D32_SFLOAT_S8_UINT : depth ? Format.D32_SFLOAT : Format.R8G8B8A8_UNORM;
        }
    }

    /**
     * A use of a box of units; attachments have a load operation, writes that may overlap a group of 0 or more. What a colour
     * attachment is resolved to is the use behind it.
     */
    record Use(
            int resource,
            int mip,
            int mips,
            int layer,
            int layers,
            int plane,
            int planes,
            Access access,
            boolean discard,
            @Nullable LoadOp attachment,
            int group) {
        Use(
                int resource,
                int mip,
                int mips,
                int layer,
                int layers,
                Access access,
                boolean discard,
                @Nullable LoadOp attachment,
                int group) {
            this(resource, mip, mips, layer, layers, 0, 1, access, discard, attachment, group);
        }

        Use(
                int resource,
                int mip,
                int mips,
                int layer,
                int layers,
                Access access,
                boolean discard,
                @Nullable LoadOp attachment) {
            this(resource, mip, mips, layer, layers, access, discard, attachment, -1);
        }

        boolean covers(Res res, int unit) {
            int m = unit % res.mips();
            int l = unit / res.mips() % res.layers();
            int p = unit / (res.mips() * res.layers());
            return mip <= m && m < mip + mips && layer <= l && l < layer + layers && plane <= p && p < plane + planes;
        }

        boolean meets(Use other) {
            return resource == other.resource
                    && mip < other.mip + other.mips
                    && other.mip < mip + mips
                    && layer < other.layer + other.layers
                    && other.layer < layer + layers
                    && plane < other.plane + other.planes
                    && other.plane < plane + planes;
        }

        boolean needs() {
            return !discard;
        }

        boolean isResolve() {
            return access == Access.RESOLVE_DST;
        }

        SubresourceRange range() {
            return new SubresourceRange(mip, mips, layer, layers, plane, planes);
        }

        Use of(int otherResource) {
            return new Use(otherResource, mip, mips, layer, layers, plane, planes, access, discard, attachment, group);
        }

        Use discarding() {
            return new Use(resource, mip, mips, layer, layers, plane, planes, access, true, attachment, group);
        }

        Use alone() {
            return new Use(resource, mip, mips, layer, layers, plane, planes, access, discard, attachment, -1);
        }

        Use clipped(Res res) {
            int m = Math.min(mip, res.mips() - 1);
            int l = Math.min(layer, res.layers() - 1);
            return new Use(
                    resource,
                    m,
                    Math.min(mips, res.mips() - m),
                    l,
                    Math.min(layers, res.layers() - l),
                    plane,
                    planes,
                    access,
                    discard,
                    attachment,
                    group);
        }

        /** Returns what a pass does that may be left out: it keeps what was there. */
        private Use keeping() {
            Access loaded = attachment == null
                    ? access
                    : access == Access.COLOR_WRITE
                            ? Access.COLOR_READ_WRITE
                            : access == Access.DEPTH_WRITE ? Access.DEPTH_READ_WRITE : access;
            return new Use(
                    resource,
                    mip,
                    mips,
                    layer,
                    layers,
                    plane,
                    planes,
                    loaded,
                    false,
                    attachment == null ? null : LoadOp.LOAD,
                    group);
        }

        /** Returns what a pass does that touches a part of its targets: it keeps the rest, which it does not read. */
        private Use partly() {
            boolean target = attachment != null || isResolve();
            return target
                    ? new Use(resource, mip, mips, layer, layers, plane, planes, access, false, attachment, group)
                    : this;
        }
    }

    /**
     * A pass.
     *
     * @param queue queue that it names, or -1
     * @param after passes that it must come after
     * @param condition whether it runs if that is asked when it is recorded, or null
     * @param builtin whether the declaration of a history adds it
     * @param quarter quarter of its targets that it renders to, 1 to 4, or 0 for all of them
     * @param parts parts that it is recorded in, or 0 for one body
     */
    record Pass(
            String name,
            PassKind kind,
            Set<PassFlag> flags,
            int queue,
            List<Integer> after,
            @Nullable Boolean condition,
            boolean builtin,
            int quarter,
            int parts,
            List<Use> uses) {
        Pass(
                String name,
                PassKind kind,
                Set<PassFlag> flags,
                int queue,
                List<Integer> after,
                @Nullable Boolean condition,
                boolean builtin,
                List<Use> uses) {
            this(name, kind, flags, queue, after, condition, builtin, 0, 0, uses);
        }

        Pass(String name, PassKind kind, boolean async, boolean neverCull, List<Use> uses) {
            this(name, kind, flags(async, neverCull), -1, List.of(), null, false, 0, 0, uses);
        }

        private static Set<PassFlag> flags(boolean async, boolean neverCull) {
            Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
            if (async) {
                flags.add(PassFlag.ASYNC_COMPUTE);
            }
            if (neverCull) {
                flags.add(PassFlag.NEVER_CULL);
            }
            return Collections.unmodifiableSet(flags);
        }

        boolean has(PassFlag flag) {
            return flags.contains(flag);
        }

        boolean async() {
            return has(PassFlag.ASYNC_COMPUTE);
        }

        boolean neverCull() {
            return has(PassFlag.NEVER_CULL);
        }

        boolean runs() {
            return condition == null || condition;
        }

        boolean hasTargets() {
            return kind == PassKind.RASTER && !has(PassFlag.SKIP_RENDER_PASS);
        }

        Pass with(Set<PassFlag> others) {
            return new Pass(name, kind, others, queue, after, condition, builtin, quarter, parts, uses);
        }

        Pass after(List<Integer> others) {
            return new Pass(name, kind, flags, queue, others, condition, builtin, quarter, parts, uses);
        }

        Pass on(int other) {
            return new Pass(name, kind, flags, other, after, condition, builtin, quarter, parts, uses);
        }

        Pass always() {
            return onlyIf(null);
        }

        Pass onlyIf(@Nullable Boolean other) {
            return new Pass(name, kind, flags, queue, after, other, builtin, quarter, parts, uses);
        }

        Pass asBuiltin() {
            return new Pass(name, kind, flags, queue, after, condition, true, quarter, parts, uses);
        }

        Pass in(int otherQuarter, int otherParts) {
            return new Pass(name, kind, flags, queue, after, condition, builtin, otherQuarter, otherParts, uses);
        }

        /** Leaves out resolves whose attachment is gone. */
        private static List<Use> resolving(List<Use> uses) {
            List<Use> kept = new ArrayList<>();
            for (Use use : uses) {
                Use before = kept.isEmpty() ? null : kept.get(kept.size() - 1);
                if (!use.isResolve() || (before != null && before.attachment() != null)) {
                    kept.add(use);
                }
            }
            return List.copyOf(kept);
        }

        /** Returns where the render area begins and how large it is on targets of an extent: x, y, width, height. */
        int[] area(int extent) {
            int half = extent / 2;
            return quarter == 0
                    ? new int[] {0, 0, extent, extent}
                    : new int[] {(quarter - 1) % 2 * half, (quarter - 1) / 2 * half, half, half};
        }

        Pass using(List<Use> others) {
            boolean targets = others.stream().anyMatch(use -> use.attachment() != null);
            return new Pass(
                    name,
                    kind,
                    flags,
                    queue,
                    after,
                    condition,
                    builtin,
                    targets ? quarter : 0,
                    parts,
                    resolving(others));
        }
    }

    GraphModel without(int pass) {
        List<Pass> rest = new ArrayList<>();
        for (int p = 0; p < passes.size(); p++) {
            if (p != pass) {
                int gone = pass;
                rest.add(passes.get(p)
                        .after(passes.get(p).after().stream()
                                .filter(earlier -> earlier != gone)
                                .map(earlier -> earlier > gone ? earlier - 1 : earlier)
                                .toList()));
            }
        }
        return new GraphModel(resources, rest);
    }

    GraphModel with(int pass, Pass replacement) {
        List<Pass> all = new ArrayList<>(passes);
        all.set(pass, replacement);
        return new GraphModel(resources, all);
    }

    /** Returns the passes in another order: the first is pass {@code order[0]}. */
    GraphModel ordered(int[] order) {
        int[] position = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            position[order[i]] = i;
        }
        List<Pass> all = new ArrayList<>();
        for (int pass : order) {
            Pass old = passes.get(pass);
            all.add(old.after(
                    old.after().stream().map(earlier -> position[earlier]).toList()));
        }
        return new GraphModel(resources, all);
    }

    /** Returns what the passes do if they run. */
    GraphModel running() {
        return new GraphModel(resources, passes.stream().map(Pass::always).toList());
    }

    /**
     * Returns what the passes do as far as the order among them goes: one that may be left out discards nothing, nor does one
     * that touches a part of its targets.
     */
    GraphModel effective() {
        List<Pass> all = new ArrayList<>();
        for (Pass pass : passes) {
            List<Use> uses = pass.quarter() == 0
                    ? pass.uses()
                    : pass.uses().stream().map(Use::partly).toList();
            all.add(pass.using(
                    pass.condition() == null
                            ? uses
                            : uses.stream().map(Use::keeping).toList()));
        }
        return new GraphModel(resources, all);
    }

    RenderGraph declare() {
        return declare(new FakeSurroundings());
    }

    RenderGraph declare(ModelDeclaration.Surroundings surroundings) {
        return declare(surroundings, new RenderGraph("random", RdgOptions.defaults()));
    }

    /** Declares the model into an empty graph. */
    RenderGraph declare(ModelDeclaration.Surroundings surroundings, RenderGraph graph) {
        return new ModelDeclaration(this, surroundings).declare(graph);
    }
}
