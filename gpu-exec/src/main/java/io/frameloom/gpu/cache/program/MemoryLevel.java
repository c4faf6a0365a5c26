package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskStore;
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
    private final LruBytes<Digest, Resident> programs;
    private final StatusStore statuses = new StatusStore();
    private final CacheCounters counters;
    private final Predicate<Digest> isPending;

    /**
     * An empty level.
     *
     * @param budget bytes that it may hold
     * @param isPending whether a program is on its way to disk
     */
    MemoryLevel(long budget, CacheCounters counters, Predicate<Digest> isPending) {
        this.programs = new LruBytes<>(budget, Resident::bytes);
        this.counters = counters;
        this.isPending = isPending;
    }

    /** Returns a program and counts it as used; null if it is not there. */
    @Nullable
    Resident get(Digest program) {
        return programs.get(program);
    }

    /** Returns a program without using it; null if it is not there. */
    @Nullable
    Resident peek(Digest program) {
        return programs.peek(program);
    }

    /** Takes a program that was made or found, in place of an older one; others may have to go. */
    void keep(Resident resident) {
        StoredEntry entry = resident.entry();
        statuses.kept(entry.digest(), entry.parts());
        long before = programs.bytes();
        List<Resident> evicted = programs.put(entry.digest(), resident);
        counters.entryBytes.record(resident.bytes());
        counters.memoryBefore.record(before);
        counters.memoryAfter.record(programs.bytes());
        evicted(evicted);
    }

    /**
     * Takes a program that was read ahead, if there is room.
     *
     * @return whether there may be room for more
     */
    boolean offer(Resident readAhead) {
        Digest digest = readAhead.digest();
        statuses.kept(digest, readAhead.entry().parts());
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

    private void evicted(List<Resident> evicted) {
        for (Resident resident : evicted) {
            counters.memoryEvictions.increment();
            DiskStore store = resident.store();
            boolean onDisk = store != null && store.isKnown(resident.digest());
            if (!onDisk && !isPending.test(resident.digest())) {
                statuses.evicted(resident.digest());
            }
        }
    }

    /** Notes that a program is gone from disk, or did not get there. */
    void keptNowhereElse(Digest program) {
        if (programs.peek(program) == null && !isPending.test(program)) {
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
