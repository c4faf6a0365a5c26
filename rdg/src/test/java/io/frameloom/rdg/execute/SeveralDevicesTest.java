package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import io.frameloom.testing.ChromeTrace;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two devices, each with an executor, under one task graph: what they share, and what tells them apart. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeveralDevicesTest {
    private static final List<String> EVENTS =
            List.of("frameloom.rdg.Frame", "frameloom.rdg.Submission", "frameloom.rdg.RecordGroup");
    private static final ShaderSource DOUBLE = new ShaderSource("double.comp", ShaderStage.COMPUTE, """
            #version 460
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0, std430) buffer Words { uint words[]; };
            void main() {
                words[gl_GlobalInvocationID.x] *= 2;
            }
            """);

    private static RenderGraph graph(String name, Runnable body) {
        RenderGraph graph = new RenderGraph(name);
        RdgBuffer buffer = graph.createBuffer("buffer", FakeRig.BUFFER);
        graph.addPass("fill", PassKind.COPY)
                .overwrites(buffer, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {
                    body.run();
                    context.commands().fillBuffer(context.buffer(buffer), 0, 1024, 7);
                });
        graph.addPass("rest", PassKind.COPY)
                .writes(buffer, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> context.commands().fillBuffer(context.buffer(buffer), 0, 1024, 8));
        return graph;
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception alone) {
            throw new IllegalStateException("the other device does not record meanwhile", alone);
        }
    }

    /** Each pass is recorded only while one of the other device is: the executors use the same workers. */
    @Test
    void framesOfBothAreRecordedAtOnceByTheSameWorkers() {
        try (TwoDevices two = TwoDevices.Pair.VIRTUAL.open()) {
            CyclicBarrier barrier = new CyclicBarrier(2);
            for (int frame = 0; frame < 8; frame++) {
                FrameHandle first = two.first.execute(two.compileFirst(graph("first", () -> meet(barrier))));
                FrameHandle second = two.second.execute(two.compileSecond(graph("second", () -> meet(barrier))));
                assertThat(first.frame()).isEqualTo(frame);
                assertThat(second.frame()).isEqualTo(frame);
            }
            two.first.close();
            two.second.close();
            two.assertClean();
        }
    }

    @Test
    void oneIsClosedWhileTheOtherHasFramesUnderWay() {
        try (TwoDevices two = TwoDevices.Pair.VIRTUAL.open()) {
            GraphEvent held = two.tasks.event("held");
            FrameHandle under = two.first.execute(two.compileFirst(graph("held", held::await)));
            two.second.execute(two.compileSecond(graph("second", () -> {})));
            two.second.close();
            two.crossing.close();
            two.secondDevice.close();
            assertThat(under.completed().isComplete()).isFalse();
            held.trigger();
            under.completed().await();
            two.first
                    .execute(two.compileFirst(graph("next", () -> {})))
                    .completed()
                    .await();
        }
    }

    @Test
    void bothMaySubmitOnOneThread() {
        try (TwoDevices two = TwoDevices.Pair.VIRTUAL.open();
                GpuDevice third = TwoDevices.virtual(2, 9).apply(DeviceOptions.of(two.tasks, "third"));
                FrameExecutor executor = new FrameExecutor(third, two.tasks)) {
            for (int frame = 0; frame < 4; frame++) {
                two.first.execute(two.compileFirst(graph("first", () -> {})));
                executor.run(graph("third", () -> {}));
            }
        }
    }

    @Test
    void tracesAndFlightRecordingsTellThemApart(@TempDir Path folder) throws IOException {
        TraceRecorder recorder = new TraceRecorder();
        FrameExecutorOptions options = FrameExecutorOptions.defaults().withTrace(recorder);
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            EVENTS.forEach(event -> recording.enable(event).withoutThreshold());
            recording.start();
            try (TaskGraph tasks = TaskGraph.builder()
                    .name("apart")
                    .workers(2)
                    .observer(recorder)
                    .build()) {
                tasks.start(NamedThread.RHI);
                tasks.start(TwoDevices.SECOND_RHI);
                FakeDevice one = new FakeDevice(tasks, QueueKind.GRAPHICS);
                FakeDevice other = new FakeDevice(tasks, QueueKind.GRAPHICS);
                try (FrameExecutor first = new FrameExecutor(one, tasks, options);
                        FrameExecutor second =
                                new FrameExecutor(other, tasks, options.withSubmitThread(TwoDevices.SECOND_RHI))) {
                    first.run(graph("one", () -> {})).completed().await();
                    second.run(graph("other", () -> {})).completed().await();
                }
            }
            recording.stop();
            recording.dump(file);
        }
        StringWriter out = new StringWriter();
        recorder.writeChromeJson(out);
        ChromeTrace trace = ChromeTrace.of(out.toString());
        assertThat(trace.markers()).containsExactlyInAnyOrder("frame 0", "frame 0 of RHI 2");
        assertThat(trace.spans("frame 0").stream().map(span -> span.process() + "/" + span.row()))
                .containsExactlyInAnyOrder(
                        "Frames/in flight", "GPU/graphics", "Frames of RHI 2/in flight", "GPU of RHI 2/graphics");
        assertThat(trace.counters()).containsKeys("GPU/memory", "GPU of RHI 2/memory");
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> EVENTS.contains(event.getEventType().getName()))
                .toList();
        assertThat(events)
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.getString("submitThread"))
                        .as(event.getEventType().getName())
                        .isEqualTo(event.getString("plan").equals("one") ? "RHI" : "RHI 2"));
        assertThat(events.stream().map(event -> event.getEventType().getName()).distinct())
                .containsExactlyInAnyOrderElementsOf(EVENTS);
    }

    /** Each has an instance of its own, and so messages of its own; programs of the one are there for the other. */
    @Test
    void messagesAreOfOneDeviceAndProgramsOfAll(@TempDir Path folder) {
        String reason = VulkanDevices.unavailableReason();
        Assumptions.assumeTrue(reason.isEmpty(), reason);
        try (TaskGraph tasks = TaskGraph.builder().name("cached").workers(2).build();
                ProgramCache cache = ProgramCache.open(ProgramCacheOptions.in(folder), tasks)) {
            DeviceOptions options = new DeviceOptions(tasks, "cached", true, null).withProgramCache(cache);
            try (GpuDevice first = VulkanDevices.open("", options);
                    GpuDevice second = VulkanDevices.open("", options)) {
                GraphEvent other = tasks.task("compile", () -> compile(second)).dispatch();
                compile(first);
                other.await();
                var lookups = cache.statistics().lookups();
                assertThat(lookups.memoryHits() + lookups.diskHits() + lookups.joined())
                        .isPositive();
                writeTwiceWithoutABarrier(second);
                assertThat(first.validationMessages()).isEmpty();
                assertThat(second.validationMessages())
                        .anySatisfy(message -> assertThat(message.text()).contains("WRITE"));
            }
        }
    }

    private static void compile(GpuDevice device) {
        device.createComputePipeline(new ComputePipelineDescription("double", DOUBLE, null))
                .close();
    }

    private static void writeTwiceWithoutABarrier(GpuDevice device) {
        try (Buffer buffer = device.createBuffer("buffer", FakeRig.BUFFER);
                FrameContext context = device.createFrameContext("context")) {
            GpuQueue queue = device.queues().get(0);
            CommandList list = context.beginCommands(queue, "twice");
            list.fillBuffer(buffer, 0, 1024, 1);
            list.fillBuffer(buffer, 0, 1024, 2);
            list.end();
            queue.submit(new Submission("twice", List.of(list), List.of()));
            device.waitIdle();
        }
    }
}
