package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ThreadAllocation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Draws with their push constants and dynamic state leave nothing behind in a list of the virtual device, once the JVM has
 * compiled them, and what is kept for the virtual GPU is small.
 */
class VirtualAllocationTest {
    private static final int DRAWS = 1_000;
    /** Many times what the JVM takes to compile what is recorded. */
    private static final int MOST_FRAMES = 5_000;

    private static final ShaderSource VERTEX = new ShaderSource("allocation.vert", ShaderStage.VERTEX, """
            #version 450
            layout(push_constant) uniform Push { vec4 offset; };
            layout(set = 0, binding = 0) uniform Frame { vec4 origin; };
            void main() { gl_Position = origin + offset; }
            """);

    private static final ShaderSource FRAGMENT = new ShaderSource("allocation.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1); }
            """);

    private final ByteBuffer push = ByteBuffer.allocate(16);

    @Test
    void drawsAllocateNothing() {
        TextureDescription shape = TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT);
        try (TaskGraph tasks = TaskGraph.builder().name("allocation").workers(1).build();
                VirtualDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "allocation", false, null));
                FrameContext context = device.createFrameContext("frame");
                Texture color = device.createTexture("color", shape);
                Buffer frame = device.createBuffer("frame", BufferDescription.device(256, BufferUsage.UNIFORM));
                GraphicsPipeline pipeline = device.createGraphicsPipeline(new GraphicsPipelineDescription(
                        "graphics",
                        VERTEX,
                        FRAGMENT,
                        List.of(),
                        GraphicsPipelineDescription.CullMode.NONE,
                        null,
                        GraphicsPipelineDescription.Blend.NONE,
                        List.of(Format.R8G8B8A8_UNORM),
                        null))) {
            RenderingInfo rendering = new RenderingInfo(
                    8,
                    8,
                    List.of(new RenderingInfo.ColorAttachment(
                            color.view(), LoadOp.CLEAR, StoreOp.STORE, new RenderingInfo.ClearColor(0, 0, 0, 0))),
                    null);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < MOST_FRAMES && least > 0; i++) {
                context.reset();
                CommandList list = context.beginCommands(device.queues().get(0), "list");
                list.beginRendering(rendering);
                list.bindPipeline(pipeline);
                list.bindBuffer("Frame", frame, 0, 16);
                draw(list, 1);
                long before = ThreadAllocation.bytes();
                draw(list, DRAWS);
                least = Math.min(least, ThreadAllocation.bytes() - before);
                list.endRendering();
                list.end();
            }
            assertThat(least).as("bytes of %d draws", DRAWS).isZero();
        }
    }

    private static final String FILL = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { int target[]; };
            layout(set = 1, binding = 0) uniform sampler2D picture;
            layout(push_constant) uniform Push { vec4 amount; };
            void main() { target[0] = int(amount.x + texture(picture, vec2(0)).x); }
            """;

    /** A command and the most bytes that it may keep. */
    private record Cost(String command, long bytes, Consumer<CommandList> recording) {}

    /** Sixteen bytes for the place of a command in its list, which grows, and what it is of. */
    @Test
    void otherCommandsKeepOneSmallObject() {
        TextureDescription shape = TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
        try (TaskGraph tasks = TaskGraph.builder().name("allocation").workers(1).build();
                VirtualDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "allocation", false, null));
                FrameContext context = device.createFrameContext("frame");
                Texture picture = device.createTexture("picture", shape);
                Buffer words = device.createBuffer(
                        "words", BufferDescription.device(256, BufferUsage.STORAGE, BufferUsage.COPY_DST));
                ComputePipeline pipeline = device.createComputePipeline(new ComputePipelineDescription(
                        "fill", new ShaderSource("allocation.comp", ShaderStage.COMPUTE, FILL), null));
                BindingSet target = device.createBindingSet(
                        "target", pipeline, 0, Map.of("Target", new BoundResource.BufferRange(words, 0, 256)));
                BindingSet again = device.createBindingSet(
                        "again", pipeline, 0, Map.of("Target", new BoundResource.BufferRange(words, 0, 128)));
                BindingSet sampled = device.createBindingSet(
                        "sampled",
                        pipeline,
                        1,
                        Map.of(
                                "picture",
                                new BoundResource.SampledTexture(
                                        picture.view(), device.sampler(SamplerDescription.NEAREST_CLAMP))))) {
            List<ResourceUse> uses =
                    List.of(new ResourceUse.OfBuffer(words, 0, 256, Access.STORAGE_READ_WRITE_COMPUTE, true));
            BarrierBatch barrier = new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
            List<Cost> costs = new ArrayList<>();
            costs.add(new Cost("bindSet", 0, list -> {
                list.bindSet(target);
                list.bindSet(again);
            }));
            costs.add(new Cost("barrier", 32, list -> list.barrier(barrier)));
            costs.add(new Cost("pass", 60, list -> {
                list.beginPass("pass", uses);
                list.endPass();
            }));
            costs.add(new Cost("fill", 88, list -> list.fillBuffer(words, 0, 256, 1)));
            costs.add(new Cost("dispatch", 72, list -> list.dispatch(1, 1, 1)));
            costs.add(new Cost("push and dispatch", 104, list -> {
                list.pushConstants(push);
                list.dispatch(1, 1, 1);
            }));
            for (Cost cost : costs) {
                long most = cost.bytes() * DRAWS;
                long least = Long.MAX_VALUE;
                for (int i = 0; i < MOST_FRAMES && least > most; i++) {
                    context.reset();
                    CommandList list = context.beginCommands(device.queues().get(0), "list");
                    list.bindPipeline(pipeline);
                    list.bindSet(target);
                    list.bindSet(sampled);
                    list.pushConstants(push);
                    list.dispatch(1, 1, 1);
                    least = Math.min(least, bytes(list, cost.recording()));
                    list.end();
                }
                assertThat(least)
                        .as("bytes of %d times %s", DRAWS, cost.command())
                        .isLessThanOrEqualTo(most);
            }
        }
    }

    private static long bytes(CommandList list, Consumer<CommandList> command) {
        long before = ThreadAllocation.bytes();
        for (int i = 0; i < DRAWS; i++) {
            command.accept(list);
        }
        return ThreadAllocation.bytes() - before;
    }

    private void draw(CommandList list, int count) {
        for (int i = 0; i < count; i++) {
            list.setViewport(0, 0, 8, 8);
            list.setScissor(0, 0, 8, 8);
            list.pushConstants(push);
            list.draw(3, 1, 0, i);
        }
    }
}
