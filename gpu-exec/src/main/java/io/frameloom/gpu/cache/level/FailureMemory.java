package io.frameloom.gpu.cache.level;

import io.frameloom.gpu.cache.disk.Digest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers programs that will never compile, with the compiler's words, in memory only. Any thread. */
public final class FailureMemory {
    private final int limit;
    private final Map<Digest, RuntimeException> failures = new HashMap<>();
    private final Deque<Digest> oldestFirst = new ArrayDeque<>();

    public FailureMemory(int limit) {
        this.limit = limit;
    }

    synchronized @Nullable RuntimeException get(Digest program) {
        return failures.get(program);
    }

    synchronized void put(Digest program, RuntimeException failure) {
        if (failures.put(program, failure) != null) {
            return;
        }
        oldestFirst.add(program);
        if (oldestFirst.size() > limit) {
            failures.remove(oldestFirst.remove());
        }
    }
}
