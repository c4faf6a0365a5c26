package io.frameloom.gpu.record;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A device, and everything that bad commands are made of. */
final class BadCommandScene implements AutoCloseable {
    static final String WRITE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            layout(set = 0, binding = 1, rgba8) uniform writeonly image2D image;
            layout(set = 0, binding = 2) uniform sampler2D pair[2];
            void main() { target[0] = int(texture(pair[1], vec2(0)).x); imageStore(image, ivec2(0), vec4(1)); }
            """;

    private static final ShaderSource VERTEX = new ShaderSource("bad.vert", ShaderStage.VERTEX, """
            #version 450
            layout(location = 0) in vec4 position;
            void main() { gl_Position = position; }
            """);

    private static final ShaderSource FRAGMENT = new ShaderSource("bad.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    final CommandRig rig;
    final CommandRig other;
    final Buffer source;
    final Buffer target;
    final Buffer plain;
    final Buffer foreign;
    final Buffer closed;
    final Texture color;
    final Texture array;
    final Texture integers;
    final Texture depth;
    final Texture many;
    final Texture onlySampled;
    final Texture floats;
    final ComputePipeline compute;
    final GraphicsPipeline graphics;
    final Backend backend;

    BadCommandScene(Backend backend) {
        this.backend = backend;
        rig = new CommandRig(backend, backend == Backend.VULKAN && CommandRig.layerInstalled());
        other = new CommandRig(Backend.VIRTUAL);
        source = rig.buffer("source", 256, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
        target = rig.buffer(
                "target",
                256,
                BufferUsage.COPY_DST,
                BufferUsage.INDIRECT,
                BufferUsage.STORAGE,
                BufferUsage.INDEX,
                BufferUsage.VERTEX);
        plain = rig.buffer("plain", 256, BufferUsage.UNIFORM);
        foreign = other.buffer("foreign", 256, BufferUsage.COPY_SRC);
        closed = rig.buffer("closed", 256, BufferUsage.COPY_SRC);
        closed.close();
        TextureUsage[] copies = {TextureUsage.COPY_DST, TextureUsage.COLOR_ATTACHMENT};
        color = rig.texture("color", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, copies));
        array = rig.texture("array", color.description().withLayers(3).withMips(2));
        integers = rig.texture("integers", TextureDescription.of(8, 8, Format.R32_UINT, TextureUsage.COPY_SRC, copies));
        depth = rig.texture(
                "depth",
                TextureDescription.of(
                        8,
                        8,
                        rig.device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL),
                        TextureUsage.COPY_SRC,
                        TextureUsage.COPY_DST,
                        TextureUsage.DEPTH_ATTACHMENT));
        many = rig.texture("many", color.description().withSamples(4));
        onlySampled =
                rig.texture("only sampled", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
        floats = rig.texture("floats", TextureDescription.of(8, 8, Format.R32_SFLOAT, TextureUsage.STORAGE));
        compute = rig.compute("write", WRITE, invocation -> {});
        graphics = rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "triangles",
                VERTEX,
                FRAGMENT,
                List.of(new GraphicsPipelineDescription.VertexBuffer(
                        16,
                        false,
                        List.of(new GraphicsPipelineDescription.VertexAttribute(0, Format.R32G32B32A32_SFLOAT, 0)))),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null)));
    }

    RenderingInfo rendering(Texture texture) {
        return new RenderingInfo(
                8,
                8,
                List.of(new ColorAttachment(
                        texture.view(), LoadOp.DONT_CARE, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                null);
    }

    TextureRegion all() {
        return TextureRegion.mip(color.description(), 0);
    }

    @Override
    public void close() {
        rig.close();
        other.close();
    }

    void draws(CommandList list) {
        list.beginRendering(rendering(color));
        list.bindPipeline(graphics);
        list.bindVertexBuffer(0, target, 0);
    }

    void computes(CommandList list) {
        list.bindPipeline(compute);
        list.bindBuffer("Target", target, 0, 256);
    }

    static ColorAttachment attachment(Texture texture, @Nullable Texture resolve) {
        return new ColorAttachment(
                texture.view(),
                LoadOp.DONT_CARE,
                StoreOp.STORE,
                ClearColor.BLACK_TRANSPARENT,
                resolve == null ? null : resolve.view());
    }
}
