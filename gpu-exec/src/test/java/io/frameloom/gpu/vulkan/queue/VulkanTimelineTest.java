package io.frameloom.gpu.vulkan.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.vulkan.ForwardingDriver;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.StagedDriver;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo2;

@Timeout(60)
class VulkanTimelineTest {
    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private final StagedDriver driver = new StagedDriver();

    @RegisterExtension
    final ValidatedDevice staged = new ValidatedDevice(null, new DeviceSeams(driver, Set.of()));

    private TimelinePoint submitNothing() {
        return gpu.graphics().submit(new Submission("nothing", List.of(), List.of()));
    }

    @Test
    void valuesCountSubmissions() {
        GpuTimeline timeline = gpu.graphics().timeline();
        assertThat(timeline.submitted()).isZero();
        assertThat(timeline.completed()).isZero();
        assertThat(submitNothing()).isEqualTo(new TimelinePoint(gpu.graphics(), 1));
        assertThat(submitNothing()).isEqualTo(new TimelinePoint(gpu.graphics(), 2));
        assertThat(timeline.submitted()).isEqualTo(2);
        assertThat(timeline.await(2, ValidatedDevice.LONG)).isTrue();
        assertThat(timeline.completed()).isEqualTo(2);
    }

    @Test
    void anEventRegisteredAfterCompletionIsComplete() {
        GpuTimeline timeline = gpu.graphics().timeline();
        assertThat(timeline.reached(0).isComplete()).isTrue();
        submitNothing();
        assertThat(timeline.await(1, ValidatedDevice.LONG)).isTrue();
        assertThat(timeline.reached(1).isComplete()).isTrue();
    }

    @Test
    void valuesNeverSubmittedAreRefused() {
        GpuTimeline timeline = gpu.graphics().timeline();
        submitNothing();
        assertThatThrownBy(() -> timeline.reached(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("up to value 1");
        assertThatThrownBy(() -> timeline.await(2, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void gpuWorkIsAPrerequisiteOfATask() {
        TimelinePoint point = submitNothing();
        AtomicInteger ran = new AtomicInteger();
        GraphEvent task = gpu.tasks()
                .task("after the GPU", ran::incrementAndGet)
                .after(gpu.graphics().timeline().reached(point.value()))
                .dispatch();
        assertThat(task.await(ValidatedDevice.LONG)).isTrue();
        assertThat(ran).hasValue(1);
    }

    @Test
    void aThousandSubmissionsCompleteTheirEventsInOrder() {
        GpuTimeline timeline = gpu.graphics().timeline();
        List<Long> order = Collections.synchronizedList(new ArrayList<>());
        List<GraphEvent> tasks = new ArrayList<>();
        GraphEvent last = gpu.tasks().event("start");
        last.trigger();
        for (int i = 0; i < 1_000; i++) {
            long value = submitNothing().value();
            // The chain keeps tasks in order; a task that ran before its value was reached would show in completed().
            last = gpu.tasks()
                    .task("seen " + value, () -> {
                        if (timeline.completed() >= value) {
                            order.add(value);
                        }
                    })
                    .after(last, timeline.reached(value))
                    .dispatch();
            tasks.add(last);
        }
        gpu.tasks().awaitAll(tasks.toArray(GraphEvent[]::new));
        assertThat(order)
                .isEqualTo(
                        IntStream.rangeClosed(1, 1_000).mapToObj(Long::valueOf).toList());
        assertThat(timeline.completed()).isEqualTo(1_000);
    }

    @Test
    void concurrentRegistrationsLoseNoEvent() throws Exception {
        GpuTimeline timeline = gpu.graphics().timeline();
        int threads = 4;
        int perThread = 500;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            submitNothing();
            List<Future<List<GraphEvent>>> registrations = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                registrations.add(pool.submit(() -> {
                    List<GraphEvent> events = new ArrayList<>();
                    for (int i = 0; i < perThread; i++) {
                        events.add(timeline.reached(timeline.submitted()));
                    }
                    return events;
                }));
            }
            for (int i = 0; i < 400; i++) {
                submitNothing();
            }
            for (Future<List<GraphEvent>> registered : registrations) {
                for (GraphEvent event : registered.get()) {
                    assertThat(event.await(ValidatedDevice.LONG)).isTrue();
                    assertThat(event.isFailed()).isFalse();
                }
            }
        } finally {
            pool.shutdown();
        }
    }

    /** The waiter must not go on to a value that nobody has submitted while an event of an earlier one is pending. */
    @Test
    void waitsOfAnotherThreadTakeNoEventsFromTheWaiter() {
        AtomicLong submitted = new AtomicLong();
        AtomicLong tooFar = new AtomicLong();
        QueueDriver watching = new ForwardingDriver() {
            @Override
            public int submit(VkQueue queue, VkSubmitInfo2.Buffer submission, long fence) {
                submitted.incrementAndGet();
                return super.submit(queue, submission, fence);
            }

            @Override
            public int waitSemaphore(VkDevice device, long semaphore, long value, long timeoutNanos) {
                if (value > submitted.get()) {
                    tooFar.set(value);
                    return VK13.VK_TIMEOUT;
                }
                return super.waitSemaphore(device, semaphore, value, timeoutNanos);
            }
        };
        try (TaskGraph tasks = TaskGraph.builder().name("waits").workers(1).build();
                VulkanDevice device = SeamedDevices.open(
                        "", new DeviceOptions(tasks, "waits", false, null), new DeviceSeams(watching, Set.of()))) {
            GpuQueue queue = device.queues().get(0);
            // Calibrating the clock may have submitted something.
            long before = submitted.get();
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < TestEffort.of(8_000, 20_000) && tooFar.get() == 0; i++) {
                long value = queue.submit(new Submission("nothing", List.of(), List.of()))
                        .value();
                GraphEvent event = queue.timeline().reached(value);
                // Now and then this thread sees the value just when the waiter begins to wait for it.
                for (int spins = random.nextInt(1_500); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                assertThat(queue.timeline().await(value, ValidatedDevice.LONG)).isTrue();
                event.await();
            }
            assertThat(submitted.get()).isGreaterThan(before);
            assertThat(tooFar.get())
                    .as("a wait for a value that was never submitted")
                    .isZero();
        }
    }

    @Test
    void awaitTimesOutUntilTheValueIsReached() {
        GpuTimeline timeline = staged.graphics().timeline();
        driver.hold();
        long value = staged.graphics()
                .submit(new Submission("held", List.of(), List.of()))
                .value();
        GraphEvent event = timeline.reached(value);
        assertThat(timeline.await(value, Duration.ZERO)).isFalse();
        assertThat(timeline.await(value, Duration.ofSeconds(-1))).isFalse();
        assertThat(timeline.await(value, Duration.ofMillis(5))).isFalse();
        assertThat(timeline.completed()).isZero();
        assertThat(event.isComplete()).isFalse();
        driver.release();
        assertThat(timeline.await(value, ValidatedDevice.LONG)).isTrue();
        assertThat(event.await(ValidatedDevice.LONG)).isTrue();
    }

    @Test
    void aHandlerThatFailsToReportARefusedEventDoesNotEndTheWaiter() throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        GpuQueue queue = staged.graphics();
        GpuTimeline timeline = queue.timeline();
        List<Throwable> reported = Collections.synchronizedList(new ArrayList<>());
        driver.hold();
        queue.submit(new Submission("first", List.of(), List.of()));
        var prepared = timeline.reached(1)
                .toCompletableFuture()
                .thenRun(() -> Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {
                    reported.add(failure);
                    both.countDown();
                    throw new AssertionError("handler", failure);
                }));
        queue.submit(new Submission("second", List.of(), List.of()));
        List<GraphEvent> events =
                IntStream.range(0, 5).mapToObj(i -> timeline.reached(2)).toList();
        events.get(0).trigger();
        events.get(2).trigger();
        driver.release();
        for (GraphEvent event : events) {
            assertThat(event.await(ValidatedDevice.LONG)).isTrue();
            assertThat(event.isFailed()).isFalse();
        }
        long next = queue.submit(new Submission("third", List.of(), List.of())).value();
        GraphEvent later = timeline.reached(next);
        assertThat(later.await(ValidatedDevice.LONG)).isTrue();
        assertThat(later.isFailed()).isFalse();
        assertThat(prepared).isCompleted();
        // The waiter reports when all events are complete, and the last event may be found complete by this thread.
        assertThat(both.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(reported)
                .hasSize(2)
                .allSatisfy(failure -> assertThat(failure).hasMessageContaining("triggered already"));
    }

    @Test
    void submissionsWaitForPointsOfTheDevice() {
        TimelinePoint first = submitNothing();
        TimelinePoint second = gpu.graphics()
                .submit(new Submission(
                        "second", List.of(), List.of(new Submission.Wait(first, PipelineStage.ALL_COMMANDS.bit()))));
        assertThat(gpu.graphics().timeline().await(second.value(), ValidatedDevice.LONG))
                .isTrue();
        assertThatThrownBy(() -> gpu.graphics()
                        .submit(new Submission(
                                "early",
                                List.of(),
                                List.of(new Submission.Wait(
                                        new TimelinePoint(gpu.graphics(), 99), PipelineStage.ALL_COMMANDS.bit())))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'early'")
                .hasMessageContaining("99");
    }

    @Test
    void listsAreSubmittedOnceAndWhenEnded() {
        GpuQueue queue = gpu.graphics();
        try (FrameContext context = gpu.device().createFrameContext("lists")) {
            CommandList list = context.beginCommands(queue, "open");
            Submission submission = new Submission("lists", List.of(list), List.of());
            assertThatThrownBy(() -> queue.submit(submission))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'open'")
                    .hasMessageContaining("end it first");
            list.end();
            assertThatThrownBy(() -> queue.submit(new Submission("twice", List.of(list, list), List.of())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("twice");
            queue.submit(submission);
            assertThatThrownBy(() -> queue.submit(submission))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("submitted before");
            gpu.device().waitIdle();
        }
    }
}
