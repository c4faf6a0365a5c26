package io.frameloom.benchmarks.gpu.recording;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.nio.ByteBuffer;
import java.util.List;

/** Records through Frameloom, with all of its checks. */
final class FrameloomRecorder implements Recorder {
    private final GpuDevice device;
    private final Buffer source;
    private final Buffer target;
    private final Texture color;
    private final ComputePipeline compute;
    private final GraphicsPipeline graphics;
    private final ShaderSlot computed;
    private final ShaderSlot drawn;
    private final FrameContext frame;
    private final RenderingInfo rendering;
    private final ByteBuffer[] push;

    FrameloomRecorder(GpuDevice device, int threads) {
        this.device = device;
        source = device.createBuffer(
                "source", BufferDescription.device(2 * Stream.RANGE, BufferUsage.COPY_SRC, BufferUsage.STORAGE));
        target = device.createBuffer("target", BufferDescription.device(2 * Stream.RANGE, BufferUsage.COPY_DST));
        color = device.createTexture(
                "color",
                TextureDescription.of(
                        Stream.EXTENT, Stream.EXTENT, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
        compute = device.createComputePipeline(new ComputePipelineDescription(
                "compute", new ShaderSource("bench.comp", ShaderStage.COMPUTE, Stream.COMPUTE), null));
        graphics = device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "graphics",
                new ShaderSource("bench.vert", ShaderStage.VERTEX, Stream.VERTEX),
                new ShaderSource("bench.frag", ShaderStage.FRAGMENT, Stream.FRAGMENT),
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null));
        computed = compute.slot("Data");
        drawn = graphics.slot("Data");
        rendering = new RenderingInfo(
                Stream.EXTENT,
                Stream.EXTENT,
                List.of(new RenderingInfo.ColorAttachment(
                        color.view(), LoadOp.CLEAR, StoreOp.STORE, RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                null);
        frame = device.createFrameContext("bench");
        push = new ByteBuffer[threads];
        for (int i = 0; i < threads; i++) {
            push[i] = ByteBuffer.allocateDirect(16);
        }
    }

    @Override
    public String name() {
        return "frameloom";
    }

    @Override
    public void record(Stream stream, int thread) {
        CommandList list = frame.beginCommands(device.queues().get(0), "bench");
        switch (stream) {
            case DRAW -> {
                list.beginRendering(rendering);
                list.bindPipeline(graphics);
                for (int i = 0; i < Stream.LENGTH; i++) {
                    list.pushConstants(push[thread]);
                    list.bindBuffer(drawn, source, (i & 1) * Stream.RANGE, Stream.RANGE);
                    list.draw(3, 1, 0, 0);
                }
                list.endRendering();
            }
            case DISPATCH -> {
                list.bindPipeline(compute);
                for (int i = 0; i < Stream.LENGTH; i++) {
                    list.pushConstants(push[thread]);
                    list.bindBuffer(computed, source, (i & 1) * Stream.RANGE, Stream.RANGE);
                    list.dispatch(1, 1, 1);
                }
            }
            case COPY -> {
                for (int i = 0; i < Stream.LENGTH; i++) {
                    int offset = (i & 1) * Stream.RANGE;
                    list.copyBuffer(source, offset, target, offset, Stream.RANGE);
                }
            }
        }
        list.end();
    }

    @Override
    public void reset() {
        frame.reset();
    }

    @Override
    public void close() {
        frame.close();
        graphics.close();
        compute.close();
        color.close();
        target.close();
        source.close();
    }
}
