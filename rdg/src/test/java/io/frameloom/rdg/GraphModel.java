package io.frameloom.rdg;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A graph as plain test data: declared through the public API, judged without the compiler. */
record GraphModel(List<Res> resources, List<Pass> passes) {
    static final int UNIT_BYTES = 64;

    /** A resource; a texture has mips x layers units, a buffer {@code mips} units of {@link #UNIT_BYTES} bytes. */
    record Res(
            String name,
            boolean texture,
            boolean depth,
            int mips,
            int layers,
            Lifetime lifetime,
            TextureLayout initial,
            @Nullable Access finalAccess) {
        int units() {
            return mips * layers;
        }
    }

    /** A use of a box of units; attachments have a load operation, writes that may overlap a group of 0 or more. */
    record Use(
            int resource,
            int mip,
            int mips,
            int layer,
            int layers,
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
                @Nullable LoadOp attachment) {
            this(resource, mip, mips, layer, layers, access, discard, attachment, -1);
        }

        boolean covers(Res res, int unit) {
            int m = unit % res.mips();
            int l = unit / res.mips();
            return mip <= m && m < mip + mips && layer <= l && l < layer + layers;
        }

        boolean needs() {
            return !discard;
        }
    }

    record Pass(String name, PassKind kind, boolean async, boolean neverCull, List<Use> uses) {}

    GraphModel without(int pass) {
        List<Pass> rest = new ArrayList<>(passes);
        rest.remove(pass);
        return new GraphModel(resources, rest);
    }

    RenderGraph declare() {
        RenderGraph graph = new RenderGraph("random", RdgOptions.defaults());
        List<RdgResource> handles = new ArrayList<>();
        for (Res res : resources) {
            handles.add(declare(graph, res));
        }
        List<OverlapGroup> groups = List.of(graph.overlapGroup("first"), graph.overlapGroup("second"));
        for (Pass pass : passes) {
            PassBuilder builder = graph.addPass(pass.name(), pass.kind());
            if (pass.async()) {
                builder.flag(PassFlag.ASYNC_COMPUTE);
            }
            if (pass.neverCull()) {
                builder.flag(PassFlag.NEVER_CULL);
            }
            for (Use use : pass.uses()) {
                declare(builder, use, handles.get(use.resource()), groups);
            }
            builder.record(context -> {});
        }
        return graph;
    }

    private static RdgResource declare(RenderGraph graph, Res res) {
        if (!res.texture()) {
            long bytes = (long) res.mips() * UNIT_BYTES;
            if (res.lifetime() == Lifetime.EXTERNAL) {
                return graph.registerExternal(FakeResources.buffer(res.name(), bytes));
            }
            RdgBuffer buffer = graph.createBuffer(res.name(), BufferDescription.device(bytes, BufferUsage.STORAGE));
            if (res.lifetime() == Lifetime.EXTRACTED) {
                graph.extract(buffer);
            }
            return buffer;
        }
        Format format = res.depth() ? Format.D32_SFLOAT : Format.R8G8B8A8_UNORM;
        RdgTexture texture = res.lifetime() == Lifetime.EXTERNAL
                ? graph.registerExternal(
                        FakeResources.texture(res.name(), res.mips(), res.layers(), format), res.initial())
                : graph.createTexture(
                        res.name(),
                        TextureDescription.of(1024, 1024, format, TextureUsage.SAMPLED)
                                .withMips(res.mips())
                                .withLayers(res.layers()));
        if (res.finalAccess() != null) {
            if (res.lifetime() == Lifetime.EXTRACTED) {
                graph.extract(texture, res.finalAccess());
            } else if (res.lifetime() == Lifetime.EXTERNAL) {
                graph.finalAccess(texture, res.finalAccess());
            }
        }
        return texture;
    }

    private static void declare(PassBuilder builder, Use use, RdgResource handle, List<OverlapGroup> groups) {
        if (handle instanceof RdgBuffer buffer) {
            long offset = (long) use.mip() * UNIT_BYTES;
            long bytes = (long) use.mips() * UNIT_BYTES;
            if (!use.access().writes()) {
                builder.reads(buffer, offset, bytes, use.access());
            } else if (use.group() >= 0) {
                builder.writes(buffer, offset, bytes, use.access(), groups.get(use.group()));
            } else if (use.discard()) {
                builder.overwrites(buffer, offset, bytes, use.access());
            } else {
                builder.writes(buffer, offset, bytes, use.access());
            }
            return;
        }
        RdgTexture texture = (RdgTexture) handle;
        SubresourceRange range = new SubresourceRange(use.mip(), use.mips(), use.layer(), use.layers(), 0, 1);
        if (use.attachment() != null) {
            if (!texture.description().format().isDepth()) {
                builder.color(texture, use.mip(), use.layer(), use.attachment(), ClearColor.BLACK_TRANSPARENT);
            } else if (use.access().writes()) {
                builder.depth(texture, use.mip(), use.layer(), use.attachment(), 1);
            } else {
                builder.depthReadOnly(texture, use.mip(), use.layer());
            }
        } else if (!use.access().writes()) {
            builder.reads(texture, range, use.access());
        } else if (use.group() >= 0) {
            builder.writes(texture, range, use.access(), groups.get(use.group()));
        } else if (use.discard()) {
            builder.overwrites(texture, range, use.access());
        } else {
            builder.writes(texture, range, use.access());
        }
    }
}
