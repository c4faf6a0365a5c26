package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.GpuTimeline;
import io.frameloom.gpu.Submission;
import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VirtualTimelineTest {
    /** Enough to meet the gap between counting a submission and handing it over, where there is one. */
    private static final int SUBMISSIONS = 100_000;

    private static final String TOUCH = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Data { int data[]; };
            void main() { data[0] = 1; }
            """;

    @Test
    void aTimeoutThatIsLongerThanAnyClockIsForEver() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            long value = rig.submit(rig.queue(0), List.of(), list -> {}).value();
            GpuTimeline timeline = rig.queue(0).timeline();
            assertThat(timeline.await(value, Duration.ofSeconds(Long.MAX_VALUE)))
                    .isTrue();
            assertThat(timeline.await(value, Duration.ofSeconds(Long.MIN_VALUE)))
                    .isTrue();
        }
    }

    @Test
    void anEventThatRefusesDoesNotStarveTheOthers() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        List<Throwable> refusals = new CopyOnWriteArrayList<>();
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            ComputePipeline hold = rig.pipeline("hold", TOUCH, invocation -> {
                Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> refusals.add(failure));
                running.countDown();
                try {
                    if (!finish.await(30, TimeUnit.SECONDS)) {
                        throw new IllegalStateException("not released");
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            Buffer data = rig.buffer("data", 1);
            GpuTimeline timeline = rig.queue(0).timeline();
            long value = rig.submit(rig.queue(0), List.of(), list -> {
                        list.bindPipeline(hold);
                        list.bindBuffer("Data", data, 0, 4);
                        list.dispatch(1, 1, 1);
                    })
                    .value();
            GraphEvent first = timeline.reached(value);
            GraphEvent second = timeline.reached(value);
            assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
            first.trigger();
            finish.countDown();
            assertThat(second.await(VirtualRig.LONG)).isTrue();
            assertThat(second.isFailed()).isFalse();
            assertThat(timeline.completed()).isEqualTo(value);
        }
        assertThat(refusals)
                .singleElement()
                .satisfies(refusal ->
                        assertThat(refusal).hasMessageContaining("'graphics reached 1' was triggered already"));
    }

    /** The executor must hear of a submission before anybody can ask for it. */
    @Test
    void aValueIsSubmittedWhenItsWorkIsHandedOver() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            VirtualTimeline timeline = (VirtualTimeline) rig.queue(0).timeline();
            long[] during = {-1};
            timeline.submit(1, () -> {
                during[0] = timeline.submitted();
                timeline.complete(1);
            });
            assertThat(during[0]).isZero();
            assertThat(timeline.submitted()).isEqualTo(1);
        }
    }

    @Test
    void aThreadThatAsksWhileAnotherSubmitsDoesNotLoseTheDevice() throws InterruptedException {
        VirtualGpuOptions reverse = new VirtualGpuOptions(1, 7, VirtualGpuOptions.Order.REVERSE, true, 100, 0, 0);
        AtomicBoolean stop = new AtomicBoolean();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        try (VirtualRig rig = new VirtualRig(reverse, null)) {
            GpuTimeline timeline = rig.queue(0).timeline();
            Thread asking = new Thread(() -> {
                while (!stop.get()) {
                    long completed = timeline.completed();
                    if (completed > timeline.submitted()) {
                        failures.add(new AssertionError(completed + " is complete before it was submitted"));
                    }
                }
            });
            asking.start();
            try {
                for (int i = 0; i < SUBMISSIONS; i++) {
                    rig.queue(0).submit(new Submission("empty", List.of(), List.of()));
                }
            } catch (RuntimeException failure) {
                failures.add(failure);
            } finally {
                stop.set(true);
                asking.join();
            }
        }
        assertThat(failures).isEmpty();
    }
}
