package io.frameloom.gpu.cache;

import io.frameloom.gpu.cache.ProgramDriver.Built;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.EntryReading;
import io.frameloom.gpu.cache.disk.StoredEntry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One thread making one program that is not in memory, or whose binary was refused. */
final class Leading<T> {
    private final ProgramCache cache;
    private final ProgramKey key;
    private final ProgramDriver<T> driver;
    private final @Nullable Resident refused;
    private final long start;
    private final @Nullable DiskStore store;
    private @Nullable Resident audited;
    private boolean leased;
    private boolean fromDisk;

    Leading(
            ProgramCache cache,
            ProgramKey key,
            ProgramDriver<T> driver,
            @Nullable Resident refused,
            @Nullable Resident audited,
            long start) {
        this.cache = cache;
        this.key = key;
        this.driver = driver;
        this.refused = refused;
        this.audited = audited;
        this.start = start;
        boolean kept = cache.disk != null && !cache.disk.isDisabled(key.digest());
        this.store = kept ? cache.store(key.kind(), key.compatibility()) : null;
    }

    T fly(Flight flight) {
        try {
            RuntimeException known = cache.failures.get(key.digest());
            if (known != null) {
                cache.counters.knownFailures.increment();
                flight.setFailure(known);
                throw driver.again(known);
            }
            Resident found = refused == null ? find() : differentFromRefused();
            if (found != null && fromDisk && cache.audit.isDue()) {
                audited = found;
            }
            Resident compared = audited;
            if (compared != null) {
                return compare(compared, flight);
            }
            if (found != null) {
                T program = cache.load(key, found, driver);
                if (program != null) {
                    countHit(found);
                    cache.memory.keep(found);
                    flight.setResult(found);
                    return program;
                }
            }
            return buildAndKeep(flight);
        } finally {
            if (leased && cache.disk != null) {
                cache.disk.releaseLease(key.digest());
            }
            cache.flights.remove(key.digest(), flight);
            flight.land();
        }
    }

    private @Nullable Resident differentFromRefused() {
        Resident now = cache.memory.peek(key.digest());
        return now == refused ? null : now;
    }

    private @Nullable Resident find() {
        // Another flight may have ended since memory was asked.
        Resident resident = cache.memory.get(key.digest());
        if (resident != null) {
            return resident;
        }
        DiskCache shared = cache.disk;
        if (shared == null || store == null) {
            return null;
        }
        StoredEntry pending = cache.queue == null ? null : cache.queue.pending(key.digest());
        if (pending != null) {
            return new Resident(pending, store, true);
        }
        long begin = System.nanoTime();
        EntryReading reading = store.read(key.digest(), key.text());
        if (reading instanceof EntryReading.Intact) {
            cache.counters.diskReadNanos.record(System.nanoTime() - begin);
        }
        if (reading instanceof EntryReading.Damaged && store.discard(key.digest(), key.text())) {
            reading = new EntryReading.Absent();
        }
        if (reading instanceof EntryReading.Absent) {
            leased = !shared.awaitLease(store, key.digest());
            if (!leased) {
                reading = store.read(key.digest(), key.text());
            }
        }
        fromDisk = reading instanceof EntryReading.Intact;
        return reading instanceof EntryReading.Intact intact ? new Resident(intact.entry(), store, false) : null;
    }

    private void countHit(Resident found) {
        long nanos = System.nanoTime() - start;
        if (fromDisk) {
            cache.counters.diskHits.increment();
            cache.counters.savedNanos.add(found.entry().buildNanos());
            cache.counters.diskHitNanos.record(nanos);
        } else {
            cache.counters.memoryHits.increment();
            cache.counters.memoryHitNanos.record(nanos);
        }
    }

    Built<T> build() {
        long begin = System.nanoTime();
        Built<T> built;
        try {
            built = driver.build();
        } catch (RuntimeException failure) {
            cache.counters.failures.increment();
            throw failure;
        }
        cache.counters.builds.increment();
        cache.counters.buildNanos.record(System.nanoTime() - begin);
        return built;
    }

    /** Makes the program although it was found, and keeps the new one if they differ. */
    private T compare(Resident kept, Flight flight) {
        long begin = System.nanoTime();
        Built<T> built;
        try {
            built = build();
        } catch (RuntimeException failure) {
            T program = cache.load(key, kept, driver);
            if (program == null) {
                throw failure;
            }
            flight.setResult(kept);
            return program;
        }
        cache.counters.audits.increment();
        if (Arrays.equals(kept.binary(), built.binary())) {
            kept.setProven();
            countHit(kept);
            cache.memory.keep(kept);
            flight.setResult(kept);
            return built.program();
        }
        cache.counters.auditMismatches.increment();
        return keep(built, begin, flight);
    }

    private T buildAndKeep(Flight flight) {
        long begin = System.nanoTime();
        Built<T> built;
        try {
            built = build();
        } catch (RuntimeException failure) {
            if (driver.isPermanent(failure)) {
                cache.failures.put(key.digest(), failure);
                flight.setFailure(failure);
            }
            throw failure;
        }
        return keep(built, begin, flight);
    }

    private T keep(Built<T> built, long begin, Flight flight) {
        byte[] binary = built.binary();
        if (binary != null) {
            StoredEntry entry = new StoredEntry(
                    key.kind().ordinal(),
                    key.compatibility().digest(),
                    key.text(),
                    key.parts().stream().map(ProgramKey::digest).toList(),
                    binary,
                    System.nanoTime() - begin);
            Resident resident = new Resident(entry, store, true);
            // Pending before it is in memory: whoever does not find it there any more finds it in the cache.queue.
            if (store != null && cache.queue != null) {
                leased = false;
                cache.queue.offer(store, entry);
            }
            cache.memory.keep(resident);
            flight.setResult(resident);
        } else {
            flight.setWithoutBinary();
        }
        cache.counters.missNanos.record(System.nanoTime() - start);
        return built.program();
    }
}
