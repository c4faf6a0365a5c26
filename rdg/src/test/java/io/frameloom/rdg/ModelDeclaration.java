package io.frameloom.rdg;

import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Declares a model through the public API. */
final class ModelDeclaration {
    private static final int FAKE_EXTENT = 1024;

    private final GraphModel model;
    private final Surroundings surroundings;

    /** Gives the graph what a device has, and bodies. */
    interface Surroundings {
        Texture texture(GraphModel.Res res);

        Buffer buffer(GraphModel.Res res);

        TextureHistory textureHistory(GraphModel.Res res);

        BufferHistory bufferHistory(GraphModel.Res res);

        default int extent() {
            return FAKE_EXTENT;
        }

        default PassBody body(int pass, List<RdgResource> handles) {
            return context -> {};
        }

        /** Returns the body of a pass of the host. */
        default HostBody hostBody(int pass, List<RdgResource> handles) {
            return context -> {};
        }

        /** Takes what a texture becomes that the graph gives away. */
        default void extracted(int resource, TextureExtraction extraction) {}

        /** Takes what a buffer becomes that the graph gives away. */
        default void extracted(int resource, BufferExtraction extraction) {}
    }

    ModelDeclaration(GraphModel model, Surroundings surroundings) {
        this.model = model;
        this.surroundings = surroundings;
    }

    /** Declares the model into an empty graph. */
    RenderGraph declare(RenderGraph graph) {
        List<RdgResource> handles = new ArrayList<>();
        for (GraphModel.Res res : model.resources()) {
            declare(graph, res, handles);
        }
        List<OverlapGroup> groups = List.of(graph.overlapGroup("first"), graph.overlapGroup("second"));
        BooleanSupplier never = () -> false;
        BooleanSupplier always = () -> true;
        List<@Nullable PassBuilder> builders = new ArrayList<>();
        for (GraphModel.Pass pass : model.passes()) {
            builders.add(pass.builtin() ? null : graph.addPass(pass.name(), pass.kind()));
        }
        for (int p = 0; p < model.passes().size(); p++) {
            PassBuilder builder = builders.get(p);
            GraphModel.Pass pass = model.passes().get(p);
            if (builder == null) {
                continue;
            }
            pass.flags().forEach(builder::flag);
            if (pass.queue() >= 0) {
                builder.onQueue(pass.queue());
            }
            for (int earlier : pass.after()) {
                PassBuilder other = builders.get(earlier);
                if (other != null) {
                    builder.after(other);
                }
            }
            for (GraphModel.Use use : pass.uses()) {
                declare(builder, use, handles.get(use.resource()), groups);
            }
            if (pass.condition() != null) {
                builder.onlyIf(pass.condition() ? always : never);
            }
            if (pass.quarter() > 0) {
                int[] area = pass.area(extent(pass, surroundings.extent()));
                builder.renderArea(area[0], area[1], area[2], area[3]);
            }
            if (pass.kind() == PassKind.HOST) {
                builder.run(surroundings.hostBody(p, handles));
                continue;
            }
            PassBody body = surroundings.body(p, handles);
            if (pass.parts() == 0) {
                builder.record(body);
            } else {
                builder.recordParts(pass.parts(), (context, part) -> {
                    if (part == pass.parts() - 1) {
                        body.record(context);
                    }
                });
            }
        }
        return graph;
    }

    private static int extent(GraphModel.Pass pass, int extent) {
        for (GraphModel.Use use : pass.uses()) {
            if (use.attachment() != null) {
                return extent >> use.mip();
            }
        }
        throw new IllegalArgumentException(pass + " has a render area but no targets");
    }

    private void declare(RenderGraph graph, GraphModel.Res res, List<RdgResource> handles) {
        if (res.role() == GraphModel.Role.CURRENT) {
            return;
        }
        if (res.role() == GraphModel.Role.PREVIOUS && res.texture()) {
            TextureHistory.Frame frame =
                    graph.history(surroundings.textureHistory(res), texture(res, surroundings.extent()));
            handles.add(frame.previous());
            handles.add(frame.current());
            return;
        }
        if (res.role() == GraphModel.Role.PREVIOUS) {
            BufferHistory.Frame frame = graph.history(surroundings.bufferHistory(res), buffer(res));
            handles.add(frame.previous());
            handles.add(frame.current());
            return;
        }
        handles.add(res.texture() ? texture(graph, res) : buffer(graph, res));
    }

    private RdgBuffer buffer(RenderGraph graph, GraphModel.Res res) {
        if (res.role() == GraphModel.Role.PASSTHROUGH) {
            return graph.registerPassthrough(surroundings.buffer(res));
        }
        if (res.lifetime() == Lifetime.EXTERNAL) {
            return graph.registerExternal(surroundings.buffer(res));
        }
        RdgBuffer buffer = graph.createBuffer(res.name(), buffer(res));
        if (res.lifetime() == Lifetime.EXTRACTED) {
            surroundings.extracted(buffer.index(), graph.extract(buffer));
        }
        return buffer;
    }

    private RdgTexture texture(RenderGraph graph, GraphModel.Res res) {
        if (res.role() == GraphModel.Role.PASSTHROUGH) {
            return graph.registerPassthrough(surroundings.texture(res), res.initial());
        }
        RdgTexture texture = res.lifetime() == Lifetime.EXTERNAL
                ? graph.registerExternal(surroundings.texture(res), res.initial())
                : graph.createTexture(res.name(), texture(res, surroundings.extent()));
        if (res.finalAccess() != null) {
            if (res.lifetime() == Lifetime.EXTRACTED) {
                surroundings.extracted(texture.index(), graph.extract(texture, res.finalAccess()));
            } else if (res.lifetime() == Lifetime.EXTERNAL) {
                graph.finalAccess(texture, res.finalAccess());
            }
        }
        return texture;
    }

    /** Returns the shape of a texture; the graph completes the usage of those that it makes. */
    static TextureDescription texture(GraphModel.Res res, int extent) {
        EnumSet<TextureUsage> usage = EnumSet.of(TextureUsage.SAMPLED, TextureUsage.COPY_SRC);
        if (res.lifetime() == Lifetime.EXTERNAL) {
            usage.add(TextureUsage.COPY_DST);
            usage.addAll(
                    res.depth()
                            ? EnumSet.of(TextureUsage.DEPTH_ATTACHMENT)
                            : EnumSet.of(TextureUsage.COLOR_ATTACHMENT, TextureUsage.STORAGE));
        }
        if (res.samples() > 1) {
            return TextureDescription.of(extent, extent, res.format(), TextureUsage.COLOR_ATTACHMENT)
                    .withSamples(res.samples())
                    .withSharing(res.sharing());
        }
        return new TextureDescription(extent, extent, res.mips(), res.layers(), res.format(), usage)
                .withSharing(res.sharing());
    }

    /** Returns the shape of a buffer; the graph completes the usage of those that it makes. */
    static BufferDescription buffer(GraphModel.Res res) {
        EnumSet<BufferUsage> usage = EnumSet.of(BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
        if (res.memory() == MemoryUsage.DEVICE) {
            usage.add(BufferUsage.STORAGE);
        }
        if (res.lifetime() == Lifetime.EXTERNAL) {
            usage.addAll(EnumSet.of(BufferUsage.UNIFORM, BufferUsage.VERTEX, BufferUsage.INDIRECT));
        }
        return new BufferDescription(res.bytes(), usage, res.memory(), res.sharing());
    }

    private static void declare(
            PassBuilder builder, GraphModel.Use use, RdgResource handle, List<OverlapGroup> groups) {
        if (handle instanceof RdgBuffer buffer) {
            long offset = (long) use.mip() * GraphModel.UNIT_BYTES;
            long bytes = (long) use.mips() * GraphModel.UNIT_BYTES;
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
        SubresourceRange range = use.range();
        if (use.isResolve()) {
            builder.resolve(texture.view(range));
        } else if (use.attachment() != null) {
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
