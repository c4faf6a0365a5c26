package io.frameloom.gpu.virtual.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.virtual.HeldDispatch;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.virtual.VirtualRig;
import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VirtualTimelineTest {
    /** Enough to meet the gap between counting a submission and handing it over, where there is one. */
    private static final int SUBMISSIONS = 100_000;

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
        HeldDispatch held = new HeldDispatch();
        List<Throwable> refusals = new CopyOnWriteArrayList<>();
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            GpuTimeline timeline = rig.queue(0).timeline();
            long value = held.submit(rig, rig.buffer("data", 1)).value();
            CompletableFuture<@Nullable Void> listening = timeline.reached(value)
                    .toCompletableFuture()
                    .thenRun(() -> Thread.currentThread()
                            .setUncaughtExceptionHandler((thread, failure) -> refusals.add(failure)));
            GraphEvent first = timeline.reached(value);
            GraphEvent second = timeline.reached(value);
            held.awaitRunning();
            first.trigger();
            held.release();
            assertThat(second.await(VirtualRig.LONG)).isTrue();
            assertThat(second.isFailed()).isFalse();
            assertThat(timeline.completed()).isEqualTo(value);
            listening.join();
        }
        assertThat(refusals)
                .singleElement()
                .satisfies(refusal -> assertThat(refusal).hasMessageContaining("'graphics@1' was triggered already"));
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
        VirtualGpuOptions inOrder = new VirtualGpuOptions(1, 7).withOrder(VirtualGpuOptions.Order.IN_ORDER);
        AtomicBoolean stop = new AtomicBoolean();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        try (VirtualRig rig = new VirtualRig(inOrder, null)) {
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
