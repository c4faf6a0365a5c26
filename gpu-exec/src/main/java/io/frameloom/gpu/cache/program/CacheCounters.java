package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.ProgramCacheStatistics;
import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskObserver;
import io.frameloom.gpu.cache.disk.EntryDamage;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts what a cache does. Any thread. */
final class CacheCounters implements DiskObserver {
    final Histogram memoryHitNanos = new Histogram();
    final Histogram diskHitNanos = new Histogram();
    final Histogram missNanos = new Histogram();
    final Histogram buildNanos = new Histogram();
    final Histogram diskReadNanos = new Histogram();
    final Histogram entryBytes = new Histogram();
    final Histogram memoryBefore = new Histogram();
    final Histogram memoryAfter = new Histogram();
    final LongAdder memoryHits = new LongAdder();
    final LongAdder diskHits = new LongAdder();
    final LongAdder joined = new LongAdder();
    final LongAdder builds = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder knownFailures = new LongAdder();
    final LongAdder refusals = new LongAdder();
    final LongAdder savedNanos = new LongAdder();
    final LongAdder preloaded = new LongAdder();
    final LongAdder memoryEvictions = new LongAdder();
    final LongAdder droppedWrites = new LongAdder();
    final LongAdder audits = new LongAdder();
    final LongAdder auditMismatches = new LongAdder();

    private final Histogram diskBefore = new Histogram();
    private final Histogram diskAfter = new Histogram();
    private final LongAdder writes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder failedWrites = new LongAdder();
    private final LongAdder diskEvictions = new LongAdder();
    private final LongAdder crashes = new LongAdder();
    private final LongAdder litter = new LongAdder();
    private final Map<EntryDamage, LongAdder> damaged = new ConcurrentHashMap<>();
    private final Consumer<Digest> goneFromDisk;
    private final Consumer<IOException> unwritten;
    private final AtomicBoolean unwrittenReported = new AtomicBoolean();
    /** What a driver last threw at a binary. */
    volatile @Nullable RuntimeException lastRefusal;

    /**
     * Zero counters.
     *
     * @param goneFromDisk receives programs that the disk no longer keeps
     * @param unwritten receives once why something was not written
     */
    CacheCounters(Consumer<Digest> goneFromDisk, Consumer<IOException> unwritten) {
        this.goneFromDisk = goneFromDisk;
        this.unwritten = unwritten;
    }

    @Override
    public void damaged(EntryDamage damage) {
        damaged.computeIfAbsent(damage, ignored -> new LongAdder()).increment();
    }

    @Override
    public void written(Digest digest, long bytes, long before, long after) {
        writes.increment();
        writtenBytes.add(bytes);
        diskBefore.record(before);
        diskAfter.record(after);
    }

    @Override
    public void evicted(Digest digest, long bytes) {
        diskEvictions.increment();
        goneFromDisk.accept(digest);
    }

    @Override
    public void vanished(Digest digest) {
        goneFromDisk.accept(digest);
    }

    @Override
    public void writeFailed(IOException reason) {
        failedWrites.increment();
        if (unwrittenReported.compareAndSet(false, true)) {
            unwritten.accept(reason);
        }
    }

    @Override
    public void crashed(Digest digest) {
        crashes.increment();
    }

    @Override
    public void litterRemoved(String name) {
        litter.increment();
    }

    ProgramCacheStatistics statistics(long programs, long bytes) {
        Map<String, Long> byReason = new TreeMap<>();
        damaged.forEach((damage, count) -> byReason.put(damage.name(), count.sum()));
        return new ProgramCacheStatistics(
                new ProgramCacheStatistics.Lookups(
                        memoryHits.sum(),
                        diskHits.sum(),
                        joined.sum(),
                        builds.sum(),
                        failures.sum(),
                        knownFailures.sum(),
                        refusals.sum(),
                        savedNanos.sum(),
                        audits.sum(),
                        auditMismatches.sum()),
                new ProgramCacheStatistics.Memory(
                        programs,
                        bytes,
                        preloaded.sum(),
                        memoryEvictions.sum(),
                        entryBytes.snapshot(),
                        memoryBefore.snapshot(),
                        memoryAfter.snapshot()),
                new ProgramCacheStatistics.Disk(
                        writes.sum(),
                        writtenBytes.sum(),
                        droppedWrites.sum(),
                        failedWrites.sum(),
                        diskEvictions.sum(),
                        byReason,
                        crashes.sum(),
                        litter.sum(),
                        diskBefore.snapshot(),
                        diskAfter.snapshot()),
                new ProgramCacheStatistics.Times(
                        memoryHitNanos.snapshot(),
                        diskHitNanos.snapshot(),
                        missNanos.snapshot(),
                        buildNanos.snapshot(),
                        diskReadNanos.snapshot()));
    }
}
