package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;

/** What reaches the driver of a device that an engine shares, and under whose lock. */
@Timeout(60)
class VulkanAdoptionDriverTest {
    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("adoption").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        if (tasks != null) {
            tasks.close();
        }
    }

    private DeviceOptions options() {
        return new DeviceOptions(tasks, "unused", false, null);
    }

    /** Plays a driver that sees whether the engine's lock is held. */
    private static final class GuardWitness extends ForwardingDriver {
        private final ReentrantLock guard;
        private final List<Boolean> held = new ArrayList<>();

        GuardWitness(ReentrantLock guard) {
            this.guard = guard;
        }

        @Override
        public int submit(VkQueue queue, org.lwjgl.vulkan.VkSubmitInfo2.Buffer submission, long fence) {
            held.add(guard.isHeldByCurrentThread());
            return super.submit(queue, submission, fence);
        }

        @Override
        public int waitIdle(VkQueue queue) {
            throw new AssertionError("an engine's device is not ours to wait for: it would use all its queues");
        }
    }

    /** Plays a driver whose first waits for a fence fail, and notes whether its device was asked to be idle. */
    private static final class FailingWaits extends ForwardingDriver {
        private int left;
        private int waits;
        private boolean idled;

        FailingWaits(int failures) {
            left = failures;
        }

        @Override
        public int waitFence(VkDevice device, long fence, long timeoutNanos) {
            waits++;
            left--;
            return left >= 0 ? VK13.VK_ERROR_OUT_OF_HOST_MEMORY : super.waitFence(device, fence, timeoutNanos);
        }

        @Override
        public int waitIdle(VkQueue queue) {
            idled = true;
            return super.waitIdle(queue);
        }
    }

    @Test
    void aClockThatCannotBeMeasuredWaitsForNothingOfTheEngines() {
        DeviceSeams seams = new DeviceSeams(
                new FailingWaits(2), Set.of(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME));
        FailingWaits driver = (FailingWaits) seams.driver();
        try (TestEngine engine = new TestEngine()) {
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(() -> SeamedDevices.adopt(description, options(), seams))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("wait for the calibration")
                    .hasMessageContaining("VK_ERROR_OUT_OF_HOST_MEMORY");
            assertThat(driver.idled).isFalse();
            assertThat(driver.waits).isEqualTo(3);
            assertThat(engine.guard.tryLock()).isTrue();
            engine.guard.unlock();
        }
    }

    @Test
    void theEnginesLockIsHeldAroundEveryUseOfItsQueue() {
        try (TestEngine engine = new TestEngine()) {
            GuardWitness witness = new GuardWitness((ReentrantLock) engine.guard);
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            try (VulkanDevice gpu = SeamedDevices.adopt(description, options(), new DeviceSeams(witness, Set.of()))) {
                GpuQueue queue = gpu.queues().get(0);
                queue.submit(new Submission("one", List.of(), List.of()));
                engine.guard.lock();
                try {
                    queue.submit(new Submission("within the engine's own lock", List.of(), List.of()));
                } finally {
                    engine.guard.unlock();
                }
            }
            // The first are calibrations of the clock, where the engine has not switched the extension on.
            assertThat(witness.held).hasSizeGreaterThanOrEqualTo(2).containsOnly(true);
        }
    }

    /** Plays a driver that looks at what is handed to it. */
    private static final class SubmissionWitness extends ForwardingDriver {
        private final List<List<Long>> waits = new ArrayList<>();
        private final List<List<Long>> signals = new ArrayList<>();

        @Override
        public int submit(VkQueue queue, org.lwjgl.vulkan.VkSubmitInfo2.Buffer submission, long fence) {
            waits.clear();
            signals.clear();
            var waited = submission.get(0).pWaitSemaphoreInfos();
            for (int i = 0; waited != null && i < waited.remaining(); i++) {
                waits.add(words(waited.get(i)));
            }
            var signalled = submission.get(0).pSignalSemaphoreInfos();
            for (int i = 0; signalled != null && i < signalled.remaining(); i++) {
                signals.add(words(signalled.get(i)));
            }
            return super.submit(queue, submission, fence);
        }

        private static List<Long> words(org.lwjgl.vulkan.VkSemaphoreSubmitInfo info) {
            return List.of(info.semaphore(), info.value(), info.stageMask());
        }
    }

    @Test
    void pointsOfTheEngineReachTheDriverWithTheirStages() {
        try (TestEngine engine = new TestEngine()) {
            long semaphore = engine.timelineSemaphore();
            SubmissionWitness witness = new SubmissionWitness();
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            try (VulkanDevice gpu = SeamedDevices.adopt(description, options(), new DeviceSeams(witness, Set.of()))) {
                engine.submit(List.of(), new TestEngine.Value(semaphore, 3), commands -> {});
                ExternalTimeline timeline = gpu.importTimeline("engine", semaphore);
                gpu.queues()
                        .get(0)
                        .submit(new Submission("both", List.of(), List.of())
                                .with(
                                        List.of(new ExternalPoint(timeline, 3, PipelineStage.COPY.bit())),
                                        List.of(new ExternalPoint(timeline, 4, PipelineStage.COMPUTE_SHADER.bit()))));
                assertThat(witness.waits)
                        .containsExactly(List.of(semaphore, 3L, VK13.VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT));
                assertThat(witness.signals)
                        .containsExactly(
                                List.of(
                                        gpu.handles().timeline(gpu.queues().get(0)),
                                        1L,
                                        VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT),
                                List.of(semaphore, 4L, VK13.VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT));
                engine.await(new TestEngine.Value(semaphore, 4));
            }
        }
    }
}
