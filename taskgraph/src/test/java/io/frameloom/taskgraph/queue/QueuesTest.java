package io.frameloom.taskgraph.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The queues of named threads (races 10 to 13) and the injection queue of workers (race 27). */
@Timeout(60)
final class QueuesTest {
    private record Item(int producer, int sequence) {}

    /** Two producers that append at the same time must not both succeed: one of the items would be lost. */
    @Test
    void onlyOneSegmentFollowsAnother() {
        QueueSegment last = new QueueSegment(new Object[1]);
        QueueSegment first = new QueueSegment(new Object[1]);
        assertThat(last.casNext(first)).isTrue();
        assertThat(last.casNext(new QueueSegment(new Object[1]))).isFalse();
        assertThat(last.nextVolatile()).isSameAs(first);
    }

    /** What a producer does whose append another one came before. */
    @Test
    void anAppendThatGaveWayKeepsNothing() {
        InjectionQueue<String> queue = new InjectionQueue<>(4);
        QueueSegment unused = new QueueSegment(new Object[4]);
        unused.fillFirst("item");
        queue.takeBack(unused);
        assertThat(queue.spareHoldsSomething()).isFalse();
        for (int i = 0; i < 20; i++) {
            queue.offer("a" + i);
        }
        for (int i = 0; i < 20; i++) {
            assertThat(queue.poll()).isEqualTo("a" + i);
        }
        assertThat(queue.spareHoldsSomething()).isFalse();
    }

    @Test
    void highComesBeforeNormalAndLocalBeforeMain() {
        NamedThreadQueue<String> queue = new NamedThreadQueue<>(2, null);
        queue.offer("main normal", false, false);
        queue.offer("main high", false, true);
        queue.offer("local normal", true, false);
        queue.offer("local high", true, true);
        assertThat(queue.size(true)).isEqualTo(2);
        assertThat(queue.size(false)).isEqualTo(2);
        assertThat(List.of(drain(queue, false)))
                .containsExactly(List.of("local high", "main high", "local normal", "main normal"));
    }

    @Test
    void localOnlyLeavesTheMainQueueAlone() {
        NamedThreadQueue<String> queue = new NamedThreadQueue<>(2, null);
        queue.offer("main", false, true);
        queue.offer("local", true, false);
        assertThat(drain(queue, true)).containsExactly("local");
        assertThat(queue.isEmpty(true)).isTrue();
        assertThat(queue.isEmpty(false)).isFalse();
    }

    private static List<String> drain(NamedThreadQueue<String> queue, boolean localOnly) {
        List<String> items = new ArrayList<>();
        for (String s = queue.poll(localOnly); s != null; s = queue.poll(localOnly)) {
            items.add(s);
        }
        return items;
    }

    /** A lost wake-up parks the consumer for ever: the test would time out. */
    @Test
    void manyProducersOneParkingConsumerFifoPerProducer() throws InterruptedException {
        int producers = 3;
        int each = 30_000;
        NamedThreadQueue<Item> queue = new NamedThreadQueue<>(4, null);
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int producer = p;
            threads.add(new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    queue.offer(new Item(producer, i), producer == 1, producer == 2);
                    queue.wakeConsumer();
                }
            }));
        }
        threads.forEach(Thread::start);
        int[] next = new int[producers];
        for (int got = 0; got < producers * each; ) {
            Item item = queue.poll(false);
            if (item != null) {
                assertThat(item.sequence()).isEqualTo(next[item.producer()]++);
                got++;
                continue;
            }
            queue.parker().prepare();
            if (queue.isEmpty(false)) {
                queue.parker().park();
            } else {
                queue.parker().cancel();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(queue.isEmpty(false)).isTrue();
    }

    @Test
    void anInjectionQueueKeepsTheOrderOverManySegments() {
        InjectionQueue<Integer> queue = new InjectionQueue<>(4);
        for (int i = 0; i < 100; i++) {
            queue.offer(i);
        }
        assertThat(queue.size()).isEqualTo(100);
        for (int i = 0; i < 100; i++) {
            assertThat(queue.poll()).isEqualTo(i);
        }
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.size()).isZero();
    }

    @Test
    void aProducerThatDiesBeforeItStoresHoldsUpNothing() {
        InjectionQueue<Integer> queue = new InjectionQueue<>(4);
        for (int i = 0; i < 20; i++) {
            boolean slot = queue.tail().drawToFill() < 4;
            assertThat(queue.isEmpty()).as("not until the next poll").isEqualTo(!slot);
            queue.offer(2 * i);
            queue.tail().drawToFill();
            queue.offer(2 * i + 1);
            assertThat(queue.poll()).isEqualTo(2 * i);
            assertThat(queue.poll()).isEqualTo(2 * i + 1);
            queue.tail().drawToFill();
            assertThat(queue.poll()).isNull();
            assertThat(queue.isEmpty()).isTrue();
        }
    }

    @Test
    void aProducerThatWakesUpLateFindsItsSlotClosed() {
        InjectionQueue<String> queue = new InjectionQueue<>(4);
        QueueSegment segment = queue.tail();
        long ticket = segment.drawToFill();
        queue.offer("in time");
        assertThat(queue.poll()).isEqualTo("in time");
        assertThat(segment.casFilled(ticket, "late")).isFalse();
        queue.offer("again");
        assertThat(queue.poll()).isEqualTo("again");
        assertThat(queue.poll()).isNull();
    }

    @Test
    void aProducerOfASegmentThatConsumersHaveLeftFindsTheNewOne() {
        InjectionQueue<Integer> queue = new InjectionQueue<>(1);
        QueueSegment left = queue.tail();
        queue.offer(0);
        queue.offer(1);
        assertThat(queue.poll()).isZero();
        assertThat(queue.poll()).isEqualTo(1);
        assertThat(left.nextVolatile()).as("kept alive by nothing").isSameAs(left);
        queue.offer(2);
        assertThat(queue.poll()).isEqualTo(2);
    }

    @Test
    void theSlotsOfALeftSegmentAreUsedAgainAndALateProducerCannotFillThem() {
        InjectionQueue<Integer> queue = new InjectionQueue<>(2);
        QueueSegment left = queue.tail();
        left.drawToFill();
        for (int i = 0; i < 4; i++) {
            queue.offer(i);
            assertThat(queue.poll()).isEqualTo(i);
        }
        assertThat(queue.tail()).isNotSameAs(left);
        assertThat(queue.tail().slots()).as("slots in use again").isSameAs(left.slots());
        for (int ticket = 0; ticket < 2; ticket++) {
            assertThat(left.casFilled(ticket, -1)).isFalse();
        }
        queue.offer(5);
        assertThat(queue.poll()).isEqualTo(5);
        assertThat(queue.poll()).isNull();
    }

    /** A consumer that has drawn a ticket may take its time: nobody else may have the slot. */
    @Test
    void theSlotsOfASegmentWithASlowConsumerAreNotUsedAgain() {
        InjectionQueue<Integer> queue = new InjectionQueue<>(2);
        QueueSegment left = queue.tail();
        queue.offer(0);
        long slow = left.takenVolatile();
        assertThat(left.casTaken(slow)).isTrue();
        for (int i = 1; i < 8; i++) {
            queue.offer(i);
            assertThat(queue.poll()).isEqualTo(i);
            assertThat(queue.tail().slots() == left.slots()).isEqualTo(queue.tail() == left);
        }
        assertThat(left.getAndClose(slow)).isEqualTo(0);
    }

    /** Whoever appends a segment may die before it moves the tail: consumers must not leave the tail behind. */
    @Test
    void aProducerThatDiesBeforeItMovesTheTailHoldsUpNothing() {
        InjectionQueue<Integer> queue = new InjectionQueue<>(1);
        queue.offer(0);
        QueueSegment appended = new QueueSegment(new Object[1]);
        appended.fillFirst(1);
        assertThat(queue.tail().casNext(appended)).isTrue();
        assertThat(queue.poll()).isZero();
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.poll()).isEqualTo(1);
        queue.offer(2);
        assertThat(queue.poll()).isEqualTo(2);
        assertThat(queue.poll()).isNull();
    }

    @Test
    void theInjectionQueueLosesAndDoublesNothing() throws InterruptedException {
        int producers = 2;
        int consumers = 2;
        int each = 40_000;
        InjectionQueue<Integer> queue = new InjectionQueue<>(8);
        AtomicIntegerArray seen = new AtomicIntegerArray(producers * each);
        AtomicInteger taken = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int base = p * each;
            threads.add(new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    queue.offer(base + i);
                }
            }));
        }
        for (int c = 0; c < consumers; c++) {
            threads.add(new Thread(() -> {
                while (taken.get() < producers * each) {
                    Integer item = queue.poll();
                    if (item != null) {
                        seen.incrementAndGet(item);
                        taken.incrementAndGet();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < seen.length(); i++) {
            assertThat(seen.get(i)).isEqualTo(1);
        }
    }
}
