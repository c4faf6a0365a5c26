package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is used after it was closed, or recycled, says so by name; on both backends, and under validation on Vulkan. */
@Timeout(60)
class UseAfterCloseContractTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final BufferDescription WORDS = BufferDescription.device(64, BufferUsage.COPY_DST);

    private TaskGraph tasks;
    private final List<GpuDevice> opened = new ArrayList<>();

    @BeforeEach
    void buildTaskGraph() {
        tasks = TaskGraph.builder().name("use after close").workers(1).build();
    }

    @AfterEach
    void closeEverything() {
        try {
            for (GpuDevice device : opened) {
                device.close();
                assertThat(device.validationMessages()).isEmpty();
            }
        } finally {
            tasks.close();
        }
    }

    private GpuDevice open(Backend backend) {
        GpuDevice device = backend.open(new DeviceOptions(tasks, "use after close", false, null));
        opened.add(device);
        return device;
    }

    private static void refused(ThrowingCallable use, String name, String state) {
        assertThatThrownBy(use)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(state);
    }

    private static Submission of(CommandList... lists) {
        return new Submission("late", List.of(lists), List.of());
    }

    private static CommandList ended(FrameContext frame, GpuQueue queue) {
        CommandList list = frame.beginCommands(queue, "list");
        list.end();
        return list;
    }

    private static void finish(GpuQueue queue, TimelinePoint point) {
        assertThat(queue.timeline().await(point.value(), LONG)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aClosedDeviceTakesNothingMore(Backend backend) {
        GpuDevice device = open(backend);
        GpuQueue queue = device.queues().get(0);
        device.close();
        refused(() -> queue.submit(of()), "device", "closed");
        refused(() -> device.createBuffer("late", WORDS), "device", "closed");
        refused(() -> device.createFrameContext("late"), "device", "closed");
        refused(() -> device.createTimestampSet("late", 1), "device", "closed");
        refused(device::waitIdle, "device", "closed");
        refused(device::memoryStatistics, "device", "closed");
        device.close();
    }

    @ParameterizedTest
    @EnumSource
    void theTimelineOfAClosedDeviceStillTellsWhatWasReached(Backend backend) throws Exception {
        GpuDevice device = open(backend);
        GpuQueue queue = device.queues().get(0);
        try (FrameContext frame = device.createFrameContext("frame")) {
            finish(queue, queue.submit(of(ended(frame, queue))));
        }
        long last = queue.submit(of()).value();
        device.close();
        GpuTimeline timeline = queue.timeline();
        assertThat(timeline.submitted()).isEqualTo(last);
        assertThat(timeline.completed()).isEqualTo(last);
        assertThat(timeline.reached(last).await(LONG)).isTrue();
        assertThat(timeline.await(last, Duration.ZERO)).isTrue();
        assertThatThrownBy(() -> timeline.reached(last + 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void whatAnApplicationForgotIsClosedWithTheDevice(Backend backend) {
        GpuDevice device = open(backend);
        GpuQueue queue = device.queues().get(0);
        FrameContext frame = device.createFrameContext("frame");
        TimestampSet stamps = device.createTimestampSet("stamps", 2);
        assertThatThrownBy(device::close).hasMessageContaining("frame").hasMessageContaining("stamps");
        refused(() -> frame.beginCommands(queue, "late"), "'frame'", "closed");
        refused(() -> frame.allocateUpload(16, 16), "'frame'", "closed");
        refused(stamps::reset, "'stamps'", "closed");
        frame.close();
        stamps.close();
    }

    @ParameterizedTest
    @EnumSource
    void aClosedFrameContextGivesNothing(Backend backend) {
        GpuDevice device = open(backend);
        GpuQueue queue = device.queues().get(0);
        FrameContext frame = device.createFrameContext("frame");
        frame.allocateUpload(16, 16);
        frame.close();
        refused(() -> frame.beginCommands(queue, "late"), "'frame'", "closed");
        refused(() -> frame.beginSecondary(queue, "late", null, List.of()), "'frame'", "closed");
        refused(() -> frame.allocateUpload(16, 16), "'frame'", "closed");
        refused(frame::reset, "'frame'", "closed");
        frame.close();
    }

    @ParameterizedTest
    @EnumSource
    void aClosedHeapTakesNothing(Backend backend) {
        GpuDevice device = open(backend);
        MemoryRequirements needs = device.requirements(WORDS);
        MemoryHeap heap = device.createHeap("heap", needs.bytes(), needs.memoryTypes());
        heap.close();
        TextureDescription texture = TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST);
        refused(() -> heap.placeBuffer("late", WORDS, 0), "heap 'heap'", "closed");
        refused(() -> heap.placeTexture("late", texture, 0), "heap 'heap'", "closed");
        heap.close();
    }

    @ParameterizedTest
    @EnumSource
    void aClosedResourceIsRefusedByCommands(Backend backend) {
        GpuDevice device = open(backend);
        GpuQueue queue = device.queues().get(0);
        try (FrameContext frame = device.createFrameContext("frame")) {
            Buffer buffer = device.createBuffer("gone", WORDS);
            TimestampSet stamps = device.createTimestampSet("stamps", 1);
            CommandList list = frame.beginCommands(queue, "list");
            buffer.close();
            stamps.close();
            refused(() -> list.fillBuffer(buffer, 0, 64, 1), "'gone'", "closed");
            refused(() -> list.writeTimestamp(stamps, 0), "'stamps'", "closed");
            list.end();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedTimestampSetIsNeitherResetNorRead(Backend backend) {
        GpuDevice device = open(backend);
        TimestampSet stamps = device.createTimestampSet("stamps", 1);
        stamps.close();
        refused(stamps::reset, "'stamps'", "closed");
        refused(stamps::readNanos, "'stamps'", "closed");
        stamps.close();
    }

    @ParameterizedTest
    @EnumSource
    void formatsOfAClosedDeviceAreNotAskedFor(Backend backend) {
        GpuDevice device = open(backend);
        device.formatSupport(Format.R8G8B8A8_UNORM);
        device.close();
        refused(() -> device.formatSupport(Format.R8G8B8A8_UNORM), "device", "closed");
        refused(() -> device.sampler(SamplerDescription.NEAREST_CLAMP), "device", "closed");
    }

    @ParameterizedTest
    @EnumSource
    void aListThatHadEndedWhenItsContextWasRecycledIsNotSubmitted(Backend backend) {
        GpuDevice device = open(backend);
        GpuQueue queue = device.queues().get(0);
        try (FrameContext frame = device.createFrameContext("frame")) {
            CommandList list = ended(frame, queue);
            CommandList open = frame.beginCommands(queue, "open");
            frame.reset();
            refused(() -> queue.submit(of(list)), "'list'", "recycled");
            refused(open::end, "'open'", "no longer recorded");
        }
        CommandList closed;
        try (FrameContext frame = device.createFrameContext("frame")) {
            closed = ended(frame, queue);
        }
        refused(() -> queue.submit(of(closed)), "'list'", "recycled");
        assertThat(queue.timeline().submitted()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aListThatExecutesWhatWasRecycledIsNotSubmitted(Backend backend) {
        GpuDevice device = open(backend);
        GpuQueue queue = device.queues().get(0);
        try (FrameContext frame = device.createFrameContext("frame");
                FrameContext other = device.createFrameContext("other")) {
            CommandList secondary = other.beginSecondary(queue, "secondary", null, List.of());
            secondary.end();
            CommandList list = frame.beginCommands(queue, "list");
            list.execute(List.of(secondary));
            list.end();
            CommandList unused = other.beginSecondary(queue, "unused", null, List.of());
            unused.end();
            other.reset();
            refused(() -> queue.submit(of(list)), "'list'", "'secondary', which was recycled");
            CommandList next = frame.beginCommands(queue, "next");
            refused(() -> next.execute(List.of(unused)), "'unused'", "recycled");
            next.end();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anythingForgottenIsClosedWithTheDeviceAndSaysSo(Backend backend) {
        GpuDevice device = open(backend);
        MemoryRequirements needs = device.requirements(WORDS);
        MemoryHeap heap = device.createHeap("heap", needs.bytes(), needs.memoryTypes());
        Buffer placed = heap.placeBuffer("placed", WORDS, 0);
        Buffer mapped = device.createBuffer("mapped", BufferDescription.readback(64));
        Texture texture = device.createTexture(
                "texture", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST));
        FrameContext frame = device.createFrameContext("frame");
        frame.allocateUpload(16, 16);
        CommandList list = frame.beginCommands(device.queues().get(0), "list");
        assertThatThrownBy(device::close)
                .isInstanceOf(IllegalStateException.class)
                .satisfies(leak -> assertThat(leak.getMessage())
                        .contains("heap", "placed", "mapped", "texture", "frame")
                        .doesNotContain("upload"))
                .satisfies(leak -> assertThat(leak.getSuppressed()).isEmpty());
        assertThat(List.of(placed.isClosed(), mapped.isClosed(), texture.isClosed()))
                .containsOnly(true);
        refused(mapped::mapped, "'mapped'", "closed");
        refused(() -> heap.placeBuffer("late", WORDS, 0), "heap 'heap'", "closed");
        refused(list::end, "'list'", "no longer recorded");
        for (AutoCloseable forgotten : List.<AutoCloseable>of(placed, heap, mapped, texture, frame)) {
            assertThatCode(forgotten::close).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedDeviceAnswersNoQuestions(Backend backend) {
        GpuDevice device = open(backend);
        TextureDescription texture = TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST);
        device.close();
        refused(() -> device.requirements(WORDS), "device", "closed");
        refused(() -> device.requirements(texture), "device", "closed");
        refused(() -> device.createTexture("late", texture), "device", "closed");
        refused(() -> device.createHeap("late", 64, 1), "device", "closed");
    }
}
