package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is closed while the device is at work on it is refused at once and destroyed later; on both backends. */
class CloseInUseContractTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int BYTES = 8 << 20;
    private static final int COPIES = 40;
    private static final BufferDescription WORDS =
            BufferDescription.device(BYTES, BufferUsage.COPY_SRC, BufferUsage.COPY_DST, BufferUsage.STORAGE);
    private static final BarrierBatch FULL =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
    private static final ShaderSource SHADER = new ShaderSource("touch", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) buffer Words { uint words[]; };
            layout(set = 1, binding = 0) buffer Others { uint others[]; };
            void main() { if (words[0] == 1u) { others[gl_GlobalInvocationID.x] = 1u; } }
            """);

    private TaskGraph tasks;
    private @Nullable GpuDevice opened;
    private final List<AutoCloseable> owned = new ArrayList<>();

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("close in use").workers(1).build();
    }

    @AfterEach
    void closeEverything() throws Exception {
        try {
            for (int i = owned.size() - 1; i >= 0; i--) {
                owned.get(i).close();
            }
            if (opened != null) {
                opened.close();
                assertThat(opened.validationMessages()).isEmpty();
            }
        } finally {
            tasks.close();
        }
    }

    private GpuDevice open(Backend backend) {
        GpuDevice device = backend.open(new DeviceOptions(tasks, "close in use", false, null));
        opened = device;
        return device;
    }

    private <T extends AutoCloseable> T own(T thing) {
        owned.add(thing);
        return thing;
    }

    /** Fills {@code first}, copies to and fro for a while, and reads {@code second} back. */
    private static TimelinePoint submitLongWork(
            GpuDevice device, FrameContext frame, Buffer first, Buffer second, Buffer readback) {
        GpuQueue queue = device.queues().get(0);
        CommandList list = frame.beginCommands(queue, "long");
        list.fillBuffer(first, 0, BYTES, 7);
        for (int i = 0; i < COPIES; i++) {
            list.barrier(FULL);
            list.copyBuffer(i % 2 == 0 ? first : second, 0, i % 2 == 0 ? second : first, 0, BYTES);
        }
        list.barrier(FULL);
        list.copyBuffer(second, 0, readback, 0, readback.description().bytes());
        list.barrier(FULL);
        list.end();
        return queue.submit(new Submission("long", List.of(list), List.of()));
    }

    private static void finish(TimelinePoint point) {
        assertThat(point.queue().timeline().await(point.value(), LONG)).isTrue();
    }

    private static void assertFilled(Buffer readback) {
        ByteBuffer data = readback.mapped();
        for (int i = 0; i < data.capacity(); i += 4) {
            assertThat(data.getInt(i)).isEqualTo(7);
        }
    }

    private static List<String> names(GpuDevice device) {
        return device.memoryStatistics().allocations().stream()
                .map(MemoryStatistics.Allocation::name)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void buffersInUseAreFreedWhenTheDeviceIsThroughWithThem(Backend backend) {
        GpuDevice device = open(backend);
        FrameContext frame = own(device.createFrameContext("frame"));
        Buffer readback = own(device.createBuffer("readback", BufferDescription.readback(4096)));
        for (int round = 0; round < 5; round++) {
            Buffer first = device.createBuffer("ping", WORDS);
            Buffer second = device.createBuffer("pong", WORDS);
            TimelinePoint done = submitLongWork(device, frame, first, second, readback);
            first.close();
            second.close();
            assertThat(first.isClosed()).isTrue();
            CommandList late = frame.beginCommands(device.queues().get(0), "late");
            assertThatThrownBy(() -> late.fillBuffer(first, 0, 4, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'ping'")
                    .hasMessageContaining("closed");
            late.end();
            finish(done);
            assertFilled(readback);
            assertThat(names(device)).doesNotContain("ping", "pong");
            frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource
    void placedBuffersInUseKeepTheirHeap(Backend backend) {
        GpuDevice device = open(backend);
        FrameContext frame = own(device.createFrameContext("frame"));
        Buffer readback = own(device.createBuffer("readback", BufferDescription.readback(4096)));
        MemoryRequirements needs = device.requirements(WORDS);
        for (int round = 0; round < 5; round++) {
            MemoryHeap heap = device.createHeap("heap", 2 * needs.bytes(), needs.memoryTypes());
            Buffer first = heap.placeBuffer("ping", WORDS, 0);
            Buffer second = heap.placeBuffer("pong", WORDS, needs.bytes());
            TimelinePoint done = submitLongWork(device, frame, first, second, readback);
            first.close();
            second.close();
            heap.close();
            finish(done);
            assertFilled(readback);
            assertThat(names(device)).doesNotContain("heap");
            frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource
    void pipelinesSetsViewsAndTimestampsInUse(Backend backend) {
        GpuDevice device = open(backend);
        FrameContext frame = own(device.createFrameContext("frame"));
        GpuQueue queue = device.queues().get(0);
        Buffer words = own(device.createBuffer("words", WORDS));
        Buffer others = own(device.createBuffer("others", WORDS));
        for (int round = 0; round < 3; round++) {
            ComputePipeline pipeline =
                    device.createComputePipeline(new ComputePipelineDescription("touch", SHADER, null));
            BindingSet set = device.createBindingSet(
                    "set", pipeline, 0, Map.of("Words", new BoundResource.BufferRange(words, 0, BYTES)));
            Texture texture = device.createTexture(
                    "texture", TextureDescription.of(512, 512, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
            TimestampSet stamps = device.createTimestampSet("stamps", 1);
            CommandList list = frame.beginCommands(queue, "dispatches");
            list.writeTimestamp(stamps, 0);
            list.barrier(new BarrierBatch(
                    List.of(new BarrierBatch.TextureBarrier(
                            texture,
                            SubresourceRange.all(texture.description()),
                            BarrierBatch.GlobalBarrier.FULL.scope(),
                            TextureLayout.UNDEFINED,
                            TextureLayout.COLOR,
                            null)),
                    List.of(),
                    List.of()));
            list.fillBuffer(words, 0, BYTES, 0);
            list.barrier(FULL);
            for (int i = 0; i < 20; i++) {
                list.bindPipeline(pipeline);
                list.bindSet(set);
                list.bindBuffer("Others", others, 0, BYTES);
                list.dispatch(4096, 1, 1);
                list.barrier(FULL);
            }
            list.beginRendering(new RenderingInfo(
                    512,
                    512,
                    List.of(new RenderingInfo.ColorAttachment(
                            texture.view(), LoadOp.CLEAR, StoreOp.STORE, RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                    null));
            list.endRendering();
            list.end();
            TimelinePoint done = queue.submit(new Submission("dispatches", List.of(list), List.of()));
            set.close();
            pipeline.close();
            texture.close();
            stamps.close();
            finish(done);
            assertThat(names(device)).doesNotContain("texture");
            frame.reset();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDeviceDestroysWhatWasClosedInUse(Backend backend) {
        GpuDevice device = open(backend);
        FrameContext frame = device.createFrameContext("frame");
        Buffer readback = device.createBuffer("readback", BufferDescription.readback(4096));
        Buffer first = device.createBuffer("ping", WORDS);
        Buffer second = device.createBuffer("pong", WORDS);
        submitLongWork(device, frame, first, second, readback);
        first.close();
        second.close();
        readback.close();
        assertThatThrownBy(device::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("frame")
                .hasMessageNotContainingAny("ping", "pong", "readback");
    }
}
