package io.frameloom.gpu.virtual;

import io.frameloom.gpu.pipeline.ShaderIncludes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Files in memory that can be held back and that say in what order they were read. Any thread. */
final class HeldFiles implements ShaderIncludes {
    final Map<String, String> texts = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> reached = new ConcurrentHashMap<>();
    private final List<String> reads = new ArrayList<>();
    final Map<String, Integer> times = new ConcurrentHashMap<>();
    private final Map<String, Throwable> failing = new ConcurrentHashMap<>();

    @Override
    public @Nullable String read(String path) {
        synchronized (reads) {
            if (!reads.contains(path)) {
                reads.add(path);
            }
        }
        int time = times.merge(path, 1, Integer::sum);
        Throwable failure = failing.remove(path + "@" + time);
        if (failure != null) {
            throwAny(failure);
        }
        CountDownLatch arrived = reached.get(path);
        if (arrived != null) {
            arrived.countDown();
        }
        CountDownLatch gate = gates.get(path);
        if (gate != null) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return texts.get(path);
    }

    /** Fails the read of that number from now on. */
    void failOnRead(String path, int number, Throwable failure) {
        int before = times.getOrDefault(path, 0);
        failing.put(path + "@" + (before + number), failure);
    }

    /** Throws a checked exception as well, as generated code and code of other languages does. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable failure) throws T {
        throw (T) failure;
    }

    List<String> reads() {
        synchronized (reads) {
            return List.copyOf(reads);
        }
    }

    /** Makes reads of a file wait until it is released. */
    void hold(String path) {
        gates.put(path, new CountDownLatch(1));
        reached.put(path, new CountDownLatch(1));
    }

    void release(String path) {
        latch(gates, path).countDown();
    }

    void releaseAll() {
        gates.values().forEach(CountDownLatch::countDown);
    }

    /** Waits until somebody reads a file that is held. */
    void awaitReached(String path) throws InterruptedException {
        latch(reached, path).await();
    }

    private static CountDownLatch latch(Map<String, CountDownLatch> latches, String name) {
        CountDownLatch latch = latches.get(name);
        if (latch == null) {
            throw new IllegalArgumentException(name);
        }
        return latch;
    }
}
