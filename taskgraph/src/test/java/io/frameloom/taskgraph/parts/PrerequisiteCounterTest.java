package io.frameloom.taskgraph.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Races 3, 4 and 7: who is last, the set-up lock, and visibility of every prerequisite's writes. */
@Timeout(60)
final class PrerequisiteCounterTest {
    @Test
    void reachesZeroOnce() {
        OpenCounter counter = new OpenCounter(3);
        assertThat(counter.one()).isFalse();
        assertThat(counter.left()).isEqualTo(2);
        assertThat(counter.several(2)).isTrue();
        assertThatThrownBy(counter::completeOne).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void addsOnlyBeforeZero() {
        OpenCounter counter = new OpenCounter(1);
        assertThat(counter.addOne()).isTrue();
        assertThat(counter.several(1)).isFalse();
        assertThat(counter.several(1)).isTrue();
        assertThat(counter.addOne()).isFalse();
    }

    @Test
    void theLastOneSeesTheWritesOfAll() throws Exception {
        int threads = 3;
        int rounds = 20_000;
        int[][] plain = new int[threads][1];
        OpenCounter[] counters = new OpenCounter[rounds];
        AtomicInteger[] winners = new AtomicInteger[rounds];
        for (int i = 0; i < rounds; i++) {
            counters[i] = new OpenCounter(threads);
            winners[i] = new AtomicInteger();
        }
        CyclicBarrier barrier = new CyclicBarrier(threads);
        AtomicInteger invisible = new AtomicInteger();
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int id = t;
            Thread thread = new Thread(() -> {
                try {
                    for (int i = 0; i < rounds; i++) {
                        if (i % 64 == 0) {
                            barrier.await();
                        }
                        plain[id][0] = i + 1;
                        if (counters[i].one()) {
                            winners[i].incrementAndGet();
                            for (int[] cell : plain) {
                                if (cell[0] < i + 1) {
                                    invisible.incrementAndGet();
                                }
                            }
                        }
                    }
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            running.add(thread);
            thread.start();
        }
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(invisible).hasValue(0);
        assertThat(winners).allSatisfy(w -> assertThat(w).hasValue(1));
    }
}
