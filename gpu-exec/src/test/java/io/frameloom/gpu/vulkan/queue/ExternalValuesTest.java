package io.frameloom.gpu.vulkan.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.StagedDriver;
import io.frameloom.gpu.vulkan.TestEngine;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;

/** An engine's timeline goes forwards only, whoever signals it. */
@Timeout(60)
class ExternalValuesTest {
    private final StagedDriver driver = new StagedDriver();
    private TestEngine engine;
    private TaskGraph tasks;
    private VulkanDevice gpu;

    @BeforeEach
    void adopt() {
        ValidatedDevice.assumeDriver();
        engine = new TestEngine();
        tasks = TaskGraph.builder().name("values").workers(1).build();
        for (int i = 0; i < engine.queues.size(); i++) {
            engine.description.queue(
                    QueueKind.GRAPHICS,
                    engine.queues.get(i),
                    TestEngine.FAMILY,
                    i == 0 ? engine.guard : new ReentrantLock());
        }
        gpu = SeamedDevices.adopt(
                engine.description.build(),
                new DeviceOptions(tasks, "values", true, null),
                new DeviceSeams(driver, Set.of()));
    }

    @AfterEach
    void close() {
        if (gpu != null) {
            gpu.close();
            tasks.close();
            assertThat(engine.messages()).isEmpty();
            engine.close();
        }
    }

    private void submit(String label, List<ExternalPoint> waits, ExternalPoint... signals) {
        submit(gpu.queues().get(0), label, waits, signals);
    }

    private static void submit(GpuQueue queue, String label, List<ExternalPoint> waits, ExternalPoint... signals) {
        queue.submit(new Submission(label, List.of(), List.of()).with(waits, List.of(signals)));
    }

    private void signal(long semaphore, long value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            TestEngine.done(VK13.vkSignalSemaphore(
                    engine.device,
                    VkSemaphoreSignalInfo.calloc(stack)
                            .sType$Default()
                            .semaphore(semaphore)
                            .value(value)));
        }
    }

    private void refused(String label, List<ExternalPoint> waits, String words, ExternalPoint... signals) {
        assertThatThrownBy(() -> submit(label, waits, signals))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + label + "'")
                .hasMessageContaining("'engine'")
                .hasMessageContaining(words);
    }

    @Test
    void aPendingSignalIsTheLeastThatFollows() {
        long semaphore = engine.timelineSemaphore();
        long gate = engine.timelineSemaphore();
        ExternalTimeline timeline = gpu.importTimeline("engine", semaphore);
        submit("first", List.of(ExternalPoint.of(gpu.importTimeline("gate", gate), 1)), ExternalPoint.of(timeline, 5));
        refused("late", List.of(), "which submission 'first' signals with 5 before", ExternalPoint.of(timeline, 3));
        refused("again", List.of(), "signals value 5", ExternalPoint.of(timeline, 5));
        ExternalTimeline twin = gpu.importTimeline("engine", semaphore);
        refused("imported twice", List.of(), "only grow", ExternalPoint.of(twin, 4));
        submit("greater", List.of(), ExternalPoint.of(twin, 6));
        signal(gate, 1);
        engine.await(new TestEngine.Value(semaphore, 6));
        gpu.waitIdle();
        refused("over", List.of(), "which has reached 6", ExternalPoint.of(timeline, 6));
        submit("goes on", List.of(), ExternalPoint.of(timeline, 7));
    }

    @Test
    void whatTheEngineSignalsCounts() {
        long semaphore = engine.timelineSemaphore();
        ExternalTimeline timeline = gpu.importTimeline("engine", semaphore);
        submit("first", List.of(), ExternalPoint.of(timeline, 1));
        engine.submit(List.of(new TestEngine.Value(semaphore, 1)), new TestEngine.Value(semaphore, 7), commands -> {});
        engine.await(new TestEngine.Value(semaphore, 7));
        refused("behind", List.of(), "which has reached 7", ExternalPoint.of(timeline, 7));
        submit("ahead", List.of(), ExternalPoint.of(timeline, 8));
    }

    @Test
    void oneSubmissionSignalsATimelineOnceAndAboveWhatItWaitsFor() {
        ExternalTimeline timeline = gpu.importTimeline("engine", engine.timelineSemaphore());
        refused(
                "twice",
                List.of(),
                "signals timeline 'engine' with 1 and 2",
                ExternalPoint.of(timeline, 1),
                ExternalPoint.of(timeline, 2));
        refused("back", List.of(ExternalPoint.of(timeline, 5)), "waits for value 5", ExternalPoint.of(timeline, 5));
        submit("nothing was signalled by these", List.of(), ExternalPoint.of(timeline, 1));
    }

    @Test
    void aSubmissionThatFailsGivesItsValueBack() {
        ExternalTimeline timeline = gpu.importTimeline("engine", engine.timelineSemaphore());
        submit("first", List.of(), ExternalPoint.of(timeline, 1));
        driver.refuseSubmission();
        assertThatThrownBy(() -> submit("refused", List.of(), ExternalPoint.of(timeline, 3)))
                .isInstanceOf(GpuOutOfMemoryException.class);
        submit("lower", List.of(), ExternalPoint.of(timeline, 2));
        refused("lower still", List.of(), "value 1 ", ExternalPoint.of(timeline, 1));
    }

    @Test
    void anotherSemaphoreMayHaveTheHandleOfOneThatIsGone() {
        for (int i = 0; i < 3; i++) {
            try (TestEngine.OwnedTimeline semaphore = engine.ownedTimeline()) {
                submit("new", List.of(), ExternalPoint.of(gpu.importTimeline("engine", semaphore.handle()), 9));
                gpu.waitIdle();
            }
        }
    }

    @Test
    void queuesShareWhatIsKnown() {
        assumeTrue(gpu.queues().size() > 1, "one queue");
        ExternalTimeline timeline = gpu.importTimeline("engine", engine.timelineSemaphore());
        long gate = engine.timelineSemaphore();
        submit(
                gpu.queues().get(1),
                "first",
                List.of(ExternalPoint.of(gpu.importTimeline("gate", gate), 1)),
                ExternalPoint.of(timeline, 5));
        refused("late", List.of(), "which submission 'first' signals with 5 before", ExternalPoint.of(timeline, 3));
        signal(gate, 1);
    }
}
