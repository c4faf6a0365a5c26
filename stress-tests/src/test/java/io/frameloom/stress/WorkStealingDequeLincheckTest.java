package io.frameloom.stress;

import io.frameloom.taskgraph.queue.WorkStealingDeque;
import io.frameloom.testing.TestEffort;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The deque is linearizable for one owner and many thieves, growth and the overflow of its index included. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkStealingDequeLincheckTest {
    private static final int THREADS = 3;
    private static final int SCENARIOS = TestEffort.of(4, 20);

    /** The shipped deque; the smallest array, so that it grows, goes round or is renewed in almost every run. */
    public static class Shipped {
        private final WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE - 1, 2);

        /** Pushes an item. */
        @Operation(nonParallelGroup = "owner")
        public void push(@Param(gen = IntGen.class, conf = "1:4") int item) {
            deque.push(item);
        }

        /** Takes the item pushed last. */
        @Operation(nonParallelGroup = "owner")
        public @Nullable Integer pop() {
            return deque.pop();
        }

        /** Takes the item pushed last if it is the given one. */
        @Operation(nonParallelGroup = "owner")
        public boolean popIfLast(@Param(gen = IntGen.class, conf = "1:4") int item) {
            return deque.popIfLast(item);
        }

        /** Takes the item pushed first. */
        @Operation
        public @Nullable Integer steal() {
            return deque.steal();
        }

        /** Whether there is nothing to take. */
        @Operation
        public boolean isEmpty() {
            return deque.isEmpty();
        }
    }

    /** The same by one thread. */
    public static class Sequential {
        private final Deque<Integer> deque = new ArrayDeque<>();

        /** Pushes an item. */
        public void push(int item) {
            deque.addLast(item);
        }

        /** Takes the item pushed last. */
        public @Nullable Integer pop() {
            return deque.pollLast();
        }

        /** Takes the item pushed last if it is the given one. */
        public boolean popIfLast(int item) {
            Integer last = deque.peekLast();
            return last != null && last == item && deque.removeLast() == item;
        }

        /** Takes the item pushed first. */
        public @Nullable Integer steal() {
            return deque.pollFirst();
        }

        /** Whether there is nothing to take. */
        public boolean isEmpty() {
            return deque.isEmpty();
        }
    }

    @Test
    void everyInterleavingIsLinearizable() {
        new ModelCheckingOptions()
                .iterations(SCENARIOS)
                .invocationsPerIteration(400)
                .threads(THREADS)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Sequential.class)
                .check(Shipped.class);
    }

    /** In the usual run jcstress alone has real threads, which it is better at. */
    @Test
    @Tag("thorough")
    void realThreadsFindNothingElse() {
        new StressOptions()
                .iterations(SCENARIOS)
                .invocationsPerIteration(1_000)
                .threads(THREADS)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(Sequential.class)
                .check(Shipped.class);
    }
}
