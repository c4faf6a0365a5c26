package io.frameloom.stress;

import io.frameloom.taskgraph.queue.NamedThreadQueue;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One queue of a named thread is a linearizable FIFO for many producers and one consumer. Between queues of different priority there is no such
 * order: a scan may have passed the higher one when something arrives there.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NamedThreadQueueLincheckTest {
    /** The main queue at normal priority; arrays of two items, so that one is added in almost every run. */
    public static class Shipped {
        private final NamedThreadQueue<Integer> queues = new NamedThreadQueue<>(2, null);

        /** Offers an item. */
        @Operation
        public void offer(@Param(gen = IntGen.class, conf = "1:4") int item) {
            queues.offer(item, false, false);
        }

        /** Takes an item; null only from an empty queue. */
        @Operation(nonParallelGroup = "consumer")
        public @Nullable Integer take() {
            Integer item = queues.poll(false);
            while (item == null && !queues.isEmpty(false)) {
                // A producer is in the middle of its offer.
                Thread.onSpinWait();
                item = queues.poll(false);
            }
            return item;
        }
    }

    /** The same by one thread. */
    public static class Sequential {
        private final Queue<Integer> queue = new ArrayDeque<>();

        /** Offers an item. */
        public void offer(int item) {
            queue.add(item);
        }

        /** Takes an item. */
        public @Nullable Integer take() {
            return queue.poll();
        }
    }

    @Test
    void everyInterleavingIsLinearizable() {
        LincheckRuns.modelCheck(Shipped.class, Sequential.class);
    }
}
