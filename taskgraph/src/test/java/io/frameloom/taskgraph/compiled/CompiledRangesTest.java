package io.frameloom.taskgraph.compiled;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stacks and deques of ranges against simple models. */
@Timeout(60)
final class CompiledRangesTest {
    @ParameterizedTest
    @ValueSource(longs = {0L, Integer.MAX_VALUE - 5L, (1L << 32) - 3L, 1L << 40})
    void dequeTakesTheNewestAndStealsTheOldest(long firstIndex) {
        RangeDeque deque = new RangeDeque(2, firstIndex);
        ArrayDeque<Long> model = new ArrayDeque<>();
        SplittableRandom random = new SplittableRandom(firstIndex);
        for (int i = 0; i < 20_000; i++) {
            long expected = RangeDeque.NOTHING;
            long taken = RangeDeque.NOTHING;
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    model.addLast((long) i);
                    deque.push(i);
                }
                case 2 -> {
                    expected = model.isEmpty() ? RangeDeque.NOTHING : model.removeLast();
                    taken = deque.pop();
                }
                default -> {
                    expected = model.isEmpty() ? RangeDeque.NOTHING : model.removeFirst();
                    taken = deque.steal();
                }
            }
            assertThat(taken).as("step %d", i).isEqualTo(expected);
            assertThat(deque.isEmpty()).isEqualTo(model.isEmpty());
        }
    }

    @Test
    void aDequeWithoutMemoryIsEmptyAndGetsSomeWhenSomethingIsPushed() {
        RangeDeque deque = new RangeDeque(0);
        assertThat(deque.isEmpty()).isTrue();
        assertThat(deque.pop()).isEqualTo(RangeDeque.NOTHING);
        assertThat(deque.steal()).isEqualTo(RangeDeque.NOTHING);
        assertThat(deque.ranges()).isEmpty();
        for (int item = 0; item < 100; item++) {
            deque.push(item);
        }
        assertThat(deque.isEmpty()).isFalse();
        assertThat(deque.ranges()).hasSize(100);
        assertThat(deque.steal()).isZero();
        assertThat(deque.pop()).isEqualTo(99);
    }

    /** Owner and two thieves: every item is taken once. */
    @ParameterizedTest
    @ValueSource(longs = {0L, Integer.MAX_VALUE - 500L})
    void everyItemIsTakenOnce(long firstIndex) throws InterruptedException {
        int items = 200_000;
        RangeDeque deque = new RangeDeque(2, firstIndex);
        AtomicIntegerArray taken = new AtomicIntegerArray(items + 1);
        Thread[] thieves = new Thread[2];
        for (int i = 0; i < thieves.length; i++) {
            thieves[i] = new Thread(() -> {
                long item = deque.steal();
                while (item != items) {
                    if (item != RangeDeque.NOTHING) {
                        taken.incrementAndGet((int) item);
                    }
                    item = taken.get(items) > 0 ? items : deque.steal();
                }
            });
            thieves[i].start();
        }
        for (int item = 0; item < items; item++) {
            deque.push(item);
            if (item % 3 == 0) {
                long own = deque.pop();
                if (own != RangeDeque.NOTHING) {
                    taken.incrementAndGet((int) own);
                }
            }
        }
        for (long own = deque.pop(); own != RangeDeque.NOTHING; own = deque.pop()) {
            taken.incrementAndGet((int) own);
        }
        taken.set(items, 1);
        for (Thread thief : thieves) {
            thief.join();
        }
        for (int item = 0; item < items; item++) {
            assertThat(taken.get(item)).as("item %d", item).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64})
    void aRangeIsGivenAwayInHalves(int size) {
        RangeStack stack = new RangeStack(1);
        stack.push(10, 10 + size);
        stack.push(5, 6);
        int seen = 0;
        for (long range = stack.takeOldestHalf(); range != RangeDeque.NOTHING; range = stack.takeOldestHalf()) {
            assertThat(RangeDeque.end(range)).isGreaterThan(RangeDeque.first(range));
            seen += RangeDeque.end(range) - RangeDeque.first(range);
        }
        assertThat(seen).isEqualTo(size + 1);
        assertThat(stack.isEmpty()).isTrue();
        assertThat(stack.pop()).isEqualTo(-1);
    }
}
