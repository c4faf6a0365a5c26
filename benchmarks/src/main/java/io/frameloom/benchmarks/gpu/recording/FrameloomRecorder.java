package io.frameloom.benchmarks.gpu.recording;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.BindlessTable;
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
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    /** Null on a device without. */
    private final @Nullable BindlessTable table;

    private final @Nullable GraphicsPipeline indexing;

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
        graphics = graphics("graphics", Stream.VERTEX);
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
            push[i] = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        }
        boolean bindless = device.capabilities().has(Capability.DESCRIPTOR_INDEXING);
        table = bindless ? device.createBindlessTable("table") : null;
        indexing = bindless ? graphics("indexing", Stream.BINDLESS_VERTEX) : null;
        if (table != null) {
            table.storageBuffer(source, 0, Stream.RANGE);
            table.storageBuffer(source, Stream.RANGE, Stream.RANGE);
        }
    }

    private GraphicsPipeline graphics(String name, String vertex) {
        return device.createGraphicsPipeline(GraphicsPipelineDescription.of(
                name,
                new ShaderSource("bench.vert", ShaderStage.VERTEX, vertex),
                new ShaderSource("bench.frag", ShaderStage.FRAGMENT, Stream.FRAGMENT),
                Format.R8G8B8A8_UNORM));
    }

    /** Returns whether the device has what {@link Stream#BINDLESS} needs. */
    boolean hasTables() {
        return table != null;
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
            case BINDLESS -> {
                list.beginRendering(rendering);
                list.bindTable(Objects.requireNonNull(table));
                list.bindPipeline(Objects.requireNonNull(indexing));
                for (int i = 0; i < Stream.LENGTH; i++) {
                    list.pushConstants(push[thread].putInt(0, i & 1));
                    list.draw(3, 1, 0, 0);
                }
                list.endRendering();
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
        if (table != null) {
            table.close();
        }
        if (indexing != null) {
            indexing.close();
        }
        graphics.close();
        compute.close();
        color.close();
        target.close();
        source.close();
    }
}
