package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.error.CrashReport.ListState;
import io.frameloom.gpu.error.CrashReport.Marking;
import io.frameloom.gpu.error.CrashReport.PassState;
import io.frameloom.gpu.error.CrashReport.Progress;
import io.frameloom.gpu.error.CrashReport.QueueState;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.driver.CrashCalls;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.queue.VulkanQueue;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCheckpointData2NV;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceFaultCountsEXT;
import org.lwjgl.vulkan.VkDeviceFaultInfoEXT;
import org.lwjgl.vulkan.VkQueue;

/** A device is called lost while it is inside of a pass that waits for the test, so what it has done is known. */
@Timeout(60)
class VulkanLossReportTest {
    /** Lavapipe ends each loop after 65,535 turns, so there are many groups: they take long, and end once they are told. */
    private static final String SPIN = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) coherent volatile buffer Gate { uint started; uint open; uint sum; };
            void main() {
                if (open != 0) {
                    return;
                }
                started = 1;
                for (uint i = 0; i < 60000 && atomicAdd(sum, 1) != 0xffffffffu; i++) {}
            }
            """;

    private final StagedDriver driver = new StagedDriver();
    private final List<AutoCloseable> owned = new ArrayList<>();
    private TaskGraph tasks = TaskGraph.builder().name("unused").workers(1).build();

    @BeforeEach
    void start() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("loss").workers(1).build();
    }

    @AfterEach
    void end() throws Exception {
        for (int i = owned.size() - 1; i >= 0; i--) {
            owned.get(i).close();
        }
        tasks.close();
    }

    private <T extends AutoCloseable> T own(T object) {
        owned.add(object);
        return object;
    }

    /** Extensions that no driver of the test machine has, played with what every driver has. */
    private static final class PlayedCalls implements CrashCalls {
        private final Marking marking;
        private final List<Long> checkpoints = new ArrayList<>();
        private int read = -1;
        private int done = -1;

        PlayedCalls(Marking marking) {
            this.marking = marking;
        }

        @Override
        public Marking marking(VkDevice device) {
            return marking;
        }

        @Override
        public void marker(VkCommandBuffer commands, int stage, long buffer, long offset, int word) {
            // A driver that runs commands in turn does this when all before is done.
            VK13.vkCmdFillBuffer(commands, buffer, offset, Integer.BYTES, word);
        }

        @Override
        public void checkpoint(VkCommandBuffer commands, long marker) {
            checkpoints.add(marker);
        }

        @Override
        public void checkpoints(VkQueue queue, IntBuffer count, VkCheckpointData2NV.@Nullable Buffer data) {
            count.put(0, read < 0 ? 0 : 2);
            if (data != null) {
                put(data.get(0), VK13.VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, checkpoints.get(read));
                put(data.get(1), VK13.VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, checkpoints.get(done));
            }
        }

        private static void put(VkCheckpointData2NV target, long stage, long marker) {
            MemoryUtil.memPutLong(target.address() + VkCheckpointData2NV.STAGE, stage);
            MemoryUtil.memPutAddress(target.address() + VkCheckpointData2NV.PCHECKPOINTMARKER, marker);
        }

        @Override
        public int fault(VkDevice device, VkDeviceFaultCountsEXT counts, @Nullable VkDeviceFaultInfoEXT info) {
            throw new AssertionError("the device reports no faults");
        }
    }

    private DriverDevice open(boolean markers, @Nullable CrashCalls calls) {
        DeviceOptions options = new DeviceOptions(tasks, "loss", true, null);
        DeviceSeams seams = calls == null
                ? new DeviceSeams(driver, Set.of())
                : new DeviceSeams(driver, Set.of(), VK13.VK_API_VERSION_1_3, calls);
        return own(SeamedDevices.open("", markers ? options.withCrashMarkers() : options, seams));
    }

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, false);
    }

    private static void fill(CommandList list, String pass, Buffer buffer, long offset) {
        list.beginPass(pass, List.of(use(buffer, Access.COPY_DST)));
        list.fillBuffer(buffer, offset, Integer.BYTES, 1);
        list.endPass();
    }

    /** Loses the device inside of the pass 'spin' of the second submission, and returns what the loss says. */
    private DeviceLostException loseInside(DriverDevice device) {
        GpuQueue queue = device.queues().get(0);
        FrameContext context = own(device.createFrameContext("frame"));
        Buffer gate = own(device.createBuffer("gate", BufferDescription.upload(12, BufferUsage.STORAGE)));
        Buffer target = own(device.createBuffer("target", BufferDescription.device(64, BufferUsage.COPY_DST)));
        ComputePipeline spin = own(device.createComputePipeline(new ComputePipelineDescription(
                "spin", new ShaderSource("spin.comp", ShaderStage.COMPUTE, SPIN), null)));
        gate.mapped().putInt(0, 0).putInt(4, 0).putInt(8, 0);
        submit(context, queue, "done", list -> fill(list, "early", target, 0));
        assertThat(queue.timeline().await(1, ValidatedDevice.LONG)).isTrue();
        submit(context, queue, "stuck", list -> {
            list.beginLabel("scope");
            fill(list, "before", target, 4);
            list.endLabel();
            list.beginPass("spin", List.of(use(gate, Access.STORAGE_READ_WRITE_COMPUTE)));
            list.bindPipeline(spin);
            list.bindBuffer("Gate", gate, 0, 12);
            list.dispatch(65_535, 1, 1);
            list.endPass();
            fill(list, "after", target, 8);
        });
        submit(context, queue, "waits", list -> fill(list, "last", target, 12));
        while (gate.mapped().getInt(0) == 0) {
            Thread.onSpinWait();
        }
        driver.failSubmissions();
        DeviceLostException lost = findLoss(queue);
        DeviceLostException again = catchThrowableOfType(DeviceLostException.class, device::waitIdle);
        assertThat(again.report().orElseThrow()).isSameAs(lost.report().orElseThrow());
        gate.mapped().putInt(4, 1);
        VK13.vkQueueWaitIdle(((VulkanQueue) queue).handle());
        assertThat(device.validationMessages()).isEmpty();
        return lost;
    }

    private static DeviceLostException findLoss(GpuQueue queue) {
        return catchThrowableOfType(
                DeviceLostException.class, () -> queue.submit(new Submission("finds it", List.of(), List.of())));
    }

    private static void submit(FrameContext context, GpuQueue queue, String label, Consumer<CommandList> recording) {
        CommandList list = context.beginCommands(queue, "list of " + label);
        recording.accept(list);
        list.end();
        queue.submit(new Submission(label, List.of(list), List.of()));
    }

    private static QueueState stateOf(DeviceLostException lost, Marking marking) {
        CrashReport report = lost.report().orElseThrow();
        assertThat(report.marking()).isEqualTo(marking);
        assertThat(report.fault()).isNull();
        QueueState state = report.queues().get(0);
        assertThat(state.submitted()).isEqualTo(3);
        assertThat(state.reached()).isEqualTo(1);
        assertThat(state.underWay())
                .extracting(CrashReport.SubmissionState::label)
                .containsExactly("stuck", "waits");
        return state;
    }

    private static void assertKnown(DeviceLostException lost, Marking marking) {
        QueueState state = stateOf(lost, marking);
        List<PassState> passes = new ArrayList<>(List.of(
                new PassState("before", Progress.ENDED),
                new PassState("spin", Progress.BEGUN),
                new PassState("after", Progress.NOT_BEGUN)));
        if (marking != Marking.TRANSFER) {
            passes.add(0, new PassState("scope", Progress.ENDED));
        }
        assertThat(state.underWay().get(0).lists())
                .containsExactly(new ListState("list of stuck", Progress.BEGUN, passes));
        assertThat(state.underWay().get(1).lists())
                .containsExactly(new ListState(
                        "list of waits", Progress.NOT_BEGUN, List.of(new PassState("last", Progress.NOT_BEGUN))));
        assertThat(state.open()).containsExactly("spin");
        assertThat(state.lastBegun()).contains("spin");
        assertThat(state.lastEnded()).contains("before");
        assertThat(lost).hasMessageContaining("had begun and not ended 'spin', and ended 'before' last");
    }

    @Test
    void fillsBetweenBarriersShowThePass() {
        // No extension, whatever the driver has.
        assertKnown(loseInside(open(true, new PlayedCalls(Marking.TRANSFER))), Marking.TRANSFER);
    }

    @Test
    void bufferMarkersShowThePass() {
        PlayedCalls calls = new PlayedCalls(Marking.BUFFER_MARKER);
        assertKnown(loseInside(open(true, calls)), Marking.BUFFER_MARKER);
    }

    @Test
    void checkpointsShowThePass() {
        PlayedCalls calls = new PlayedCalls(Marking.CHECKPOINT);
        // List and pass of 'done' take four, then: list, scope, before, end, end, spin.
        calls.read = 4 + 5;
        calls.done = 4 + 4;
        assertKnown(loseInside(open(true, calls)), Marking.CHECKPOINT);
    }

    @Test
    void aDriverThatKnowsNoCheckpointsLeavesPassesUnknown() {
        DeviceLostException lost = loseInside(open(true, new PlayedCalls(Marking.CHECKPOINT)));
        QueueState state = stateOf(lost, Marking.CHECKPOINT);
        assertThat(state.underWay().get(0).lists().get(0).passes())
                .extracting(PassState::progress)
                .containsOnly(Progress.UNKNOWN);
    }

    @Test
    void checkpointsOfADoneListSayThatNothingBegan() {
        PlayedCalls calls = new PlayedCalls(Marking.CHECKPOINT);
        calls.read = 3;
        calls.done = 3;
        QueueState state = stateOf(loseInside(open(true, calls)), Marking.CHECKPOINT);
        assertThat(state.lastBegun()).isEmpty();
        assertThat(state.underWay().get(0).lists().get(0).progress()).isEqualTo(Progress.NOT_BEGUN);
    }

    @Test
    void withoutMarksThePassesUnderWayAreNamed() {
        DeviceLostException lost = loseInside(open(false, null));
        QueueState state = stateOf(lost, Marking.NONE);
        assertThat(state.underWay().get(0).lists())
                .containsExactly(new ListState(
                        "list of stuck",
                        Progress.UNKNOWN,
                        List.of(
                                new PassState("before", Progress.UNKNOWN),
                                new PassState("spin", Progress.UNKNOWN),
                                new PassState("after", Progress.UNKNOWN))));
        assertThat(lost).hasMessageContaining("queue 'graphics' had not ended 'stuck', 'waits'");
        assertThat(lost.report().orElseThrow().text()).contains("withCrashMarkers", "pass 'spin': not known");
    }

    @Test
    void aDeviceThatHadDoneEverythingSaysSo() {
        DriverDevice device = open(true, null);
        GpuQueue queue = device.queues().get(0);
        FrameContext context = own(device.createFrameContext("frame"));
        Buffer target = own(device.createBuffer("target", BufferDescription.device(64, BufferUsage.COPY_DST)));
        submit(context, queue, "done", list -> fill(list, "early", target, 0));
        VK13.vkQueueWaitIdle(((VulkanQueue) queue).handle());
        driver.failSubmissions();
        DeviceLostException lost = findLoss(queue);
        assertThat(lost)
                .hasMessageContaining("all that was submitted had ended")
                .hasMessageContaining("'finds it'");
        assertThat(lost.report().orElseThrow().queues().get(0).reached()).isEqualTo(1);
    }

    @Test
    void aListOfMorePassesThanThereAreMarksHasThemInTheNextFrame() {
        DriverDevice device = open(true, null);
        GpuQueue queue = device.queues().get(0);
        FrameContext context = own(device.createFrameContext("frame"));
        Buffer target = own(device.createBuffer("target", BufferDescription.device(64, BufferUsage.COPY_DST)));
        int passes = 300;
        for (int frame = 0; frame < 2; frame++) {
            submit(context, queue, "many", list -> {
                for (int i = 0; i < passes; i++) {
                    fill(list, "pass " + i, target, 0);
                    list.barrier(ValidatedDevice.memory(
                            PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.COPY, MemoryAccess.COPY_WRITE));
                }
            });
            VK13.vkQueueWaitIdle(((VulkanQueue) queue).handle());
            if (frame == 0) {
                assertThat(queue.timeline().await(1, ValidatedDevice.LONG)).isTrue();
                context.reset();
            }
        }
        // The host has not seen the second frame, nor is it told.
        driver.hold();
        driver.failSubmissions();
        DeviceLostException lost = findLoss(queue);
        driver.release();
        assertThat(device.validationMessages()).isEmpty();
        ListState list = lost.report()
                .orElseThrow()
                .queues()
                .get(0)
                .underWay()
                .get(0)
                .lists()
                .get(0);
        assertThat(list.progress()).isEqualTo(Progress.ENDED);
        assertThat(list.passes()).hasSize(passes);
        assertThat(list.passes()).extracting(PassState::progress).containsOnly(Progress.ENDED);
    }

    /** Drivers answer any call so once a device is lost, also those that only create something. */
    @Test
    void aLossThatACreationFindsIsReportedAsAnyOther() {
        DriverDevice device = open(false, null);
        GpuQueue queue = device.queues().get(0);
        FrameContext context = own(device.createFrameContext("frame"));
        Buffer target = own(device.createBuffer("target", BufferDescription.device(64, BufferUsage.COPY_DST)));
        submit(context, queue, "before", list -> fill(list, "early", target, 0));
        DeviceLostException lost = catchThrowableOfType(
                DeviceLostException.class,
                () -> device.core()
                        .create(
                                VK13.VK_OBJECT_TYPE_FENCE,
                                "fence",
                                "fence 'fence'",
                                (stack, out) -> VK13.VK_ERROR_DEVICE_LOST));
        assertThat(lost).hasMessageContaining("trying to create fence 'fence': VK_ERROR_DEVICE_LOST");
        CrashReport report = lost.report().orElseThrow();
        assertThat(report.queues()).extracting(QueueState::name).contains(queue.name());
        DeviceLostException refused = findLoss(queue);
        assertThat(refused.report().orElseThrow()).isSameAs(report);
        VK13.vkQueueWaitIdle(((VulkanQueue) queue).handle());
    }
}
