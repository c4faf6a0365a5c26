package io.frameloom.taskgraph.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deque of a worker: by one thread against a model, then with thieves (races 6, 17, 18, 19). */
@Timeout(60)
final class WorkStealingDequeTest {
    @ParameterizedTest
    @ValueSource(longs = {0, -3, Long.MAX_VALUE - 40, Integer.MAX_VALUE - 40L, (1L << 32) - 40})
    void behavesLikeAnArrayDequeFromAnyFirstIndex(long firstIndex) {
        for (long seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            WorkStealingDeque<Integer> deque =
                    new WorkStealingDeque<>(2 << random.nextInt(3), firstIndex, 1 + random.nextInt(60));
            Deque<Integer> model = new ArrayDeque<>();
            int pushes = 1 + random.nextInt(4);
            for (int step = 0; step < 400; step++) {
                String where = "seed " + seed + ", first index " + firstIndex + ", step " + step;
                switch (Math.min(random.nextInt(3 + pushes), 3)) {
                    case 0 -> assertThat(deque.pop()).as(where).isEqualTo(model.pollLast());
                    case 1 -> assertThat(deque.steal()).as(where).isEqualTo(model.pollFirst());
                    case 2 -> {
                        assertThat(deque.size()).as(where).isEqualTo(model.size());
                        assertThat(deque.isEmpty()).as(where).isEqualTo(model.isEmpty());
                        if (!model.isEmpty()) {
                            assertThat(deque.last()).as(where).isEqualTo(model.peekLast());
                        }
                    }
                    default -> {
                        deque.push(step);
                        model.addLast(step);
                    }
                }
                if (step == 200) {
                    pushes = 1;
                }
            }
        }
    }

    /** Growth and renewal: an array of 64 items is not needed for the few that come after the flood. */
    @Test
    void anArrayThatHasGrownDoesNotStay() {
        WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, 0, 1);
        for (int i = 0; i < 64; i++) {
            deque.push(i);
        }
        assertThat(deque.capacity()).isEqualTo(64);
        for (int i = 0; i < 60; i++) {
            assertThat(deque.steal()).isEqualTo(i);
        }
        for (int i = 64; i < 300; i++) {
            deque.push(i);
            assertThat(deque.steal()).isEqualTo(i - 4);
        }
        assertThat(deque.capacity()).isLessThanOrEqualTo(16);
        for (int i = 296; i < 300; i++) {
            assertThat(deque.steal()).isEqualTo(i);
        }
        assertThat(deque.pop()).isNull();
    }

    @Test
    void growthKeepsTheOrderOfBothEnds() {
        WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE - 5);
        for (int i = 0; i < 100; i++) {
            deque.push(i);
        }
        for (int i = 0; i < 50; i++) {
            assertThat(deque.steal()).isEqualTo(i);
            assertThat(deque.pop()).isEqualTo(99 - i);
        }
        assertThat(deque.pop()).isNull();
        assertThat(deque.steal()).isNull();
    }

    @Test
    void takenItemsAreNotKeptAlive() {
        WorkStealingDeque<Object> deque = new WorkStealingDeque<>(8, 0);
        List<WeakReference<Object>> taken = new ArrayList<>();
        pushNew(deque, 4, taken);
        deque.steal();
        deque.steal();
        deque.pop();
        deque.pop();
        awaitCollected(taken);
    }

    /** Thieves leave copies to the owner, who clears them when it finds the deque empty. */
    @Test
    void itemsCopiedByGrowthAreNotKeptAliveOnceTheOwnerFoundTheDequeEmpty() {
        WorkStealingDeque<Object> deque = new WorkStealingDeque<>(4, Long.MAX_VALUE - 2);
        List<WeakReference<Object>> taken = new ArrayList<>();
        pushNew(deque, 5, taken);
        for (int i = 0; i < 5; i++) {
            deque.pop();
        }
        pushNew(deque, 3, taken);
        for (int i = 0; i < 3; i++) {
            deque.steal();
        }
        assertThat(deque.pop()).isNull();
        pushNew(deque, 2, taken);
        deque.steal();
        deque.steal();
        assertThat(deque.pop()).isNull();
        awaitCollected(taken);
        assertThat(deque.isEmpty()).isTrue();
    }

    private static void pushNew(WorkStealingDeque<Object> deque, int count, List<WeakReference<Object>> pushed) {
        for (int i = 0; i < count; i++) {
            Object item = new Object();
            deque.push(item);
            pushed.add(new WeakReference<>(item));
        }
    }

    /** Ends when the collector has found all; an item that is kept alive is a timeout. */
    private static void awaitCollected(List<WeakReference<Object>> references) {
        while (references.stream().anyMatch(r -> r.get() != null)) {
            System.gc();
            Thread.onSpinWait();
        }
    }

    @Test
    void everyItemIsTakenOnceByOwnerOrThieves() throws InterruptedException {
        int items = 400_000;
        AtomicIntegerArray taken = new AtomicIntegerArray(items);
        WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, Long.MAX_VALUE - items / 2);
        Random random = new Random(7);
        withThieves(deque, i -> taken.incrementAndGet(i), () -> {
            int next = 0;
            while (next < items) {
                for (int burst = random.nextInt(12); burst > 0 && next < items; burst--) {
                    deque.push(next++);
                }
                for (int burst = random.nextInt(12); burst > 0; burst--) {
                    Integer item = deque.pop();
                    if (item != null) {
                        taken.incrementAndGet(item);
                    }
                }
            }
        });
        for (int i = 0; i < items; i++) {
            assertThat(taken.get(i)).as("takes of item %d", i).isEqualTo(1);
        }
    }

    /** One item at a time: every pop and every steal is after the last one. */
    @Test
    void theLastItemIsTakenOnce() throws InterruptedException {
        int items = 1_000_000;
        AtomicIntegerArray taken = new AtomicIntegerArray(items);
        WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, 0);
        withThieves(deque, i -> taken.incrementAndGet(i), () -> {
            for (int i = 0; i < items; i++) {
                deque.push(i);
                Integer item = deque.pop();
                if (item != null) {
                    taken.incrementAndGet(item);
                }
            }
        });
        for (int i = 0; i < items; i++) {
            assertThat(taken.get(i)).as("takes of item %d", i).isEqualTo(1);
        }
    }

    /** The slot always holds the same object, so no thief can tell by it whether its item is still there. */
    @Test
    void theSameObjectMayBeInTheDequeManyTimes() throws InterruptedException {
        int pushes = 1_000_000;
        Integer same = 0;
        AtomicInteger stolen = new AtomicInteger();
        AtomicInteger popped = new AtomicInteger();
        WorkStealingDeque<Integer> deque = new WorkStealingDeque<>(2, 0);
        withThieves(deque, i -> stolen.incrementAndGet(), () -> {
            for (int i = 0; i < pushes; i++) {
                deque.push(same);
                if ((i & 3) == 3 && deque.pop() != null) {
                    popped.incrementAndGet();
                }
            }
            while (deque.pop() != null) {
                popped.incrementAndGet();
            }
        });
        assertThat(stolen.get() + popped.get()).isEqualTo(pushes);
    }

    /** Runs the owner on this thread against two thieves, until everything is taken. */
    private static void withThieves(WorkStealingDeque<Integer> deque, IntConsumer onStolen, Runnable owner)
            throws InterruptedException {
        AtomicBoolean ownerDone = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> thieves = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread thief = new Thread(() -> {
                boolean last;
                do {
                    last = ownerDone.get();
                    for (Integer item = deque.steal(); item != null; item = deque.steal()) {
                        onStolen.accept(item);
                    }
                } while (!last);
            });
            thief.setUncaughtExceptionHandler((t, e) -> failure.set(e));
            thieves.add(thief);
            thief.start();
        }
        owner.run();
        ownerDone.set(true);
        for (Thread thief : thieves) {
            thief.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(deque.pop()).isNull();
        assertThat(deque.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 3, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void aCapacityThatIsNoPowerOfTwoIsRefused(int capacity) {
        assertThatThrownBy(() -> new WorkStealingDeque<Integer>(capacity, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(capacity))
                .hasMessageContaining("power of two");
    }
}
