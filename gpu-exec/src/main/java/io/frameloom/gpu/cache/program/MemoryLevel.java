package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.StoredEntry;
import io.frameloom.gpu.device.LruBytes;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The programs in memory, and which others are known. A program stays known as long as one of the levels keeps it, or a
 * pipeline that was made of it. Any thread.
 */
final class MemoryLevel {
    private final LruBytes<Digest, StoredEntry> programs;
    private final StatusStore statuses = new StatusStore();
    private final CacheCounters counters;
    private final Predicate<Digest> isElsewhere;

    /**
     * An empty level.
     *
     * @param budget bytes that it may hold
     * @param isElsewhere whether a program is on disk or on its way there
     */
    MemoryLevel(long budget, CacheCounters counters, Predicate<Digest> isElsewhere) {
        this.programs = new LruBytes<>(budget, StoredEntry::bytes);
        this.counters = counters;
        this.isElsewhere = isElsewhere;
    }

    /** Returns a program and counts it as used; null if it is not there. */
    @Nullable
    StoredEntry get(Digest program) {
        return programs.get(program);
    }

    /** Returns a program without using it; null if it is not there. */
    @Nullable
    StoredEntry peek(Digest program) {
        return programs.peek(program);
    }

    /** Takes a program that was made or found, in place of an older one; others may have to go. */
    void keep(StoredEntry entry) {
        statuses.kept(entry.digest(), entry.parts());
        long before = programs.bytes();
        List<StoredEntry> evicted = programs.put(entry.digest(), entry);
        counters.entryBytes.record(entry.bytes());
        counters.memoryBefore.record(before);
        counters.memoryAfter.record(programs.bytes());
        evicted(evicted);
    }

    /**
     * Takes a program that was read ahead, if there is room.
     *
     * @return whether there may be room for more
     */
    boolean offer(StoredEntry readAhead) {
        Digest digest = readAhead.digest();
        statuses.kept(digest, readAhead.parts());
        if (programs.offerOldest(digest, readAhead)) {
            counters.preloaded.increment();
            return true;
        }
        return programs.peek(digest) != null;
    }

    /** Evicts programs until no more than {@code bytes} are left. */
    void trim(long bytes) {
        evicted(programs.trim(bytes));
    }

    private void evicted(List<StoredEntry> evicted) {
        for (StoredEntry entry : evicted) {
            counters.memoryEvictions.increment();
            goneElsewhere(entry.digest());
        }
    }

    /** Forgets a program that may have been kept somewhere else, unless it still is, or is here. */
    void goneElsewhere(Digest program) {
        if (programs.peek(program) == null && !isElsewhere.test(program)) {
            statuses.evicted(program);
        }
    }

    boolean isKnown(Digest program) {
        return statuses.isKnown(program);
    }

    /** Returns how many pipelines that are kept were made of a shader. */
    int references(Digest program) {
        return statuses.references(program);
    }

    int size() {
        return programs.size();
    }

    long bytes() {
        return programs.bytes();
    }
}
