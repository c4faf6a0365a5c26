package io.frameloom.gpu.record;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.RasterState.FrontFace;
import io.frameloom.gpu.pipeline.RasterState.Topology;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureUsage;
import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Everything that commands name, made beforehand, and a recording of every kind of command. */
final class EveryCommand {
    static final int ROUNDS = 200;

    private static final String FILL = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            void main() { target[0] = 1; }
            """;

    private static final String COMPUTE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            layout(set = 0, binding = 1, r32ui) uniform uimage2D image;
            layout(set = 0, binding = 2) uniform sampler2D pair[2];
            layout(set = 0, binding = 3) uniform texture2D alone[2];
            layout(set = 0, binding = 4) uniform sampler how[2];
            layout(push_constant) uniform Push { int amount; };
            void main() {
                target[0] = amount + int(texture(pair[0], vec2(0)).x + texture(pair[1], vec2(0)).x);
                target[1] = int(texture(sampler2D(alone[0], how[0]), vec2(0)).x);
                target[2] = int(texture(sampler2D(alone[1], how[1]), vec2(0)).x);
                imageStore(image, ivec2(0), uvec4(1));
            }
            """;

    private static final ShaderSource VERTEX = new ShaderSource("allocation.vert", ShaderStage.VERTEX, """
            #version 450
            layout(location = 0) in vec4 position;
            layout(push_constant) uniform Push { vec4 offset; };
            void main() { gl_Position = position + offset; }
            """);

    private static final ShaderSource FRAGMENT = new ShaderSource("allocation.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    final Buffer target;
    final TimestampSet stamps;
    final DeviceEventSet events;
    final QuerySet queries;
    final ComputePipeline filling;
    final GraphicsPipeline graphics;
    final RenderingInfo executing;
    final RenderingFormats formats;
    final BarrierBatch full;
    final BarrierBatch attach;
    final Buffer vertices;
    final List<ResourceUse> uses;
    final GpuQueue queue;
    final ByteBuffer push = ByteBuffer.allocate(16);
    private final Buffer source;
    private final Texture color;
    private final Texture other;
    private final Texture many;
    private final Texture integers;
    private final Texture depth;
    private final Sampler sampler;
    private final Sampler nearest;
    private final ComputePipeline compute;
    private final BindingSet fixed;
    private final TextureRegion all;
    private final TexelLayout texels;
    private final SubresourceRange range;
    private final SubresourceRange stencil;
    private final RenderingInfo rendering;
    private final ByteBuffer pushWord = ByteBuffer.allocateDirect(4);
    private final Deque<AutoCloseable> owned;

    /** @param owned takes what is made, to be closed from the last to the first */
    EveryCommand(GpuDevice device, Deque<AutoCloseable> owned) {
        this.owned = owned;
        source = own(device.createBuffer(
                "source", BufferDescription.device(65_536, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        target = own(device.createBuffer(
                "target",
                BufferDescription.device(
                        65_536,
                        BufferUsage.COPY_DST,
                        BufferUsage.STORAGE,
                        BufferUsage.INDIRECT,
                        BufferUsage.VERTEX,
                        BufferUsage.INDEX)));
        TextureDescription shape = TextureDescription.of(
                8,
                8,
                Format.R8G8B8A8_UNORM,
                TextureUsage.COPY_SRC,
                TextureUsage.COPY_DST,
                TextureUsage.SAMPLED,
                TextureUsage.COLOR_ATTACHMENT);
        color = own(device.createTexture("color", shape));
        other = own(device.createTexture("other", shape));
        many = own(device.createTexture("many", shape.withSamples(4)));
        integers = own(
                device.createTexture("integers", TextureDescription.of(8, 8, Format.R32_UINT, TextureUsage.STORAGE)));
        depth = own(device.createTexture(
                "depth",
                TextureDescription.of(
                        8,
                        8,
                        device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL),
                        TextureUsage.COPY_DST,
                        TextureUsage.DEPTH_ATTACHMENT)));
        sampler = device.sampler(SamplerDescription.LINEAR_CLAMP);
        nearest = device.sampler(SamplerDescription.NEAREST_CLAMP);
        stamps = own(device.createTimestampSet("stamps", ROUNDS));
        queries = own(device.createQuerySet("queries", QueryKind.ANY_SAMPLE, ROUNDS));
        events = own(device.createDeviceEventSet("events", ROUNDS));
        compute = own(device.createComputePipeline(new ComputePipelineDescription(
                "compute", new ShaderSource("allocation.comp", ShaderStage.COMPUTE, COMPUTE), null)));
        filling = own(device.createComputePipeline(new ComputePipelineDescription(
                "filling", new ShaderSource("filling.comp", ShaderStage.COMPUTE, FILL), null)));
        graphics = own(device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "graphics",
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
        fixed = own(device.createBindingSet(
                "fixed",
                compute,
                0,
                Map.of(
                        "Target", new BoundResource.BufferRange(target, 0, 256),
                        "image", new BoundResource.StorageTexture(integers.view()),
                        "pair",
                                new BoundResource.Elements(List.of(
                                        new BoundResource.SampledTexture(color.view(), sampler),
                                        new BoundResource.SampledTexture(other.view(), sampler))),
                        "alone",
                                new BoundResource.Elements(List.of(
                                        new BoundResource.SampledImage(color.view()),
                                        new BoundResource.SampledImage(other.view()))),
                        "how",
                                new BoundResource.Elements(List.of(
                                        new BoundResource.SeparateSampler(sampler),
                                        new BoundResource.SeparateSampler(nearest))))));
        all = TextureRegion.mip(shape, 0);
        texels = TexelLayout.tight(0);
        range = SubresourceRange.mip(0);
        stencil = range.plane(1);
        rendering = new RenderingInfo(
                8,
                8,
                List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                null);
        executing = rendering.withSecondaries();
        formats = rendering.formats();
        full = new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
        attach = new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(
                        color,
                        range,
                        BarrierBatch.GlobalBarrier.FULL.scope(),
                        TextureLayout.UNDEFINED,
                        TextureLayout.COLOR,
                        null)),
                List.of(),
                List.of());
        vertices = own(device.createBuffer("vertices", BufferDescription.device(256, BufferUsage.VERTEX)));
        uses = List.of();
        queue = device.queues().get(0);
    }

    private <T extends AutoCloseable> T own(T thing) {
        owned.push(thing);
        return thing;
    }

    /** Records every kind of command, many times. */
    void record(CommandList list) {
        for (int i = 0; i < ROUNDS; i++) {
            list.beginPass("pass", uses);
            list.beginLabel("label");
            list.insertLabel("mark");
            list.copyBuffer(source, 0, target, 0, 256);
            list.copyBufferToTexture(source, texels, color, all);
            list.copyBufferToTexture(source, 0, color, 0, 0);
            list.copyTextureToBuffer(color, all, target, texels);
            list.copyTextureToBuffer(color, 0, 0, target, 0);
            list.copyTexture(color, all, other, all);
            list.copyTexture(color, other);
            list.blitTexture(color, all, other, all, Filter.LINEAR);
            list.resolveTexture(many, all, other, all);
            list.fillBuffer(target, 0, 256, i);
            list.updateBuffer(target, 0, push);
            list.clearTexture(color, range, ClearColor.BLACK_TRANSPARENT);
            list.clearDepthStencil(depth, stencil, 1, 0);
            list.bindPipeline(compute);
            // Another range each time: a set of descriptors is written for each dispatch.
            list.bindBuffer("Target", target, 256L * (i % 100), 256);
            list.bindStorageTexture("image", integers.view());
            list.bindTexture("pair", 0, color.view(), sampler);
            list.bindTexture("pair", 1, other.view(range), sampler);
            list.bindTexture("alone", 0, color.view());
            list.bindTexture("alone", 1, other.view(range));
            list.bindSampler("how", 0, sampler);
            list.bindSampler("how", 1, nearest);
            list.pushConstants(pushWord);
            list.dispatch(1, 1, 1);
            list.dispatchIndirect(target, 0);
            list.bindPipeline(compute);
            list.bindSet(fixed);
            list.pushConstants(pushWord);
            list.dispatch(1, 1, 1);
            list.endLabel();
            list.endPass();
            list.barrier(full);
            list.beginRendering(rendering);
            list.setViewport(0, 0, 8, 8);
            list.setScissor(0, 0, 8, 8);
            list.setStencilReference(i & 255);
            list.setBlendConstants(i, 0, 0, 0);
            list.setDepthBias(i, 0, 0);
            list.setLineWidth(1);
            list.setCullMode(CullMode.NONE);
            list.setFrontFace(FrontFace.CLOCKWISE);
            list.setTopology(Topology.TRIANGLE_STRIP);
            list.setDepthTest(null);
            list.setStencilTest(null);
            list.clearColorAttachment(0, ClearColor.BLACK_TRANSPARENT, 0, 0, 4, 4);
            list.bindPipeline(graphics);
            list.bindVertexBuffer(0, target, 0);
            list.bindIndexBuffer(target, 0, IndexType.UINT16);
            list.pushConstants(push);
            list.beginQuery(queries, i);
            list.draw(3, 1, 0, 0);
            list.endQuery(queries);
            list.drawIndexed(3, 1, 0, 0, 0);
            list.drawIndirect(target, 0, 1, 16);
            list.drawIndexedIndirect(target, 0, 1, 20);
            list.drawIndirectCount(target, 0, target, 64, 1, 16);
            list.drawIndexedIndirectCount(target, 0, target, 64, 1, 20);
            list.endRendering();
            list.copyQueries(queries, i, 1, target, 0);
            list.writeTimestamp(stamps, i);
            list.setEvent(events, i, full);
            list.waitEvent(events, i, full);
        }
    }
}
