package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.DeviceEventSet;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.Filter;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.GpuTimeline;
import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.IndexType;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.RenderingFormats;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.StoreOp;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TexelLayout;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureRegion;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TimestampSet;
import io.frameloom.gpu.UploadSlice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ThreadAllocation;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Recording allocates nothing once the pools have grown and the JVM has compiled it, by the JVM's per-thread counter:
 * every kind of command, in thousands. From JDK 25 on LWJGL makes an object of 40 bytes for each call of the driver, which
 * the second of the JVM's compilers leaves out: frames are recorded until one allocates nothing. That compiler takes what is
 * called some thousand times, so no command is recorded once a frame alone: it would keep its object in every frame.
 */
@Timeout(300)
class RecordingAllocationTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int ROUNDS = 200;
    /** Many times what the JVM takes to compile what is recorded. */
    private static final int MOST_FRAMES = 2_000;

    private static final int MOST_FRAMES_OF_FEW_COMMANDS = 200_000;

    /** Of a {@link io.frameloom.gpu.TimelinePoint}: its header, a reference and a number. */
    private static final int BYTES_OF_A_POINT = 24;

    /** How many lists each thread records for a frame. */
    private static final int LISTS = 3;

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

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final ByteBuffer push = ByteBuffer.allocate(16);
    private final ByteBuffer pushWord = ByteBuffer.allocateDirect(4);

    private TaskGraph tasks;
    private GpuDevice device;
    private Scene scene;

    private <T extends AutoCloseable> T own(T thing) {
        owned.push(thing);
        return thing;
    }

    @BeforeEach
    void open() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        tasks = TaskGraph.builder().name("allocation").workers(1).build();
        device = VulkanDevices.open("", new DeviceOptions(tasks, "allocation", false, null));
        scene = new Scene();
    }

    @AfterEach
    void close() throws Exception {
        if (tasks == null) {
            return;
        }
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        device.close();
        tasks.close();
    }

    /** Everything that commands name, made beforehand. */
    private final class Scene {
        private final Buffer source = own(device.createBuffer(
                "source", BufferDescription.device(65_536, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        private final Buffer target = own(device.createBuffer(
                "target",
                BufferDescription.device(
                        65_536,
                        BufferUsage.COPY_DST,
                        BufferUsage.STORAGE,
                        BufferUsage.INDIRECT,
                        BufferUsage.VERTEX,
                        BufferUsage.INDEX)));
        private final TextureDescription shape = TextureDescription.of(
                8,
                8,
                Format.R8G8B8A8_UNORM,
                TextureUsage.COPY_SRC,
                TextureUsage.COPY_DST,
                TextureUsage.SAMPLED,
                TextureUsage.COLOR_ATTACHMENT);
        private final Texture color = own(device.createTexture("color", shape));
        private final Texture other = own(device.createTexture("other", shape));
        private final Texture many = own(device.createTexture("many", shape.withSamples(4)));
        private final Texture integers = own(
                device.createTexture("integers", TextureDescription.of(8, 8, Format.R32_UINT, TextureUsage.STORAGE)));
        private final Texture depth = own(device.createTexture(
                "depth",
                TextureDescription.of(
                        8,
                        8,
                        device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL),
                        TextureUsage.COPY_DST,
                        TextureUsage.DEPTH_ATTACHMENT)));
        private final Sampler sampler = device.sampler(SamplerDescription.LINEAR_CLAMP);
        private final Sampler nearest = device.sampler(SamplerDescription.NEAREST_CLAMP);
        private final TimestampSet stamps = own(device.createTimestampSet("stamps", ROUNDS));
        private final DeviceEventSet events = own(device.createDeviceEventSet("events", ROUNDS));
        private final ComputePipeline compute = own(device.createComputePipeline(new ComputePipelineDescription(
                "compute", new ShaderSource("allocation.comp", ShaderStage.COMPUTE, COMPUTE), null)));
        private final ComputePipeline filling = own(device.createComputePipeline(new ComputePipelineDescription(
                "filling", new ShaderSource("filling.comp", ShaderStage.COMPUTE, FILL), null)));
        private final GraphicsPipeline graphics = own(device.createGraphicsPipeline(new GraphicsPipelineDescription(
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
        private final BindingSet fixed = own(device.createBindingSet(
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
        private final TextureRegion all = TextureRegion.mip(shape, 0);
        private final TexelLayout texels = TexelLayout.tight(0);
        private final SubresourceRange range = SubresourceRange.mip(0);
        private final SubresourceRange stencil = range.plane(1);
        private final RenderingInfo rendering = new RenderingInfo(
                8,
                8,
                List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, ClearColor.BLACK_TRANSPARENT)),
                null);
        private final RenderingInfo executing = rendering.withSecondaries();
        private final RenderingFormats formats = rendering.formats();
        private final BarrierBatch full =
                new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
        private final BarrierBatch attach = new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(
                        color,
                        range,
                        BarrierBatch.GlobalBarrier.FULL.scope(),
                        TextureLayout.UNDEFINED,
                        TextureLayout.COLOR,
                        null)),
                List.of(),
                List.of());
        private final Buffer vertices =
                own(device.createBuffer("vertices", BufferDescription.device(256, BufferUsage.VERTEX)));
        private final List<ResourceUse> uses = List.of();
        private final GpuQueue queue = device.queues().get(0);
    }

    private void record(CommandList list) {
        Scene s = scene;
        for (int i = 0; i < ROUNDS; i++) {
            list.beginPass("pass", s.uses);
            list.beginLabel("label");
            list.insertLabel("mark");
            list.copyBuffer(s.source, 0, s.target, 0, 256);
            list.copyBufferToTexture(s.source, s.texels, s.color, s.all);
            list.copyBufferToTexture(s.source, 0, s.color, 0, 0);
            list.copyTextureToBuffer(s.color, s.all, s.target, s.texels);
            list.copyTextureToBuffer(s.color, 0, 0, s.target, 0);
            list.copyTexture(s.color, s.all, s.other, s.all);
            list.copyTexture(s.color, s.other);
            list.blitTexture(s.color, s.all, s.other, s.all, Filter.LINEAR);
            list.resolveTexture(s.many, s.all, s.other, s.all);
            list.fillBuffer(s.target, 0, 256, i);
            list.updateBuffer(s.target, 0, push);
            list.clearTexture(s.color, s.range, ClearColor.BLACK_TRANSPARENT);
            list.clearDepthStencil(s.depth, s.stencil, 1, 0);
            list.bindPipeline(s.compute);
            // Another range each time: a set of descriptors is written for each dispatch.
            list.bindBuffer("Target", s.target, 256L * (i % 100), 256);
            list.bindStorageTexture("image", s.integers.view());
            list.bindTexture("pair", 0, s.color.view(), s.sampler);
            list.bindTexture("pair", 1, s.other.view(s.range), s.sampler);
            list.bindTexture("alone", 0, s.color.view());
            list.bindTexture("alone", 1, s.other.view(s.range));
            list.bindSampler("how", 0, s.sampler);
            list.bindSampler("how", 1, s.nearest);
            list.pushConstants(pushWord);
            list.dispatch(1, 1, 1);
            list.dispatchIndirect(s.target, 0);
            list.bindPipeline(s.compute);
            list.bindSet(s.fixed);
            list.pushConstants(pushWord);
            list.dispatch(1, 1, 1);
            list.endLabel();
            list.endPass();
            list.barrier(s.full);
            list.beginRendering(s.rendering);
            list.setViewport(0, 0, 8, 8);
            list.setScissor(0, 0, 8, 8);
            list.setStencilReference(i & 255);
            list.setBlendConstants(i, 0, 0, 0);
            list.clearColorAttachment(0, ClearColor.BLACK_TRANSPARENT, 0, 0, 4, 4);
            list.bindPipeline(s.graphics);
            list.bindVertexBuffer(0, s.target, 0);
            list.bindIndexBuffer(s.target, 0, IndexType.UINT16);
            list.pushConstants(push);
            list.draw(3, 1, 0, 0);
            list.drawIndexed(3, 1, 0, 0, 0);
            list.drawIndirect(s.target, 0, 1, 16);
            list.drawIndexedIndirect(s.target, 0, 1, 20);
            list.drawIndirectCount(s.target, 0, s.target, 64, 1, 16);
            list.drawIndexedIndirectCount(s.target, 0, s.target, 64, 1, 20);
            list.endRendering();
            list.writeTimestamp(s.stamps, i);
            list.setEvent(s.events, i, s.full);
            list.waitEvent(s.events, i, s.full);
        }
    }

    @Test
    void uploadMemoryInAKeptSliceMakesNoObjects() {
        FrameContext frame = own(device.createFrameContext("frame"));
        UploadSlice slice = new UploadSlice();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < MOST_FRAMES_OF_FEW_COMMANDS && least > 0; round++) {
            long before = ThreadAllocation.bytes();
            for (int i = 0; i < ROUNDS; i++) {
                frame.allocateUpload(256, 16, slice);
                slice.data().putInt(i);
            }
            frame.reset();
            least = Math.min(least, ThreadAllocation.bytes() - before);
        }
        assertThat(least).isZero();
    }

    @Test
    void aFrameOfThousandsOfCommandsAllocatesNothing() {
        assumeTrue(device.capabilities().limits().drawing().drawIndirectCount(), "no counts from buffers");
        FrameContext frame = own(device.createFrameContext("frame"));
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_FRAMES && least > 0; i++) {
            CommandList list = frame.beginCommands(scene.queue, "list");
            scene.stamps.reset();
            scene.events.reset();
            long before = ThreadAllocation.bytes();
            record(list);
            long bytes = ThreadAllocation.bytes() - before;
            least = Math.min(least, bytes);
            list.end();
            frame.reset();
        }
        assertThat(least).as("bytes for " + ROUNDS + " rounds of every command").isZero();
    }

    /** The threads of a frame with what each of them records, several lists a frame; made and started once. */
    private final class Recorder extends Thread {
        private final FrameContext frame;
        private final CommandList[] parts = new CommandList[1];
        private final List<CommandList> executed = Arrays.asList(parts);
        private final SynchronousQueue<Boolean> turns = new SynchronousQueue<>();
        private final SynchronousQueue<Boolean> done = new SynchronousQueue<>();
        private volatile long bytes;
        private volatile @Nullable Throwable failure;

        private Recorder(FrameContext frame) {
            this.frame = frame;
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                while (turns.take()) {
                    try {
                        long before = ThreadAllocation.bytes();
                        for (int i = 0; i < LISTS; i++) {
                            recordLists(i);
                        }
                        bytes = ThreadAllocation.bytes() - before;
                    } catch (RuntimeException | Error e) {
                        failure = e;
                    }
                    done.put(true);
                }
            } catch (InterruptedException e) {
                failure = e;
            }
        }

        private void recordLists(int number) {
            Scene s = scene;
            CommandList part = frame.beginSecondary(s.queue, "part", s.formats, s.uses);
            part.setViewport(0, 0, 8, 8);
            part.setScissor(0, 0, 8, 8);
            part.bindPipeline(s.graphics);
            part.bindVertexBuffer(0, s.vertices, 0);
            part.pushConstants(push);
            part.draw(3, 1, 0, 0);
            part.end();
            parts[0] = part;
            CommandList list = frame.beginCommands(s.queue, "list");
            list.beginPass("pass", s.uses);
            list.barrier(s.full);
            list.bindPipeline(s.filling);
            list.bindBuffer("Target", s.target, 256L * number, 256);
            list.dispatch(1, 1, 1);
            list.barrier(s.full);
            list.endPass();
            list.barrier(s.attach);
            list.beginRendering(s.executing);
            list.execute(executed);
            list.endRendering();
            list.barrier(s.full);
            list.end();
        }
    }

    @Test
    void listsOfSeveralThreadsAllocateNothing() throws InterruptedException {
        FrameContext frame = own(device.createFrameContext("frame"));
        List<Recorder> recorders = List.of(new Recorder(frame), new Recorder(frame), new Recorder(frame));
        recorders.forEach(Thread::start);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_FRAMES_OF_FEW_COMMANDS && least > 0; i++) {
            for (Recorder recorder : recorders) {
                recorder.turns.put(true);
            }
            long bytes = 0;
            for (Recorder recorder : recorders) {
                recorder.done.take();
                assertThat(recorder.failure).isNull();
                bytes += recorder.bytes;
            }
            long before = ThreadAllocation.bytes();
            frame.reset();
            bytes += ThreadAllocation.bytes() - before;
            least = Math.min(least, bytes);
        }
        for (Recorder recorder : recorders) {
            recorder.turns.put(false);
            recorder.join();
        }
        assertThat(least).as("bytes of a frame on all its threads").isZero();
    }

    /**
     * The record of the submission is the application's. So is the point that is returned; the JVM may leave it out, which
     * depends on what it happens to inline.
     */
    @Test
    void beginningSubmittingWaitingAndRecyclingAllocateNoMoreThanThePoint() {
        FrameContext frame = own(device.createFrameContext("frame"));
        GpuTimeline timeline = scene.queue.timeline();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_FRAMES_OF_FEW_COMMANDS && least > BYTES_OF_A_POINT; i++) {
            long before = ThreadAllocation.bytes();
            CommandList list = frame.beginCommands(scene.queue, "list");
            list.end();
            long ended = ThreadAllocation.bytes() - before;
            Submission submission = new Submission("frame", List.of(list), List.of());
            before = ThreadAllocation.bytes();
            long point = scene.queue.submit(submission).value();
            timeline.await(point, LONG);
            timeline.completed();
            frame.reset();
            least = Math.min(least, ended + ThreadAllocation.bytes() - before);
        }
        assertThat(least).as("bytes to begin, submit, wait and recycle").isLessThanOrEqualTo(BYTES_OF_A_POINT);
    }

    @Test
    void secondaryListsAllocateNothing() {
        FrameContext frame = own(device.createFrameContext("frame"));
        CommandList[] parts = new CommandList[16];
        List<CommandList> all = Arrays.asList(parts);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_FRAMES_OF_FEW_COMMANDS && least > 0; i++) {
            long before = ThreadAllocation.bytes();
            for (int p = 0; p < parts.length; p++) {
                CommandList part = frame.beginSecondary(scene.queue, "part", scene.formats, scene.uses);
                part.setViewport(0, 0, 8, 8);
                part.setScissor(0, 0, 8, 8);
                part.end();
                parts[p] = part;
            }
            CommandList list = frame.beginCommands(scene.queue, "list");
            list.beginRendering(scene.executing);
            list.execute(all);
            list.endRendering();
            list.end();
            frame.reset();
            least = Math.min(least, ThreadAllocation.bytes() - before);
        }
        assertThat(least).as("bytes for 16 lists and their execution").isZero();
    }
}
