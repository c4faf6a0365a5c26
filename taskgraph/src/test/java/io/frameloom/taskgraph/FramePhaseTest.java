package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.parts.WakeLatency;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames in progress, and what the idle policy learns of them. */
@Timeout(60)
final class FramePhaseTest {
    /** What one thread was told. */
    private static final class Recorder implements IdlePolicy {
        private final Thread thread;
        private final List<Integer> frames = new ArrayList<>();
        private int runnable;
        private int processors;
        private Runnable whenAsked = () -> {};

        Recorder(Thread thread) {
            this.thread = thread;
        }

        @Override
        public long spinNanos(long wakeLatencyNanos, int runnableThreads, int processors, int framesInProgress) {
            if (Thread.currentThread() != thread) {
                return 0L;
            }
            frames.add(framesInProgress);
            this.runnable = runnableThreads;
            this.processors = processors;
            whenAsked.run();
            return 1L;
        }
    }

    @Test
    void framesNestOverlapAndEndOnce() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            assertThat(graph.parts.framesInProgress()).isZero();
            FrameScope first = graph.beginFrame();
            FrameScope second = graph.beginFrame();
            assertThat(graph.parts.framesInProgress()).isEqualTo(2);
            first.close();
            first.close();
            assertThat(graph.parts.framesInProgress()).isEqualTo(1);
            second.close();
            first.close();
            second.close();
            assertThat(graph.parts.framesInProgress()).isZero();
        }
    }

    @Test
    void aRunOfACompiledGraphIsAFrame() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            List<Integer> seen = new ArrayList<>();
            GraphBuilder b = graph.graphBuilder("frame");
            b.node("look", () -> seen.add(graph.parts.framesInProgress()));
            CompiledGraph frame = b.build();
            frame.execute();
            assertThat(graph.parts.framesInProgress()).isZero();
            FrameScope scope = graph.beginFrame();
            frame.run().await();
            assertThat(graph.parts.framesInProgress()).isEqualTo(1);
            scope.close();
            assertThat(seen).containsExactly(1, 2);
        }
    }

    @Test
    void aRunThatFailsEndsItsFrame() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphBuilder b = graph.graphBuilder("frame");
            b.node("breaks", () -> {
                throw new IllegalStateException("torn");
            });
            CompiledGraph frame = b.build();
            frame.run();
            while (!frame.event().isComplete()) {
                Thread.onSpinWait();
            }
            assertThat(frame.event().failure()).isNotNull();
            assertThat(graph.parts.framesInProgress()).isZero();
        }
    }

    @Test
    void aForeignWaitAsksThePolicyWhileAFrameIsInProgress() throws InterruptedException {
        Recorder policy = new Recorder(Thread.currentThread());
        try (TaskGraph graph = TaskGraph.builder().workers(1).idlePolicy(policy).build()) {
            CountDownLatch asked = new CountDownLatch(1);
            GraphEvent outside = graph.event("outside of a frame");
            graph.task("trigger", outside::trigger).dispatch();
            outside.await();
            assertThat(policy.frames).isEmpty();

            FrameScope outer = graph.beginFrame();
            FrameScope inner = graph.beginFrame();
            CountDownLatch begun = new CountDownLatch(1);
            GraphEvent held = graph.task("held", () -> {
                        begun.countDown();
                        asked.await();
                    })
                    .dispatch();
            begun.await();
            policy.whenAsked = asked::countDown;
            held.await();
            assertThat(policy.frames).containsExactly(2);
            // The worker is inside its task, and the waiting thread counts as well.
            assertThat(policy.runnable).isEqualTo(2);
            assertThat(policy.processors).isEqualTo(Runtime.getRuntime().availableProcessors());
            inner.close();
            outer.close();
        }
    }

    @Test
    void aNamedThreadOutOfWorkTellsThePolicyOfTheFrame() {
        Recorder policy = new Recorder(Thread.currentThread());
        try (TaskGraph graph = TaskGraph.builder().workers(1).idlePolicy(policy).build()) {
            graph.attach(NamedThread.GAME);
            policy.whenAsked = () -> graph.requestReturn(NamedThread.GAME);
            graph.processUntilReturnRequested(NamedThread.GAME);
            FrameScope frame = graph.beginFrame();
            graph.processUntilReturnRequested(NamedThread.GAME);
            frame.close();
            graph.processUntilReturnRequested(NamedThread.GAME);
            graph.detach(NamedThread.GAME);
            assertThat(policy.frames).containsExactly(0, 1, 0);
        }
    }

    @Test
    void theDefaultSpinsShortlyAfterWorkLongerWithinAFrameAndOnlyOnFreeProcessors() {
        IdlePolicy policy = IdlePolicy.framePhase();
        assertThat(policy.spinNanos(30_000, 1, 4, 0)).isEqualTo(50_000);
        assertThat(policy.spinNanos(3_000_000, 1, 4, 0)).isEqualTo(50_000);
        assertThat(policy.spinNanos(30_000, 4, 4, 0)).isZero();
        assertThat(policy.spinNanos(30_000, 3, 4, 1)).isEqualTo(60_000);
        assertThat(policy.spinNanos(30_000, 4, 4, 1)).isZero();
        assertThat(policy.spinNanos(3_000_000, 1, 4, 2)).isEqualTo(200_000);
        assertThat(policy.spinNanos(0, 1, 4, 1)).isEqualTo(50_000);
    }

    @Test
    void handshakesOfWorkersMeasureTheWakeUp() {
        AtomicInteger ran = new AtomicInteger();
        try (TaskGraph graph =
                TaskGraph.builder().workers(2).idlePolicy(IdlePolicy.parking()).build()) {
            graph.parts.workers().measureWakeUps(0L);
            int before = graph.parts.wakeLatency().samples();
            graph.parts.workers().measureWakeUps(Long.MAX_VALUE);
            assertThat(graph.parts.wakeLatency().samples()).isGreaterThan(before);
            assertThat(graph.parts.wakeLatency().nanos()).isPositive();
            graph.task("after", ran::incrementAndGet).dispatch().await();
        }
        assertThat(ran).hasValue(1);
    }

    @Test
    void samplesOfTheWakeUpAreCounted() {
        WakeLatency latency = new WakeLatency();
        latency.record(0);
        assertThat(latency.samples()).isZero();
        latency.record(800);
        latency.record(1_600);
        assertThat(latency.samples()).isEqualTo(2);
        assertThat(latency.nanos()).isEqualTo(900);
    }
}
