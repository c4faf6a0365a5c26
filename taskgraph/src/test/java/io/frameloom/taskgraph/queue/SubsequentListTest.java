package io.frameloom.taskgraph.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Races 1 and 2: adding against closing, closing against closing. */
@Timeout(60)
final class SubsequentListTest {
    @Test
    void visitsInTheOrderOfAdding() {
        for (int n = 0; n < 60; n++) {
            OpenList<Integer> list = new OpenList<>();
            List<Integer> expected = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                assertThat(list.add(i)).isTrue();
                expected.add(i);
            }
            List<Integer> visited = new ArrayList<>();
            assertThat(list.closed()).isFalse();
            assertThat(list.popAllAndClose(visited::add)).isEqualTo(n > 0);
            assertThat(visited).isEqualTo(expected);
            assertThat(list.closed()).isTrue();
        }
    }

    @Test
    void saysWhetherItHoldsAnItemAndNoOther() {
        OpenList<String> list = new OpenList<>();
        assertThat(list.hasItems()).isFalse();
        assertThat(list.isOnly("a")).isFalse();
        list.add("a");
        assertThat(list.hasItems()).isTrue();
        assertThat(list.isOnly("a")).isTrue();
        assertThat(list.isOnly("b")).isFalse();
        for (int n = 0; n < 20; n++) {
            list.add("a");
            assertThat(list.hasItems()).isTrue();
            assertThat(list.isOnly("a")).isFalse();
        }
        list.popAllAndClose(item -> {});
        assertThat(list.hasItems()).isFalse();
        assertThat(list.isOnly("a")).isFalse();
    }

    @Test
    void theSameItemCanBeAddedSeveralTimesAndToSeveralLists() {
        OpenList<Object> first = new OpenList<>();
        OpenList<Object> second = new OpenList<>();
        OpenList<Object> item = new OpenList<>();
        first.add("before");
        first.add(item);
        first.add("after");
        second.add(item);
        second.add("other");
        second.add(item);
        List<Object> visited = new ArrayList<>();
        second.popAllAndClose(visited::add);
        assertThat(visited).containsExactly(item, "other", item);
        visited.clear();
        first.popAllAndClose(visited::add);
        assertThat(visited).containsExactly("before", item, "after");
    }

    @Test
    void refusesAfterTheCloseAndClosesOnce() {
        for (int n = 1; n < 40; n++) {
            OpenList<Integer> list = new OpenList<>();
            for (int i = 0; i < n; i++) {
                list.add(i);
            }
            assertThat(list.popAllAndClose(s -> {})).isTrue();
            assertThat(list.add(n)).isFalse();
            assertThat(list.popAllAndClose(s -> {
                        throw new AssertionError("visited " + s);
                    }))
                    .isFalse();
        }
    }

    @Test
    void whatWasAddedIsVisitedOnceAndWhatWasRefusedNever() throws InterruptedException {
        int rounds = TestEffort.of(400, 3_000);
        int perThread = 12;
        int adders = 2;
        for (int round = 0; round < rounds; round++) {
            OpenList<Integer> list = new OpenList<>();
            AtomicIntegerArray accepted = new AtomicIntegerArray(adders * perThread);
            AtomicIntegerArray visited = new AtomicIntegerArray(adders * perThread);
            AtomicInteger closers = new AtomicInteger();
            CountDownLatch start = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < adders; t++) {
                int base = t * perThread;
                threads.add(new Thread(() -> {
                    awaitQuietly(start);
                    for (int i = base; i < base + perThread; i++) {
                        if (list.add(i)) {
                            accepted.incrementAndGet(i);
                        }
                    }
                }));
            }
            for (int t = 0; t < 2; t++) {
                threads.add(new Thread(() -> {
                    awaitQuietly(start);
                    if (list.popAllAndClose(visited::incrementAndGet)) {
                        closers.incrementAndGet();
                    }
                }));
            }
            threads.forEach(Thread::start);
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(closers.get()).isLessThanOrEqualTo(1);
            for (int i = 0; i < accepted.length(); i++) {
                assertThat(visited.get(i)).as("item %d in round %d", i, round).isEqualTo(accepted.get(i));
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
