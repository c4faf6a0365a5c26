package io.frameloom.gpu.cache.level;

import io.frameloom.gpu.cache.ProgramDriver;
import io.frameloom.gpu.cache.ProgramDriver.Built;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.EntryReading;
import io.frameloom.gpu.cache.disk.StoredEntry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One thread making one program that is not in memory, or whose binary was refused. */
public final class Leading<T> {
    private final CacheLevels levels;
    private final ProgramIdentity key;
    private final ProgramDriver<T> driver;
    private final Loading<T> loading;
    private final @Nullable Resident refused;
    private final long start;
    private final @Nullable DiskStore store;
    private @Nullable Resident audited;
    private boolean leased;
    private boolean fromDisk;

    public Leading(
            CacheLevels levels,
            ProgramIdentity key,
            ProgramDriver<T> driver,
            Loading<T> loading,
            @Nullable Resident refused,
            @Nullable Resident audited,
            long start) {
        this.levels = levels;
        this.key = key;
        this.driver = driver;
        this.loading = loading;
        this.refused = refused;
        this.audited = audited;
        this.start = start;
        DiskCache disk = levels.disk();
        boolean kept = disk != null && !disk.isDisabled(key.digest());
        this.store = kept ? levels.store(key.kind(), key.compatibilityText()) : null;
    }

    public T fly(Flight flight) {
        try {
            RuntimeException known = levels.failures().get(key.digest());
            if (known != null) {
                levels.counters().knownFailures.increment();
                flight.setFailure(known);
                throw driver.again(known);
            }
            Resident found = refused == null ? find() : differentFromRefused();
            if (found != null && fromDisk && levels.audit().isDue()) {
                audited = found;
            }
            Resident compared = audited;
            if (compared != null) {
                return compare(compared, flight);
            }
            if (found != null) {
                T program = loading.load(found);
                if (program != null) {
                    countHit(found);
                    levels.memory().keep(found);
                    flight.setResult(found);
                    return program;
                }
            }
            return buildAndKeep(flight);
        } finally {
            DiskCache disk = levels.disk();
            if (leased && disk != null) {
                disk.releaseLease(key.digest());
            }
            levels.flights().remove(key.digest(), flight);
            flight.land();
        }
    }

    private @Nullable Resident differentFromRefused() {
        Resident now = levels.memory().peek(key.digest());
        return now == refused ? null : now;
    }

    private @Nullable Resident find() {
        // Another flight may have ended since memory was asked.
        Resident resident = levels.memory().get(key.digest());
        if (resident != null) {
            return resident;
        }
        DiskCache shared = levels.disk();
        if (shared == null || store == null) {
            return null;
        }
        WriteQueue queue = levels.queue();
        StoredEntry pending = queue == null ? null : queue.pending(key.digest());
        if (pending != null) {
            return new Resident(pending, store, true);
        }
        return Uninterrupted.call(() -> findOnDisk(shared, store));
    }

    private @Nullable Resident findOnDisk(DiskCache shared, DiskStore store) {
        long begin = System.nanoTime();
        EntryReading reading = store.read(key.digest(), key.text());
        if (reading instanceof EntryReading.Intact) {
            levels.counters().diskReadNanos.record(System.nanoTime() - begin);
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
            levels.counters().diskHits.increment();
            levels.counters().savedNanos.add(found.entry().buildNanos());
            levels.counters().diskHitNanos.record(nanos);
        } else {
            levels.counters().memoryHits.increment();
            levels.counters().memoryHitNanos.record(nanos);
        }
    }

    public Built<T> build() {
        long begin = System.nanoTime();
        Built<T> built;
        try {
            built = driver.build();
        } catch (RuntimeException failure) {
            levels.counters().failures.increment();
            throw loading.alsoTelling(failure);
        }
        levels.counters().builds.increment();
        levels.counters().buildNanos.record(System.nanoTime() - begin);
        return built;
    }

    /** Makes the program although it was found, and keeps the new one if they differ. */
    private T compare(Resident kept, Flight flight) {
        long begin = System.nanoTime();
        Built<T> built;
        try {
            built = build();
        } catch (RuntimeException failure) {
            T program = loading.load(kept);
            if (program == null) {
                throw loading.alsoTelling(failure);
            }
            flight.setResult(kept);
            return program;
        }
        levels.counters().audits.increment();
        if (Arrays.equals(kept.binary(), built.binary())) {
            kept.setProven();
            countHit(kept);
            levels.memory().keep(kept);
            flight.setResult(kept);
            return built.program();
        }
        levels.counters().auditMismatches.increment();
        return keep(built, begin, flight);
    }

    private T buildAndKeep(Flight flight) {
        long begin = System.nanoTime();
        Built<T> built;
        try {
            built = build();
        } catch (RuntimeException failure) {
            if (driver.isPermanent(failure)) {
                levels.failures().put(key.digest(), failure);
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
                    key.compatibility(),
                    key.text(),
                    key.parts(),
                    binary,
                    System.nanoTime() - begin);
            Resident resident = new Resident(entry, store, true);
            // Pending before it is in memory: whoever does not find it there any more finds it in the queue.
            WriteQueue queue = levels.queue();
            if (store != null && queue != null) {
                leased = false;
                queue.offer(store, entry);
            }
            levels.memory().keep(resident);
            flight.setResult(resident);
        } else {
            flight.setWithoutBinary();
        }
        levels.counters().missNanos.record(System.nanoTime() - start);
        return built.program();
    }
}
