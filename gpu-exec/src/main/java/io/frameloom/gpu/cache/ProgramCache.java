package io.frameloom.gpu.cache;

import io.frameloom.gpu.cache.ProgramDriver.Built;
import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.EntryReading;
import io.frameloom.gpu.cache.disk.FolderRefusedException;
import io.frameloom.gpu.cache.disk.NativeFiles;
import io.frameloom.gpu.cache.disk.StoreFiles;
import io.frameloom.gpu.cache.disk.StoredEntry;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps compiled shaders and pipelines: in memory for as long as it is open, and in a folder from one start of the
 * application to the next. Any number of caches and processes may share a folder.
 *
 * <p>Every program is looked for in memory, then on disk, and compiled if it is in neither; threads that ask for the same
 * program at the same time compile it once, and so do processes, as long as a lease lasts. No lock is held while a
 * program is compiled. Compiled programs are written in the background; programs for the same compiler or device are read
 * ahead in the background from {@link #prepare} on. A damaged, foreign or missing file is a miss and is counted, never an
 * exception.
 *
 * <p>A program that ends the process while a driver is given its binary from disk is deleted at the next start, and
 * after a second crash it is compiled every time.
 *
 * <p>Any thread. Close it after the devices that use it, and before its task graph. The two levels, the separate storage
 * of statuses and the asynchronous start follow "GPU Program Caching", a design document of the Chromium project.
 */
public final class ProgramCache implements AutoCloseable {
    private static final long LARGEST_ENTRY = 256L << 20;
    private static final long LOCK_MILLIS = 1000;
    private static final int KNOWN_FAILURES = 1024;
    private static final long USE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final TaskGraph graph;
    private final MemoryLevel memory;
    private final FailureMemory failures = new FailureMemory(KNOWN_FAILURES);
    private final Map<Digest, Flight> flights = new ConcurrentHashMap<>();
    private final CacheCounters counters;
    private final @Nullable DiskCache disk;
    private final @Nullable WriteQueue queue;
    private final @Nullable ReadAhead readAhead;
    private volatile boolean closed;

    private ProgramCache(ProgramCacheOptions options, TaskGraph graph, StoreFiles files) throws FolderRefusedException {
        this.graph = graph;
        counters = new CacheCounters(this::evictedFromDisk);
        memory = new MemoryLevel(options.memoryBytes(), counters, this::isPending);
        Path folder = options.folder();
        if (folder == null) {
            disk = null;
            queue = null;
            readAhead = null;
        } else {
            DiskCache.Limits limits = new DiskCache.Limits(
                    options.diskBytes(), LARGEST_ENTRY, options.lease().toMillis(), LOCK_MILLIS);
            disk = DiskCache.open(files, folder.toAbsolutePath().normalize(), limits, counters);
            queue = new WriteQueue(graph, disk, options.queueBytes(), counters);
            readAhead = new ReadAhead(graph, disk, memory);
        }
    }

    /**
     * Opens a cache.
     *
     * @param graph runs what is done in the background
     * @throws ProgramCacheException if the folder cannot be used: it cannot be written, is full, a symbolic link, a file or
     *     something else than a cache; it is then as it was before
     */
    public static ProgramCache open(ProgramCacheOptions options, TaskGraph graph) {
        return open(options, graph, new NativeFiles());
    }

    static ProgramCache open(ProgramCacheOptions options, TaskGraph graph, StoreFiles files) {
        try {
            ProgramCache cache = new ProgramCache(options, graph, files);
            ReadAhead tidying = cache.readAhead;
            if (tidying != null) {
                tidying.tidy();
            }
            return cache;
        } catch (FolderRefusedException e) {
            throw new ProgramCacheException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Says that programs of a kind and compatibility will be asked for: they are read into memory in the background. */
    public void prepare(ProgramKind kind, Compatibility compatibility) {
        requireOpen();
        DiskStore store = store(kind, compatibility);
        ReadAhead reader = readAhead;
        if (store != null && reader != null) {
            reader.read(store);
        }
    }

    private @Nullable DiskStore store(ProgramKind kind, Compatibility compatibility) {
        return disk == null ? null : disk.store(kind.folderName(), compatibility.text());
    }

    /**
     * Returns a program, from memory, from disk, or made now.
     *
     * @param <T> what the program is to the caller
     * @throws RuntimeException what {@link ProgramDriver#build} threw, now or, if it was permanent, earlier
     */
    public <T> T obtain(ProgramKey key, ProgramDriver<T> driver) {
        requireOpen();
        long start = System.nanoTime();
        Resident resident = memory.get(key.digest());
        if (resident != null) {
            T program = load(key, resident, driver);
            if (program != null) {
                long now = System.nanoTime();
                counters.memoryHits.increment();
                counters.memoryHitNanos.record(now - start);
                keepUsed(resident, now);
                return program;
            }
        }
        return join(key, driver, resident, start);
    }

    /** A use of a program in memory counts on disk, too, but not every one of them. */
    private void keepUsed(Resident resident, long now) {
        DiskStore store = resident.store();
        WriteQueue writer = queue;
        if (store != null && writer != null && resident.usedAfter(USE_NANOS, now)) {
            writer.used(store, resident.digest());
        }
    }

    private <T> T join(ProgramKey key, ProgramDriver<T> driver, @Nullable Resident refused, long start) {
        Resident known = refused;
        while (true) {
            Flight mine = new Flight(graph.event("program " + key));
            Flight other = flights.putIfAbsent(key.digest(), mine);
            if (other == null) {
                return new Leading<>(key, driver, known, start).fly(mine);
            }
            if (other.leader() == Thread.currentThread()) {
                // This thread ran another task while it made the program, which it cannot wait for.
                return new Leading<>(key, driver, known, start).build().program();
            }
            other.await();
            RuntimeException failure = other.failure();
            if (failure != null) {
                throw failure;
            }
            Resident result = other.result();
            if (result != null && result != known) {
                T program = load(key, result, driver);
                if (program != null) {
                    counters.joined.increment();
                    return program;
                }
                known = result;
            }
        }
    }

    /** Gives a driver a binary; null if it refuses it. One from disk is marked while it does so for the first time. */
    private <T> @Nullable T load(ProgramKey key, Resident resident, ProgramDriver<T> driver) {
        DiskCache marking = disk;
        boolean marked = marking != null && !resident.isProven() && key.kind().isGivenToDriver();
        if (marking != null && marked) {
            marking.enterDriver(resident.digest());
        }
        T program = null;
        try {
            program = driver.load(resident.binary());
        } catch (RuntimeException refusal) {
            counters.refusals.increment();
            return null;
        } finally {
            if (marking != null && marked) {
                marking.leaveDriver(resident.digest());
            }
        }
        if (program == null) {
            counters.refusals.increment();
            return null;
        }
        resident.setProven();
        return program;
    }

    /** One thread making one program that is not in memory, or whose binary was refused. */
    private final class Leading<T> {
        private final ProgramKey key;
        private final ProgramDriver<T> driver;
        private final @Nullable Resident refused;
        private final long start;
        private final @Nullable DiskStore store;
        private boolean leased;
        private boolean fromDisk;

        Leading(ProgramKey key, ProgramDriver<T> driver, @Nullable Resident refused, long start) {
            this.key = key;
            this.driver = driver;
            this.refused = refused;
            this.start = start;
            boolean kept = disk != null && !disk.isDisabled(key.digest());
            this.store = kept ? store(key.kind(), key.compatibility()) : null;
        }

        T fly(Flight flight) {
            try {
                RuntimeException known = failures.get(key.digest());
                if (known != null) {
                    counters.knownFailures.increment();
                    flight.setFailure(known);
                    throw known;
                }
                Resident found = refused == null ? find() : differentFromRefused();
                if (found != null) {
                    T program = load(key, found, driver);
                    if (program != null) {
                        countHit(found);
                        memory.keep(found);
                        flight.setResult(found);
                        return program;
                    }
                }
                return buildAndKeep(flight);
            } finally {
                if (leased && disk != null) {
                    disk.releaseLease(key.digest());
                }
                flights.remove(key.digest(), flight);
                flight.land();
            }
        }

        private @Nullable Resident differentFromRefused() {
            Resident now = memory.peek(key.digest());
            return now == refused ? null : now;
        }

        private @Nullable Resident find() {
            // Another flight may have ended since memory was asked.
            Resident resident = memory.get(key.digest());
            if (resident != null) {
                return resident;
            }
            DiskCache shared = disk;
            if (shared == null || store == null) {
                return null;
            }
            StoredEntry pending = queue == null ? null : queue.pending(key.digest());
            if (pending != null) {
                return new Resident(pending, store, true);
            }
            EntryReading reading = store.read(key.digest(), key.text());
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
                counters.diskHits.increment();
                counters.savedNanos.add(found.entry().buildNanos());
                counters.diskHitNanos.record(nanos);
            } else {
                counters.memoryHits.increment();
                counters.memoryHitNanos.record(nanos);
            }
        }

        Built<T> build() {
            long begin = System.nanoTime();
            Built<T> built;
            try {
                built = driver.build();
            } catch (RuntimeException failure) {
                counters.failures.increment();
                throw failure;
            }
            counters.builds.increment();
            counters.buildNanos.record(System.nanoTime() - begin);
            return built;
        }

        private T buildAndKeep(Flight flight) {
            long begin = System.nanoTime();
            Built<T> built;
            try {
                built = build();
            } catch (RuntimeException failure) {
                if (driver.isPermanent(failure)) {
                    failures.put(key.digest(), failure);
                    flight.setFailure(failure);
                }
                throw failure;
            }
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
                // Pending before it is in memory: whoever does not find it there any more finds it in the queue.
                if (store != null && queue != null) {
                    leased = false;
                    queue.offer(store, entry);
                }
                memory.keep(resident);
                flight.setResult(resident);
            }
            counters.missNanos.record(System.nanoTime() - start);
            return built.program();
        }
    }

    private boolean isPending(Digest program) {
        return queue != null && queue.pending(program) != null;
    }

    private void evictedFromDisk(Digest program) {
        memory.evictedFromDisk(program);
    }

    /** Returns what is known of a program, without looking for its file. */
    public ProgramStatus status(ProgramKey key) {
        DiskStore store = store(key.kind(), key.compatibility());
        boolean onDisk = store != null && store.isKnown(key.digest());
        return onDisk ? ProgramStatus.SUCCESS : memory.status(key.digest());
    }

    /** Returns how many pipelines that are kept were made of a shader. */
    int references(ProgramKey key) {
        return memory.references(key.digest());
    }

    /** Gives memory back: evicts the least recently used programs until no more than {@code bytes} are left. */
    public void trimMemory(long bytes) {
        memory.trim(bytes);
    }

    /** Waits until everything that was compiled before is on disk and would survive a loss of power. */
    public void flush() {
        if (queue != null) {
            queue.flush();
        }
    }

    /** Returns what the cache has done so far. */
    public ProgramCacheStatistics statistics() {
        return counters.statistics(memory.size(), memory.bytes());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the program cache is closed; close it after the devices that use it");
        }
    }

    /** Writes what is waiting, and leaves the folder to others; a second call does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (readAhead != null) {
            readAhead.close();
        }
        if (queue != null) {
            queue.close();
        }
        if (disk != null) {
            disk.close();
        }
    }
}
