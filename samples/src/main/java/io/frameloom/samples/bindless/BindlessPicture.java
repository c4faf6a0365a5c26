package io.frameloom.samples.bindless;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BlockLayout;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** The head of a sunflower: each seed is a quad with a texture that only it has, found by its number. */
final class BindlessPicture implements AutoCloseable {
    static final int SIZE = 512;
    static final int QUADS = 1_000;
    private static final int TEXELS = 8;
    private static final int SEED_BYTES = 4 * TEXELS * TEXELS;
    private static final double GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

    private static final String VERTEX = """
            #version 450
            #extension GL_EXT_nonuniform_qualifier : require
            struct Quad { vec2 at; float angle; float size; uint texture_; };
            layout(set = 0, binding = 3) readonly buffer Quads { Quad quads[]; } buffers[];
            layout(push_constant) uniform Numbers { uint quads; uint edge; };
            layout(location = 0) out vec2 uv;
            layout(location = 1) flat out uint texture_;
            void main() {
                Quad quad = buffers[quads].quads[gl_InstanceIndex];
                uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
                vec2 corner = (uv - 0.5) * quad.size;
                float c = cos(quad.angle), s = sin(quad.angle);
                gl_Position = vec4(quad.at + mat2(c, s, -s, c) * corner, 0, 1);
                texture_ = quad.texture_;
            }
            """;

    private static final String FRAGMENT = """
            #version 450
            #extension GL_EXT_nonuniform_qualifier : require
            layout(set = 0, binding = 0) uniform texture2D textures[];
            layout(set = 0, binding = 1) uniform sampler samplers[];
            layout(push_constant) uniform Numbers { uint quads; uint edge; };
            layout(location = 0) in vec2 uv;
            layout(location = 1) flat in uint texture_;
            layout(location = 0) out vec4 color;
            void main() { color = texture(sampler2D(textures[nonuniformEXT(texture_)], samplers[edge]), uv); }
            """;

    private final GpuDevice device;
    private final FrameExecutor executor;
    private final BindlessTable table;
    private final RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
    /** Closes what the picture has, the last that was made first. */
    private final Deque<Runnable> owned = new ArrayDeque<>();

    BindlessPicture(GpuDevice device, TaskGraph tasks) {
        this.device = device;
        executor = own(new FrameExecutor(device, tasks), FrameExecutor::close);
        table = device.createBindlessTable("seeds");
    }

    private <T> T own(T object, Consumer<T> close) {
        owned.push(() -> close.accept(object));
        return object;
    }

    /** Draws the picture; returns its texels, red first. */
    ByteBuffer draw() {
        BlockLayout quad = BlockLayout.std430();
        BlockLayout.Member at = quad.vector(2);
        BlockLayout.Member angle = quad.word();
        BlockLayout.Member size = quad.word();
        BlockLayout.Member texture = quad.word();
        Buffer quads = own(
                device.createBuffer(
                        "quads", BufferDescription.upload((long) QUADS * quad.bytes(), BufferUsage.STORAGE)),
                Buffer::close);
        Buffer arguments = own(
                device.createBuffer("arguments", BufferDescription.upload(16, BufferUsage.INDIRECT)), Buffer::close);
        arguments.mapped().asIntBuffer().put(new int[] {4, QUADS, 0, 0});
        RenderGraph filling = new RenderGraph("fill");
        PassBuilder fill = filling.addPass("fill", PassKind.COPY);
        List<RdgTexture> seeds = new ArrayList<>();
        for (int i = 0; i < QUADS; i++) {
            Texture seed = own(
                    device.createTexture(
                            "seed " + i,
                            TextureDescription.of(
                                    TEXELS,
                                    TEXELS,
                                    Format.R8G8B8A8_UNORM,
                                    TextureUsage.SAMPLED,
                                    TextureUsage.COPY_DST)),
                    Texture::close);
            RdgTexture filled = filling.registerExternal(seed, TextureLayout.UNDEFINED);
            seeds.add(filled);
            fill.overwrites(filled, Access.COPY_DST);
            filling.finalAccess(filled, Access.SAMPLED_FRAGMENT);
            double far = 0.95 * Math.sqrt((i + 0.5) / QUADS);
            quads.mapped()
                    .putFloat(at.at(i, 0), (float) (far * Math.cos(i * GOLDEN_ANGLE)))
                    .putFloat(at.at(i, 1), (float) (far * Math.sin(i * GOLDEN_ANGLE)))
                    .putFloat(angle.at(i), (float) (i * GOLDEN_ANGLE))
                    .putFloat(size.at(i), 0.025f + 0.025f * (float) far)
                    .putInt(texture.at(i), table.sampledTexture(seed.view()).index());
        }
        fill.record(context -> {
            BufferSlice texels = context.upload((long) QUADS * SEED_BYTES, 4);
            for (int i = 0; i < QUADS; i++) {
                texels.data().put(i * SEED_BYTES, texels(i));
                long offset = texels.offset() + (long) i * SEED_BYTES;
                context.commands().copyBufferToTexture(texels.buffer(), offset, context.texture(seeds.get(i)), 0, 0);
            }
        });
        run(filling);

        ByteBuffer numbers = ByteBuffer.allocateDirect(8)
                .order(ByteOrder.nativeOrder())
                .putInt(table.storageBuffer(quads, 0, quads.description().bytes())
                        .index())
                .putInt(table.sampler(device.sampler(SamplerDescription.NEAREST_CLAMP))
                        .index())
                .flip();
        GraphicsPipeline pipeline = own(
                device.createGraphicsPipeline(GraphicsPipelineDescription.of(
                                "seeds",
                                new ShaderSource("seeds.vert", ShaderStage.VERTEX, VERTEX),
                                new ShaderSource("seeds.frag", ShaderStage.FRAGMENT, FRAGMENT),
                                Format.R8G8B8A8_UNORM)
                        .withRaster(RasterState.TRIANGLES.with(RasterState.Topology.TRIANGLE_STRIP))),
                GraphicsPipeline::close);
        RenderGraph graph = new RenderGraph("draw");
        RdgTexture picture = graph.createTexture("picture", TextureDescription.of(SIZE, SIZE, Format.R8G8B8A8_UNORM));
        graph.addPass("seeds", PassKind.RASTER)
                .readsTable(table)
                .color(picture, LoadOp.CLEAR, new ClearColor(0.05f, 0.06f, 0.08f, 1))
                .record(context -> {
                    context.commands().bindPipeline(pipeline);
                    context.commands().pushConstants(numbers);
                    context.commands().drawIndirect(arguments, 0, 1, 16);
                });
        RdgReadback texels = ReadbackPasses.texture(graph, picture);
        run(graph);
        return texels.bytes().join();
    }

    private void run(RenderGraph graph) {
        executor.execute(compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device)))
                .completed()
                .await();
    }

    /** A ring around a dot, in colours that no other seed has. */
    private static byte[] texels(int seed) {
        byte[] texels = new byte[SEED_BYTES];
        double hue = 2 * Math.PI * seed / QUADS;
        for (int i = 0; i < TEXELS * TEXELS; i++) {
            int x = Math.min(i % TEXELS, TEXELS - 1 - i % TEXELS);
            int y = Math.min(i / TEXELS, TEXELS - 1 - i / TEXELS);
            double light = Math.min(x, y) == seed % 3 ? 0.35 : 1;
            for (int channel = 0; channel < 3; channel++) {
                double shade = 0.55 + 0.45 * Math.cos(hue - channel * 2 * Math.PI / 3);
                texels[4 * i + channel] = (byte) (255 * light * shade);
            }
            texels[4 * i + 3] = (byte) 255;
        }
        return texels;
    }

    @Override
    public void close() {
        device.waitIdle();
        // Its slots are closed before what they have.
        table.close();
        while (!owned.isEmpty()) {
            owned.pop().run();
        }
    }
}
