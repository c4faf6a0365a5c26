package io.frameloom.taskgraph.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The park and wake protocol (races 10 and 11) and its treatment of interrupts. */
@Timeout(60)
final class ThreadParkerTest {
    @Test
    void aWakeWithoutAnAnnouncementDoesNothing() {
        ThreadParker parker = new ThreadParker(null);
        assertThat(parker.wake()).isFalse();
        parker.prepare();
        assertThat(parker.parkUntil(System.nanoTime() + 1_000_000)).isFalse();
        assertThat(parker.wake()).isFalse();
    }

    @Test
    void aWakeAfterTheAnnouncementPreventsThePark() {
        ThreadParker parker = new ThreadParker(null);
        parker.prepare();
        assertThat(parker.wake()).isTrue();
        parker.park();
        parker.prepare();
        parker.cancel();
        assertThat(parker.wake()).isFalse();
    }

    /** Such a wake costs no unpark. */
    @Test
    void anActiveWaitEndsWithTheWakeOrItsTimeAndTheParkFollows() throws InterruptedException {
        ThreadParker parker = new ThreadParker(null);
        parker.prepare();
        assertThat(parker.spin(0)).isFalse();
        assertThat(parker.spin(1_000)).isFalse();
        assertThat(parker.parkedThread()).isSameAs(Thread.currentThread());
        Thread waker = new Thread(parker::wake);
        waker.start();
        assertThat(parker.spin(Long.MAX_VALUE)).isTrue();
        parker.park();
        assertThat(parker.lastWakeLatencyNanos()).isZero();
        waker.join();
    }

    @Test
    void anInterruptNeitherEndsTheParkNorGetsLost() throws InterruptedException {
        ThreadParker parker = new ThreadParker(null);
        AtomicReference<String> seen = new AtomicReference<>("");
        AtomicInteger condition = new AtomicInteger();
        Thread thread = new Thread(() -> {
            parker.prepare();
            parker.park();
            seen.set(condition.get() + "/" + Thread.currentThread().isInterrupted());
        });
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        thread.interrupt();
        while (thread.isInterrupted() || thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        condition.set(1);
        assertThat(parker.wake()).isTrue();
        thread.join();
        assertThat(seen).hasValue("1/true");
    }

    @Test
    void aStalePermitDoesNotEndThePark() throws InterruptedException {
        ThreadParker parker = new ThreadParker(null);
        Thread thread = new Thread(() -> {
            java.util.concurrent.locks.LockSupport.unpark(Thread.currentThread());
            parker.prepare();
            parker.park();
        });
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            assertThat(thread.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        while (!parker.wake()) {
            Thread.onSpinWait();
        }
        thread.join();
    }

    /** If a wake-up got lost, the ping-pong would stop and the test time out. */
    @Test
    void pingPongNeverLosesAWake() throws InterruptedException {
        int rounds = 30_000;
        ThreadParker[] parkers = {new ThreadParker(null), new ThreadParker(null)};
        AtomicInteger turn = new AtomicInteger();
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    while (turn.get() % 2 != me) {
                        parkers[me].prepare();
                        if (turn.get() % 2 == me) {
                            parkers[me].cancel();
                        } else {
                            parkers[me].park();
                        }
                    }
                    turn.incrementAndGet();
                    parkers[1 - me].wake();
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(turn).hasValue(2 * rounds);
    }
}
