package io.frameloom.gpu.cache.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a program that several threads ask for at the same time, or one thread while it makes it. */
@Timeout(60)
class ProgramCacheThreadsTest {
    private final CacheRig rig = new CacheRig();
    private final ProgramKey vertex = CacheRig.shader("vertex");

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void whoeverWaitsLearnsWhatTheDriverThrewAtWhatTheOtherMade() throws Exception {
        CachedPrograms cache = rig.memory(1000);
        IllegalStateException thrown = new IllegalStateException("VK_ERROR_UNKNOWN");
        FakeProgram broken = new FakeProgram("never")
                .failingToLoad(thrown)
                .failing(() -> new IllegalStateException("VK_ERROR_OUT_OF_HOST_MEMORY"), false);
        AtomicReference<Future<String>> second = new AtomicReference<>();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            cache.obtain(vertex, new FakeProgram("v").whileBuilding(() -> second.set(waiting(pool, cache, broken))));
            assertThatThrownBy(() -> Objects.requireNonNull(second.get()).get())
                    .cause()
                    .hasMessage("VK_ERROR_OUT_OF_HOST_MEMORY")
                    .hasSuppressedException(thrown);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void threadsThatAskAtTheSameTimeCompileOnce() throws Exception {
        CachedPrograms cache = rig.open();
        int threads = 8;
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(threads - 1);
        FakeProgram slow = new FakeProgram("v").whileBuilding(() -> {
            started.countDown();
            await(others);
        });
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            Future<String> first = pool.submit(() -> cache.obtain(vertex, slow));
            await(started);
            FakeProgram late = new FakeProgram("late");
            List<Future<String>> rest = IntStream.range(1, threads)
                    .mapToObj(i -> pool.submit(() -> {
                        others.countDown();
                        return cache.obtain(vertex, late);
                    }))
                    .toList();
            assertThat(first.get()).isEqualTo("built v");
            for (Future<String> result : rest) {
                assertThat(result.get()).isEqualTo("loaded v");
            }
            assertThat(late.builds).hasValue(0);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void whoeverComesJustTooLateToWaitCompilesNothingEither() throws Exception {
        CachedPrograms cache = rig.memory(1 << 20);
        int threads = 4;
        int programs = 5_000;
        List<ProgramKey> keys = IntStream.range(0, programs)
                .mapToObj(i -> CacheRig.shader("program " + i))
                .toList();
        FakeProgram driver = new FakeProgram("p");
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                all.add(pool.submit(() -> keys.forEach(key -> cache.obtain(key, driver))));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            pool.shutdown();
        }
        assertThat(driver.builds).hasValue(programs);
    }

    @Test
    void whoeverWaitedForAPermanentFailureFailsWithoutTrying() throws Exception {
        CachedPrograms cache = rig.memory(1000);
        AtomicReference<Future<String>> second = new AtomicReference<>();
        FakeProgram never = new FakeProgram("never");
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            FakeProgram broken = new FakeProgram("v")
                    .failing(() -> new IllegalStateException("line 3"), true)
                    .whileBuilding(() -> second.set(waiting(pool, cache, never)));
            assertThatThrownBy(() -> cache.obtain(vertex, broken)).hasMessage("line 3");
            assertThatThrownBy(() -> Objects.requireNonNull(second.get()).get()).hasRootCauseMessage("line 3");
            assertThat(never.builds).hasValue(0);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void whoeverWaitedForAPassingFailureTriesItself() throws Exception {
        CachedPrograms cache = rig.memory(1000);
        AtomicReference<Future<String>> second = new AtomicReference<>();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            FakeProgram broken = new FakeProgram("v")
                    .failing(() -> new IllegalStateException("out of memory"), false)
                    .whileBuilding(() -> second.set(waiting(pool, cache, new FakeProgram("w"))));
            assertThatThrownBy(() -> cache.obtain(vertex, broken)).hasMessage("out of memory");
            assertThat(Objects.requireNonNull(second.get()).get()).isEqualTo("built w");
        } finally {
            pool.shutdown();
        }
    }

    /** Lets another thread ask for the vertex shader, and returns when it waits. */
    private Future<String> waiting(ExecutorService pool, CachedPrograms cache, FakeProgram driver) {
        Thread[] asking = new Thread[1];
        CountDownLatch running = new CountDownLatch(1);
        Future<String> result = pool.submit(() -> {
            asking[0] = Thread.currentThread();
            running.countDown();
            return cache.obtain(vertex, driver);
        });
        await(running);
        while (asking[0].getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        return result;
    }

    @Test
    void whoeverWaitedForAProgramWithoutBinaryMakesItAtTheSameTimeAsTheOthers() throws Exception {
        CachedPrograms cache = rig.memory(1000);
        int waiters = 3;
        CountDownLatch together = new CountDownLatch(waiters);
        FakeProgram meeting = new FakeProgram("v").withoutBinary().whileBuilding(() -> {
            together.countDown();
            await(together);
        });
        List<Future<String>> waiting = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(waiters);
        try {
            FakeProgram first = new FakeProgram("first").withoutBinary().whileBuilding(() -> {
                for (int i = 0; i < waiters; i++) {
                    waiting.add(waiting(pool, cache, meeting));
                }
            });
            assertThat(cache.obtain(vertex, first)).isEqualTo("built first");
            for (Future<String> each : waiting) {
                assertThat(each.get()).isEqualTo("built v");
            }
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void aThreadThatAsksForWhatItIsMakingMakesItAgainInsteadOfWaitingForItself() {
        CachedPrograms cache = rig.memory(1000);
        FakeProgram inner = new FakeProgram("inner");
        FakeProgram outer = new FakeProgram("outer").whileBuilding(() -> cache.obtain(vertex, inner));
        assertThat(cache.obtain(vertex, outer)).isEqualTo("built outer");
        assertThat(inner.builds).hasValue(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void whoWaitsForAProgramRunsNoTaskMeanwhile() throws Exception {
        CachedPrograms cache = rig.memory(1000);
        CountDownLatch building = new CountDownLatch(1);
        AtomicReference<Thread> waiting = new AtomicReference<>();
        FakeProgram slow = new FakeProgram("v").whileBuilding(() -> {
            building.countDown();
            Thread game = waiting.get();
            while (game == null || game.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
                game = waiting.get();
            }
        });
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<String> leader = threads.submit(() -> cache.obtain(vertex, slow));
            Future<?> game = threads.submit(() -> {
                building.await();
                rig.graph.attach(NamedThread.GAME);
                GraphEvent quit = rig.graph
                        .task("quit", () -> order.add("quit"))
                        .on(NamedThread.GAME.local())
                        .dispatch();
                waiting.set(Thread.currentThread());
                order.add(cache.obtain(vertex, new FakeProgram(vertex.label())));
                quit.await();
                rig.graph.detach(NamedThread.GAME);
                return null;
            });
            assertThat(leader.get()).isEqualTo("built v");
            game.get();
        } finally {
            threads.shutdownNow();
        }
        assertThat(order).containsExactly("loaded v", "quit");
    }
}
