package io.frameloom.taskgraph.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The queues of named threads (races 10 to 13) and the worker injection queue. */
@Timeout(60)
final class QueuesTest {
    private record Item(int producer, int sequence) {}

    @Test
    void highComesBeforeNormalAndLocalBeforeMain() {
        NamedThreadQueue<String> queue = new NamedThreadQueue<>(2);
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
        NamedThreadQueue<String> queue = new NamedThreadQueue<>(2);
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
        NamedThreadQueue<Item> queue = new NamedThreadQueue<>(4);
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
    void theInjectionQueueOverflowsInOrder() {
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
