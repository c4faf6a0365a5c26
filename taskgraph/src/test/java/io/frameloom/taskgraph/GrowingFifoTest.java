package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.internal.GrowingFifo;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class GrowingFifoTest {
    @Test
    void givesOutInOrderWhatCameIn() {
        Random random = new Random(11);
        GrowingFifo<Integer> fifo = new GrowingFifo<>();
        ArrayDeque<Integer> expected = new ArrayDeque<>();
        for (int i = 0; i < 20_000; i++) {
            boolean grows = i / 1_000 % 2 == 0;
            if (random.nextInt(3) < (grows ? 2 : 1)) {
                fifo.add(i);
                expected.add(i);
            } else {
                assertThat(fifo.poll()).isEqualTo(expected.poll());
            }
        }
        while (!expected.isEmpty()) {
            assertThat(fifo.poll()).isEqualTo(expected.poll());
        }
        assertThat(fifo.poll()).isNull();
    }

    @Test
    void losesNothingWhenTheMemoryEnds() throws IOException, InterruptedException {
        assertThat(ChildJvm.run(FullHeap.class, "-Xmx16m", "-XX:+UseSerialGC")).contains("nothing lost");
    }

    /** Adds until the queue can grow no more, and once more after that. */
    static final class FullHeap {
        private FullHeap() {}

        public static void main(String[] args) {
            GrowingFifo<Integer> fifo = new GrowingFifo<>();
            Integer item = 7;
            long added = 0;
            int refused = 0;
            while (refused < 2) {
                try {
                    fifo.add(item);
                    added++;
                } catch (OutOfMemoryError e) {
                    refused++;
                }
            }
            long taken = 0;
            for (@Nullable Integer next = fifo.poll(); next != null; next = fifo.poll()) {
                taken++;
            }
            System.out.println(taken == added && added > 1_000 ? "nothing lost" : taken + " of " + added);
        }
    }
}
