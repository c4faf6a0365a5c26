package io.frameloom.taskgraph.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Race 14, and 34's wrap-around: sleeping against notifying. */
@Timeout(60)
final class EventCountTest {
    private static final long LAST_VERSION = (1L << 34) - 1;

    @Test
    void notifiesNobodyWhenNobodyWaits() {
        EventCount count = new EventCount(2, 0L, null);
        assertThat(count.notifyOne()).isFalse();
        assertThat(count.hasWaiters()).isFalse();
    }

    @Test
    void aNotificationBetweenPrepareAndCommitIsConsumedByTheCommit() {
        EventCount count = new EventCount(2, LAST_VERSION, null);
        count.prepareWait();
        assertThat(count.hasWaiters()).isTrue();
        assertThat(count.notifyOne()).isTrue();
        assertThat(count.notifyOne()).isFalse();
        count.commitWait(1, () -> false, ThreadParker::park);
        assertThat(count.hasWaiters()).isFalse();
    }

    @Test
    void cancelSaysWhetherANotificationWasConsumed() {
        EventCount count = new EventCount(2, 0L, null);
        count.prepareWait();
        assertThat(count.cancelWait()).isFalse();
        count.prepareWait();
        count.prepareWait();
        count.notifyOne();
        assertThat(count.cancelWait()).isFalse();
        assertThat(count.cancelWait()).isTrue();
        assertThat(count.notifyOne()).isFalse();
    }

    @Test
    void aWaiterThatIsWantedDoesNotSleep() {
        EventCount count = new EventCount(1, 0L, null);
        count.prepareWait();
        assertThat(count.commitWait(0, () -> true, ThreadParker::park)).isFalse();
        assertThat(count.hasWaiters()).isFalse();
        count.prepareWait();
        count.notifyOne();
        assertThat(count.commitWait(0, () -> true, ThreadParker::park)).isTrue();
        assertThat(count.notifyOne()).isFalse();
    }

    @Test
    void notifyingAllTellsHowManyAreNewlyNotified() {
        EventCount count = new EventCount(3, LAST_VERSION, null);
        assertThat(count.notifyAllWaiters()).isZero();
        count.prepareWait();
        count.prepareWait();
        count.notifyOne();
        assertThat(count.notifyAllWaiters()).isEqualTo(1);
        assertThat(count.notifyAllWaiters()).isZero();
        count.commitWait(0, () -> false, ThreadParker::park);
        count.commitWait(1, () -> false, ThreadParker::park);
        assertThat(count.hasWaiters()).isFalse();
    }

    /** Between the look and the push something is published, all are notified, and another takes the signal. */
    @Test
    void aWaiterLooksAgainAfterEveryCallToAll() {
        EventCount count = new EventCount(2, LAST_VERSION, null);
        AtomicInteger looks = new AtomicInteger();
        count.prepareWait();
        boolean notified = count.commitWait(
                0,
                () -> {
                    if (looks.incrementAndGet() == 1) {
                        count.notifyAllWaiters();
                        count.prepareWait();
                        count.commitWait(1, () -> false, ThreadParker::park);
                        return false;
                    }
                    return true;
                },
                ThreadParker::park);
        assertThat(notified).isFalse();
        assertThat(looks).hasValue(2);
        assertThat(count.hasWaiters()).isFalse();
    }

    @Test
    void refusesTooManyWaiters() {
        assertThatThrownBy(() -> new EventCount(EventCount.MAX_WAITERS + 1, 0L, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A lost wake-up leaves items in the queue with every consumer asleep: the test would time out. */
    @ParameterizedTest
    @CsvSource({"1,0", "2,17179869180", "4,17179869183", "8,17179869000"})
    void everyItemIsConsumedAndTheVersionWraps(int consumers, long version) throws InterruptedException {
        int producers = 2;
        int perProducer = 10_000;
        EventCount count = new EventCount(consumers, version, null);
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        AtomicInteger consumed = new AtomicInteger();
        int total = producers * perProducer;
        List<Thread> threads = new ArrayList<>();
        for (int c = 0; c < consumers; c++) {
            int id = c;
            threads.add(new Thread(() -> consume(count, id, queue, consumed, total)));
        }
        for (int p = 0; p < producers; p++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < perProducer; i++) {
                    queue.add(i);
                    count.notifyOne();
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(consumed.get()).isEqualTo(total);
        assertThat(count.hasWaiters()).isFalse();
        assertThat(count.notifyOne()).isFalse();
    }

    private static void consume(
            EventCount count, int id, ConcurrentLinkedQueue<Integer> queue, AtomicInteger consumed, int total) {
        while (consumed.get() < total) {
            if (queue.poll() != null) {
                if (consumed.incrementAndGet() == total) {
                    count.notifyAllWaiters();
                }
                continue;
            }
            count.prepareWait();
            Integer item = queue.poll();
            if (item != null || consumed.get() >= total) {
                boolean passOn = count.cancelWait();
                if (item != null && consumed.incrementAndGet() == total) {
                    count.notifyAllWaiters();
                } else if (passOn) {
                    count.notifyOne();
                }
            } else {
                count.commitWait(id, () -> false, ThreadParker::park);
            }
        }
    }
}
