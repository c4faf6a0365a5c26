package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.CrashMarkers;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.EntryReading;
import io.frameloom.gpu.cache.disk.StoredEntry;
import io.frameloom.gpu.cache.program.ProgramDriver.Built;
import io.frameloom.taskgraph.BlockingScope;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One caller's request for one program: takes it from memory, waits for the thread that makes it, or makes it. An
 * exception of a driver at a binary is no failure as long as the program can be made anew; if it cannot, the caller
 * gets both. One thread.
 */
final class Request<T> {
    private final CachedPrograms cache;
    private final CacheCounters counters;
    private final ProgramKey key;
    private final ProgramDriver<T> driver;
    private final long start = System.nanoTime();
    /** What the driver threw at binaries. */
    private @Nullable RuntimeException refusal;
    /** What is in memory and is not to be taken. */
    private @Nullable StoredEntry refused;
    /** What is to be compared with a program that is made now. */
    private @Nullable StoredEntry audited;

    private boolean fromDisk;

    Request(CachedPrograms cache, ProgramKey key, ProgramDriver<T> driver) {
        this.cache = cache;
        this.counters = cache.counters;
        this.key = key;
        this.driver = driver;
    }

    T answer() {
        StoredEntry resident = cache.memory.get(key.digest());
        if (resident != null) {
            if (cache.isAuditDue()) {
                audited = resident;
            } else {
                boolean readAhead = !resident.isProven();
                T program = load(resident);
                if (program != null) {
                    countHit(resident);
                    DiskStore store = readAhead ? cache.store(key) : null;
                    if (store != null) {
                        store.used(key.digest());
                    }
                    return program;
                }
            }
            refused = resident;
        }
        while (true) {
            Flight mine = new Flight();
            Flight other = cache.flights.putIfAbsent(key.digest(), mine);
            if (other == null) {
                return fly(mine);
            }
            if (other.leader == Thread.currentThread()) {
                // This thread makes the program further out in its stack, so it cannot wait for it.
                return build().program();
            }
            other.await(cache.graph);
            RuntimeException failure = other.failure;
            if (failure != null) {
                throw driver.again(failure);
            }
            if (other.withoutBinary) {
                // No later caller finds it: all waiting threads make it at the same time, instead of one after another.
                return build().program();
            }
            StoredEntry result = other.result;
            if (result != null && !result.equals(refused)) {
                T program = load(result);
                if (program != null) {
                    counters.joined.increment();
                    return program;
                }
                refused = result;
                audited = null;
            }
        }
    }

    /**
     * Gives the driver a binary; null if it refuses it. One from disk is marked while it does so for the first time.
     */
    private @Nullable T load(StoredEntry resident) {
        CrashMarkers marking = resident.isProven() || !key.kind().isGivenToDriver() ? null : cache.markers();
        if (marking != null) {
            marking.enter(resident.digest());
        }
        T program = null;
        try {
            program = driver.load(resident.payload());
        } catch (RuntimeException thrown) {
            counters.lastRefusal = thrown;
            refusal = withEarlier(thrown);
        } finally {
            if (marking != null) {
                marking.leave(resident.digest());
            }
        }
        if (program == null) {
            counters.refusals.increment();
        } else {
            resident.setProven();
        }
        return program;
    }

    /** Returns a failure with what the driver threw at binaries before. */
    private RuntimeException withEarlier(RuntimeException failure) {
        RuntimeException before = refusal;
        refusal = null;
        if (before != null && before != failure) {
            failure.addSuppressed(before);
        }
        return failure;
    }

    /** Makes the program as the thread that others wait for. */
    private T fly(Flight flight) {
        try {
            RuntimeException known = cache.failures.get(key.digest());
            if (known != null) {
                counters.knownFailures.increment();
                flight.failure = known;
                throw driver.again(known);
            }
            DiskStore store = cache.store(key);
            StoredEntry found = find(store);
            if (found != null && fromDisk && cache.isAuditDue()) {
                audited = found;
            }
            if (audited != null) {
                return compare(audited, store, flight);
            }
            T program = found == null ? null : load(found);
            if (found == null || program == null) {
                return buildAndKeep(store, flight);
            }
            countHit(found);
            cache.memory.keep(found);
            flight.result = found;
            return program;
        } finally {
            cache.flights.remove(key.digest(), flight);
            flight.land();
        }
    }

    private @Nullable StoredEntry find(@Nullable DiskStore store) {
        // Another flight may have ended since memory was asked.
        StoredEntry resident = cache.memory.get(key.digest());
        if (resident != null || refused != null) {
            return resident != null && resident.equals(refused) ? null : resident;
        }
        if (store == null) {
            return null;
        }
        WriteQueue queue = cache.queue;
        StoredEntry pending = queue == null ? null : queue.pending(key.digest());
        return pending == null ? findOnDisk(store) : pending;
    }

    private @Nullable StoredEntry findOnDisk(DiskStore store) {
        long begin = System.nanoTime();
        EntryReading reading = store.read(key.digest(), key.text());
        if (reading instanceof EntryReading.Intact intact) {
            counters.diskReadNanos.record(System.nanoTime() - begin);
            fromDisk = true;
            return intact.entry();
        }
        return null;
    }

    private void countHit(StoredEntry found) {
        long nanos = System.nanoTime() - start;
        if (fromDisk) {
            counters.diskHits.increment();
            counters.savedNanos.add(found.buildNanos());
            counters.diskHitNanos.record(nanos);
        } else {
            counters.memoryHits.increment();
            counters.memoryHitNanos.record(nanos);
        }
    }

    private Built<T> build() {
        long begin = System.nanoTime();
        Built<T> built;
        try {
            built = driver.build();
        } catch (RuntimeException failure) {
            counters.failures.increment();
            throw withEarlier(failure);
        }
        counters.builds.increment();
        counters.buildNanos.record(System.nanoTime() - begin);
        return built;
    }

    /** Makes the program although it was found, and keeps the new one if they differ. */
    private T compare(StoredEntry kept, @Nullable DiskStore store, Flight flight) {
        long begin = System.nanoTime();
        Built<T> built;
        try {
            built = build();
        } catch (RuntimeException failure) {
            T program = load(kept);
            if (program == null) {
                throw withEarlier(failure);
            }
            flight.result = kept;
            return program;
        }
        counters.audits.increment();
        if (!Arrays.equals(kept.payload(), built.binary())) {
            counters.auditMismatches.increment();
            return keep(built, begin, store, flight);
        }
        kept.setProven();
        countHit(kept);
        cache.memory.keep(kept);
        flight.result = kept;
        return built.program();
    }

    private T buildAndKeep(@Nullable DiskStore store, Flight flight) {
        long begin = System.nanoTime();
        Built<T> built;
        try {
            built = build();
        } catch (RuntimeException failure) {
            if (driver.isPermanent(failure)) {
                cache.failures.put(key.digest(), failure);
                flight.failure = failure;
            }
            throw failure;
        }
        return keep(built, begin, store, flight);
    }

    private T keep(Built<T> built, long begin, @Nullable DiskStore store, Flight flight) {
        byte[] binary = built.binary();
        if (binary == null) {
            flight.withoutBinary = true;
        } else {
            StoredEntry entry = new StoredEntry(
                    key.kind().ordinal(),
                    key.compatibility().digest(),
                    key.text(),
                    key.parts(),
                    binary,
                    System.nanoTime() - begin);
            entry.setProven();
            // Pending before it is in memory: a thread that does not find it there any more finds it in the queue.
            WriteQueue queue = cache.queue;
            if (store != null && queue != null) {
                queue.offer(store, entry);
            }
            cache.memory.keep(entry);
            flight.result = entry;
        }
        counters.missNanos.record(System.nanoTime() - start);
        return built.program();
    }

    /**
     * One program being made by one thread while others wait for it. The outcome is written before it lands and read
     * after.
     */
    static final class Flight {
        final Thread leader = Thread.currentThread();
        private final CompletableFuture<@Nullable Void> landed = new CompletableFuture<>();

        @Nullable
        StoredEntry result;

        /** A failure that would be the same for every caller. */
        @Nullable
        RuntimeException failure;

        /** Whether there is a program without anything that others could use. */
        boolean withoutBinary;

        void land() {
            landed.complete(null);
        }

        /**
         * Waits without running a task meanwhile, not even one that only this thread can run: it may be inside of a
         * device, which a task of the application could want to close. Workers that wait are replaced.
         */
        void await(TaskGraph graph) {
            BlockingScope scope = graph.beginBlocking("program made elsewhere");
            try {
                landed.join();
            } finally {
                scope.close();
            }
        }
    }
}
