package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.GpuTimeline;
import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VirtualTimelineTest {
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
}
