package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an engine shares with Frameloom is judged by the checker as by the validation layer: nothing is wrong with it. */
@Timeout(60)
class VulkanSharedObjectsTest {
    private static final BufferDescription SHAPE =
            BufferDescription.device(64, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    private final HazardChecker checker = new HazardChecker();
    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("shared").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        if (tasks != null) {
            tasks.close();
        }
    }

    private VulkanDevice adopt(TestEngine engine) {
        return VulkanDevices.adopt(
                engine.description
                        .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                        .build(),
                new DeviceOptions(tasks, "shared", true, checker));
    }

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, 64, access, access.writes());
    }

    private static CommandList recorded(FrameContext context, GpuQueue queue, Consumer<CommandList> commands) {
        CommandList list = context.beginCommands(queue, "list");
        commands.accept(list);
        list.end();
        return list;
    }

    private static void fill(CommandList list, Buffer target) {
        list.beginPass("fill", List.of(use(target, Access.COPY_DST)));
        list.fillBuffer(target, 0, 64, 7);
        list.endPass();
    }

    private static void copy(CommandList list, Buffer source, Buffer target) {
        list.beginPass("copy", List.of(use(source, Access.COPY_SRC), use(target, Access.COPY_DST)));
        list.copyBuffer(source, 0, target, 0, 64);
        list.endPass();
    }

    @Test
    void aPointOfTheEnginesTimelineOrdersTwoSubmissions() {
        try (TestEngine engine = new TestEngine();
                VulkanDevice gpu = adopt(engine);
                FrameContext context = gpu.createFrameContext("frame");
                Buffer source = gpu.createBuffer("source", SHAPE);
                Buffer target = gpu.createBuffer("target", SHAPE)) {
            ExternalTimeline timeline = gpu.importTimeline("engine", engine.timelineSemaphore());
            GpuQueue queue = gpu.queues().get(0);
            queue.submit(new Submission(
                            "fill", List.of(recorded(context, queue, list -> fill(list, source))), List.of())
                    .with(List.of(), List.of(ExternalPoint.of(timeline, 1))));
            TimelinePoint copied = queue.submit(new Submission(
                            "copy", List.of(recorded(context, queue, list -> copy(list, source, target))), List.of())
                    .with(List.of(ExternalPoint.of(timeline, 1)), List.of()));
            assertThat(queue.timeline().await(copied.value(), ValidatedDevice.LONG))
                    .isTrue();
            assertThat(gpu.validationMessages()).isEmpty();
            assertThat(checker.hazards()).isEmpty();
            assertThat(checker.passesChecked()).isEqualTo(2);
        }
    }

    /** As the driver sees it, a barrier of one of the two is a barrier of both. */
    @Test
    void importsOfOneBufferAreOneBuffer() {
        BarrierBatch.Scope scope = new BarrierBatch.Scope(
                PipelineStage.COPY.bit(),
                MemoryAccess.COPY_WRITE.bit(),
                PipelineStage.COPY.bit(),
                MemoryAccess.COPY_READ.bit());
        try (TestEngine engine = new TestEngine();
                VulkanDevice gpu = adopt(engine);
                FrameContext context = gpu.createFrameContext("frame");
                Buffer source = gpu.createBuffer("source", SHAPE);
                Buffer target = gpu.createBuffer("target", SHAPE);
                Buffer first = gpu.importBuffer("first", gpu.handles().buffer(source), SHAPE);
                Buffer second = gpu.importBuffer("second", gpu.handles().buffer(source), SHAPE)) {
            GpuQueue queue = gpu.queues().get(0);
            CommandList list = recorded(context, queue, commands -> {
                fill(commands, first);
                commands.barrier(new BarrierBatch(
                        List.of(), List.of(new BarrierBatch.BufferBarrier(second, 0, 64, scope, null)), List.of()));
                copy(commands, source, target);
            });
            TimelinePoint copied = queue.submit(new Submission("copy", List.of(list), List.of()));
            assertThat(queue.timeline().await(copied.value(), ValidatedDevice.LONG))
                    .isTrue();
            assertThat(gpu.validationMessages()).isEmpty();
            assertThat(checker.hazards()).isEmpty();
            assertThat(checker.passesChecked()).isEqualTo(2);
        }
    }
}
