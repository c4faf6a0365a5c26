package io.frameloom.taskgraph.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.OperatingSystemThreads;
import io.frameloom.taskgraph.SchedulingPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Wake-ups that end in an error, as at the end of a stack: before the parked thread's state is changed, and behind it. */
@Timeout(60)
final class FailedWakeTest {
    private final FailingScheduler scheduler = new FailingScheduler();
    private final EventCount count = new EventCount(3, 0L, scheduler);
    private final List<CompletableFuture<Boolean>> sleepers = new ArrayList<>();

    /** The operating system's threads, but one wake-up or unpark throws. */
    private static final class FailingScheduler extends OperatingSystemThreads {
        final Semaphore parked = new Semaphore(0);
        final AtomicInteger wakesUntilError = new AtomicInteger(-1);
        volatile boolean unparkFails;

        @Override
        public void reached(SchedulingPoint point, @Nullable String subject) {
            if (point == SchedulingPoint.WAKE && wakesUntilError.get() >= 0 && wakesUntilError.getAndDecrement() == 0) {
                throw new StackOverflowError("wake");
            }
        }

        @Override
        public void park(Object blocker) {
            parked.release();
            LockSupport.park(blocker);
        }

        @Override
        public void unpark(Thread thread) {
            if (unparkFails) {
                unparkFails = false;
                throw new StackOverflowError("unpark");
            }
            LockSupport.unpark(thread);
        }
    }

    /** Returns when the sleeper is in its park. */
    private Thread sleep(int waiter) {
        CompletableFuture<Boolean> notified = new CompletableFuture<>();
        sleepers.add(notified);
        Thread thread = new Thread(() -> {
            count.prepareWait();
            notified.complete(count.commitWait(waiter, () -> false));
        });
        thread.setDaemon(true);
        thread.start();
        scheduler.parked.acquireUninterruptibly();
        return thread;
    }

    private void assertAllNotified() {
        assertThat(sleepers).allMatch(CompletableFuture::join);
        assertThat(count.hasWaiters()).isFalse();
        assertThat(count.notifyOne()).isFalse();
    }

    @Test
    void aWaiterWhoseWakeUpFailedIsWokenByTheNextNotification() {
        sleep(0);
        scheduler.wakesUntilError.set(1);
        assertThatThrownBy(count::notifyOne).isInstanceOf(StackOverflowError.class);
        assertThat(count.hasWaiters()).isTrue();
        assertThat(count.notifyOne()).isTrue();
        assertAllNotified();
    }

    @Test
    void aWaiterWhoseUnparkFailedIsUnparkedByTheNextNotification() {
        sleep(0);
        scheduler.unparkFails = true;
        assertThatThrownBy(count::notifyOne).isInstanceOf(StackOverflowError.class);
        assertThat(count.notifyOne()).isTrue();
        assertAllNotified();
    }

    @Test
    void aNotificationOfAllFindsAWaiterWhoseWakeUpFailed() {
        sleep(0);
        sleep(1);
        scheduler.wakesUntilError.set(1);
        assertThatThrownBy(count::notifyOne).isInstanceOf(StackOverflowError.class);
        assertThat(count.notifyAllWaiters()).isEqualTo(2);
        assertAllNotified();
    }

    @Test
    void aNotificationOfAllThatFailsLeavesNobodyBehind() {
        sleep(0);
        sleep(1);
        sleep(2);
        scheduler.wakesUntilError.set(2);
        assertThatThrownBy(count::notifyAllWaiters).isInstanceOf(StackOverflowError.class);
        assertThat(count.notifyOne()).isTrue();
        assertThat(count.notifyOne()).isTrue();
        assertAllNotified();
    }

    @Test
    void aWaiterThatWokeByItselfAfterAFailedUnparkWasNotNotified() {
        Thread sleeper = sleep(0);
        scheduler.unparkFails = true;
        assertThatThrownBy(count::notifyOne).isInstanceOf(StackOverflowError.class);
        LockSupport.unpark(sleeper);
        assertThat(sleepers.get(0).join()).isFalse();
        assertThat(count.notifyOne()).isFalse();
        assertThat(count.hasWaiters()).isFalse();
    }

    @Test
    void aParkedThreadWhoseUnparkFailedIsUnparkedByTheNextWake() throws InterruptedException {
        ThreadParker parker = new ThreadParker(scheduler);
        Thread thread = new Thread(() -> {
            parker.prepare();
            parker.park();
        });
        thread.setDaemon(true);
        thread.start();
        scheduler.parked.acquireUninterruptibly();
        scheduler.unparkFails = true;
        assertThatThrownBy(parker::wake).isInstanceOf(StackOverflowError.class);
        parker.wake();
        thread.join();
        assertThat(thread.isAlive()).isFalse();
    }
}
