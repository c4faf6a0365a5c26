package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Race 31: a thread that has launched a run of nodes for named threads alone sleeps before it begins it. Meanwhile another
 * one begins and ends that run and offers the next. Explored schedules do not come to this; here it is built.
 */
@Timeout(60)
final class LateLauncherTest {
    private static final String LAUNCHER = "launcher";
    private static final String OTHER = "other";

    /** The threads of the system, two of which stop where the story wants it. */
    private static final class StoppingScheduler extends OperatingSystemThreads {
        final CountDownLatch launcherStopped = new CountDownLatch(1);
        final CountDownLatch launcherMayGoOn = new CountDownLatch(1);
        final CountDownLatch launcherEnded = new CountDownLatch(1);
        private final AtomicInteger launcherClaims = new AtomicInteger();
        private final AtomicInteger otherDispatches = new AtomicInteger();

        @Override
        public void reached(SchedulingPoint point, @Nullable String subject) {
            String name = Thread.currentThread().getName();
            // The first claim is that of the run, the second that of its beginning.
            if (name.equals(LAUNCHER)
                    && point == SchedulingPoint.CLAIM
                    && "bound".equals(subject)
                    && launcherClaims.incrementAndGet() == 2) {
                launcherStopped.countDown();
                await(launcherMayGoOn);
            }
            // The second dispatch of a run stands between the offer of its beginning and the opening of the gate.
            if (name.equals(OTHER)
                    && point == SchedulingPoint.DISPATCH
                    && "bound".equals(subject)
                    && otherDispatches.incrementAndGet() == 2) {
                launcherMayGoOn.countDown();
                await(launcherEnded);
            }
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void park(Object blocker) {
            stopWaitingForIt();
            LockSupport.park(blocker);
        }

        @Override
        public void parkUntil(Object blocker, long deadlineNanos) {
            stopWaitingForIt();
            LockSupport.parkNanos(blocker, deadlineNanos - System.nanoTime());
        }

        /** The other thread cannot end the run without the launcher, which is as it should be. */
        private void stopWaitingForIt() {
            if (Thread.currentThread().getName().equals(OTHER)) {
                launcherMayGoOn.countDown();
            }
        }
    }

    @Test
    void aLateLauncherLeavesTheNextRunAlone() throws InterruptedException {
        StoppingScheduler scheduler = new StoppingScheduler();
        TaskGraph graph = TaskGraph.builder().workers(1).scheduler(scheduler).build();
        graph.start(NamedThread.RENDER);
        AtomicInteger ran = new AtomicInteger();
        GraphBuilder builder = graph.graphBuilder("bound");
        builder.node("node", ran::incrementAndGet).on(NamedThread.RENDER);
        CompiledGraph compiled = builder.build();
        Thread launcher = new Thread(
                () -> {
                    compiled.run();
                    scheduler.launcherEnded.countDown();
                },
                LAUNCHER);
        AtomicInteger ended = new AtomicInteger();
        Thread other = new Thread(
                () -> {
                    compiled.event().await();
                    RunEvent second = compiled.run();
                    ended.set(second.await(Duration.ofSeconds(10)) ? 1 : -1);
                },
                OTHER);
        launcher.setDaemon(true);
        other.setDaemon(true);
        launcher.start();
        scheduler.launcherStopped.await();
        other.start();
        other.join();
        assertThat(ended).as("the second run ends").hasValue(1);
        assertThat(ran).hasValue(2);
        graph.close();
    }
}
