package io.frameloom.gpu.record;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that a list may name, and commands that name it. */
final class MentionScene implements AutoCloseable {
    private static final Format FORMAT = Format.R8G8B8A8_UNORM;

    private static final String FILL = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            void main() { target[gl_GlobalInvocationID.x] = 1; }
            """;
    private static final String SAMPLE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            layout(set = 0, binding = 1) uniform sampler2D picture;
            layout(set = 0, binding = 2, rgba8) uniform image2D image;
            void main() {
                target[0] = int(texture(picture, vec2(0)).x);
                imageStore(image, ivec2(0), vec4(1));
            }
            """;
    private static final ShaderSource VERTEX = new ShaderSource("mentions.vert", ShaderStage.VERTEX, """
            #version 450
            void main() { gl_Position = vec4(gl_VertexIndex, 0, 0, 1); }
            """);
    private static final ShaderSource FRAGMENT = new ShaderSource("mentions.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    final CommandRig rig;
    final Buffer words;
    final Buffer more;
    final TextureDescription shape;
    final Texture color;
    final Texture many;
    final Texture image;
    final ComputePipeline fill;
    final ComputePipeline sample;
    final GraphicsPipeline triangle;
    final BindingSet set;
    final TimestampSet stamps;
    final QuerySet queries;
    final FrameContext uploads;
    final Buffer chunk;

    MentionScene(CommandRig.Backend backend) {
        rig = new CommandRig(backend);
        BufferUsage[] usages = {
            BufferUsage.COPY_DST, BufferUsage.STORAGE, BufferUsage.INDIRECT, BufferUsage.VERTEX, BufferUsage.INDEX
        };
        words = rig.buffer("words", 4096, BufferUsage.COPY_SRC, usages);
        more = rig.buffer("more", 4096, BufferUsage.COPY_SRC, usages);
        shape = TextureDescription.of(
                4,
                4,
                FORMAT,
                TextureUsage.COPY_SRC,
                TextureUsage.COPY_DST,
                TextureUsage.SAMPLED,
                TextureUsage.STORAGE,
                TextureUsage.COLOR_ATTACHMENT);
        color = rig.texture("color", shape);
        image = rig.texture("image", shape);
        many = rig.texture(
                "many",
                TextureDescription.of(4, 4, FORMAT, TextureUsage.COLOR_ATTACHMENT)
                        .withSamples(4));
        fill = rig.compute("fill", FILL, invocation -> {});
        sample = rig.compute("sample", SAMPLE, invocation -> {});
        triangle = rig.own(rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "triangle",
                VERTEX,
                FRAGMENT,
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(FORMAT),
                null)));
        set = rig.own(rig.device.createBindingSet(
                "set", fill, 0, Map.of("Target", new BoundResource.BufferRange(words, 0, 256))));
        queries = rig.own(rig.device.createQuerySet("queries", QueryKind.ANY_SAMPLE, 1));
        stamps = rig.own(rig.device.createTimestampSet("stamps", 1));
        uploads = rig.own(rig.device.createFrameContext("uploads"));
        chunk = uploads.allocateUpload(16, 16).buffer();
    }

    TextureRegion all() {
        return TextureRegion.mip(shape, 0);
    }

    void dispatch(CommandList list, Buffer target) {
        list.bindPipeline(fill);
        list.bindBuffer("Target", target, 0, 256);
        list.dispatch(1, 1, 1);
    }

    void fixed(CommandList list) {
        list.bindPipeline(fill);
        list.bindSet(set);
        list.dispatch(1, 1, 1);
    }

    void sampled(CommandList list) {
        list.bindPipeline(sample);
        list.bindBuffer("Target", words, 0, 256);
        list.bindTexture("picture", color.view(), rig.device.sampler(SamplerDescription.NEAREST_CLAMP));
        list.bindStorageTexture("image", image.view());
        list.dispatch(1, 1, 1);
    }

    RenderingInfo rendering(Texture target, @Nullable Texture resolve) {
        return new RenderingInfo(
                4,
                4,
                List.of(new RenderingInfo.ColorAttachment(
                        target.view(),
                        LoadOp.CLEAR,
                        StoreOp.STORE,
                        RenderingInfo.ClearColor.BLACK_TRANSPARENT,
                        resolve == null ? null : resolve.view())),
                null);
    }

    void draw(CommandList list, Runnable command) {
        list.beginRendering(rendering(color, null));
        list.bindPipeline(triangle);
        command.run();
        list.endRendering();
    }

    @Override
    public void close() {
        rig.close();
    }
}
