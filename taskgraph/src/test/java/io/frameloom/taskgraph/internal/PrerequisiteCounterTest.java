package io.frameloom.taskgraph.internal;

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
        PrerequisiteCounter counter = new PrerequisiteCounter(3);
        assertThat(counter.completeOne()).isFalse();
        assertThat(counter.outstanding()).isEqualTo(2);
        assertThat(counter.complete(2)).isTrue();
        assertThatThrownBy(counter::completeOne).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void addsOnlyBeforeZero() {
        PrerequisiteCounter counter = new PrerequisiteCounter(1);
        assertThat(counter.tryAdd()).isTrue();
        assertThat(counter.complete(1)).isFalse();
        assertThat(counter.complete(1)).isTrue();
        assertThat(counter.tryAdd()).isFalse();
    }

    @Test
    void theLastOneSeesTheWritesOfAll() throws Exception {
        int threads = 3;
        int rounds = 20_000;
        int[][] plain = new int[threads][1];
        PrerequisiteCounter[] counters = new PrerequisiteCounter[rounds];
        AtomicInteger[] winners = new AtomicInteger[rounds];
        for (int i = 0; i < rounds; i++) {
            counters[i] = new PrerequisiteCounter(threads);
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
                        if (counters[i].completeOne()) {
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
