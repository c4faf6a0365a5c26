package io.frameloom.stress;

import io.frameloom.taskgraph.queue.InjectionQueue;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The injection queue is a linearizable FIFO for many producers and many consumers. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InjectionQueueLincheckTest {
    /** Segments of two, so that one is added in almost every run. */
    public static class Shipped {
        private final InjectionQueue<Integer> queue = new InjectionQueue<>(2);

        /** Offers an item. */
        @Operation
        public void offer(@Param(gen = IntGen.class, conf = "1:4") int item) {
            queue.offer(item);
        }

        /** Takes an item; null only from an empty queue. */
        @Operation
        public @Nullable Integer take() {
            return queue.poll();
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
