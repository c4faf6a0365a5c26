package io.frameloom.gpu.cache;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.FolderRefusedException;
import io.frameloom.gpu.cache.disk.NativeFiles;
import io.frameloom.gpu.cache.disk.StoreFiles;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps compiled shaders and pipelines: in memory for as long as it is open, and in a folder from one start of the
 * application to the next. Any number of caches and processes may share a folder.
 *
 * <p>Every program is looked for in memory, then on disk, and compiled if it is in neither; threads that ask for the same
 * program at the same time compile it once, and so do processes, as long as a lease lasts. No lock is held while a
 * program is compiled. Compiled programs are written by a thread of the cache; programs for the same compiler or device are read
 * ahead in the background from {@link #prepare} on. A damaged, foreign or missing file is a miss and is counted, never an
 * exception.
 *
 * <p>A program that ends the process while a driver is given its binary from disk is deleted at the next start, and
 * after a second crash it is compiled every time. A process that exits meanwhile, or is asked to end, has not crashed.
 *
 * <p>Any thread. An interrupt ends nothing here and stays in the thread's status. Close it after the devices that use it, and
 * before its task graph. The two levels, the separate storage
 * of statuses and the asynchronous start follow "GPU Program Caching", a design document of the Chromium project.
 */
public final class ProgramCache implements AutoCloseable {
    private static final int KNOWN_FAILURES = 1024;
    private static final long USE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final TaskGraph graph;
    private final MemoryLevel memory;
    private final CacheCounters counters;
    private final CacheLevels levels;
    private final @Nullable ReadAhead readAhead;
    private volatile boolean closed;

    private ProgramCache(
            ProgramCacheOptions options,
            TaskGraph graph,
            StoreFiles files,
            WriteQueue.Writer writer,
            Consumer<String> warnings)
            throws FolderRefusedException {
        this.graph = graph;
        counters =
                new CacheCounters(this::goneFromDisk, reason -> warnings.accept(unwritten(options.folder(), reason)));
        memory = new MemoryLevel(options.memoryBytes(), counters, this::isPending);
        Path folder = options.folder();
        DiskCache disk = null;
        WriteQueue queue = null;
        if (folder != null) {
            DiskCache.Limits limits = new DiskCache.Limits(options.diskBytes(), options.lease().toMillis());
            disk = DiskCache.open(files, folder.toAbsolutePath().normalize(), limits, counters);
            queue = disk.isWritable()
                    ? new WriteQueue(writer, disk, options.queueBytes(), counters, memory::keptNowhereElse)
                    : null;
        }
        readAhead = disk == null ? null : new ReadAhead(graph, disk, memory);
        levels = new CacheLevels(
                memory,
                new FailureMemory(KNOWN_FAILURES),
                new ConcurrentHashMap<>(),
                counters,
                new Audit(options.auditEvery()),
                disk,
                queue);
    }

    private static String unwritten(@Nullable Path folder, IOException reason) {
        return "program cache " + folder + " cannot write: " + FolderRefusedException.reason(reason)
                + ". Programs in the folder are used; those compiled now may be missing at the next start";
    }

    /**
     * Opens a cache. A folder that is a cache already but takes no file, such as one on a read-only disk, is read and never
     * written: its programs are hits, and what is compiled is kept in memory. The first thing that a folder does not take is
     * a warning to {@link System.Logger} {@code io.frameloom.gpu}.
     *
     * @param graph runs what is done in the background
     * @throws ProgramCacheException if the folder cannot be used: it cannot be read, is a symbolic link, a file or something
     *     else than a cache, or is none yet and cannot be written; it is then as it was before
     */
    public static ProgramCache open(ProgramCacheOptions options, TaskGraph graph) {
        return open(options, graph, new NativeFiles());
    }

    static ProgramCache open(ProgramCacheOptions options, TaskGraph graph, StoreFiles files) {
        return open(options, graph, files, new WriterThread());
    }

    static ProgramCache open(ProgramCacheOptions options, TaskGraph graph, StoreFiles files, WriteQueue.Writer writer) {
        System.Logger log = System.getLogger("io.frameloom.gpu");
        return open(options, graph, files, writer, warning -> log.log(System.Logger.Level.WARNING, warning));
    }

    static ProgramCache open(
            ProgramCacheOptions options,
            TaskGraph graph,
            StoreFiles files,
            WriteQueue.Writer writer,
            Consumer<String> warnings) {
        try {
            ProgramCache cache = new ProgramCache(CacheProperties.over(options), graph, files, writer, warnings);
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
        DiskStore store = levels.store(kind, compatibility);
        ReadAhead reader = readAhead;
        if (store != null && reader != null) {
            reader.read(store);
        }
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
        Loading<T> loading = new Loading<>(levels, key, driver);
        Resident resident = memory.get(key.digest());
        if (resident != null && levels.audit().isDue()) {
            return join(key, driver, loading, resident, resident, start);
        }
        if (resident != null) {
            T program = loading.load(resident);
            if (program != null) {
                long now = System.nanoTime();
                counters.memoryHits.increment();
                counters.memoryHitNanos.record(now - start);
                keepUsed(resident, now);
                return program;
            }
        }
        return join(key, driver, loading, resident, null, start);
    }

    /** A use of a program in memory counts on disk, too, but not every one of them. */
    private void keepUsed(Resident resident, long now) {
        DiskStore store = resident.store();
        WriteQueue writer = levels.queue();
        if (store != null && writer != null && resident.usedAfter(USE_NANOS, now)) {
            writer.used(store, resident.digest());
        }
    }

    /**
     * Waits for whoever makes the program, or makes it.
     *
     * @param refused what is in memory and is not to be taken, or null
     * @param audited what is in memory and is to be compared with a program that is made now, or null
     */
    private <T> T join(
            ProgramKey key,
            ProgramDriver<T> driver,
            Loading<T> loading,
            @Nullable Resident refused,
            @Nullable Resident audited,
            long start) {
        Resident known = refused;
        while (true) {
            Flight mine = new Flight(graph);
            Flight other = levels.flights().putIfAbsent(key.digest(), mine);
            if (other == null) {
                return new Leading<>(levels, key, driver, loading, known, audited == known ? audited : null, start)
                        .fly(mine);
            }
            if (other.leader() == Thread.currentThread()) {
                // This thread ran another task while it made the program, which it cannot wait for.
                return new Leading<>(levels, key, driver, loading, known, null, start)
                        .build()
                        .program();
            }
            other.await();
            RuntimeException failure = other.failure();
            if (failure != null) {
                throw driver.again(failure);
            }
            if (other.isWithoutBinary()) {
                // Nobody will find it: all who have waited make it at the same time, instead of one after another.
                return new Leading<>(levels, key, driver, loading, known, null, start)
                        .build()
                        .program();
            }
            Resident result = other.result();
            if (result != null && result != known) {
                T program = loading.load(result);
                if (program != null) {
                    counters.joined.increment();
                    return program;
                }
                known = result;
            }
        }
    }

    private boolean isPending(Digest program) {
        return levels.isPending(program);
    }

    private void goneFromDisk(Digest program) {
        memory.keptNowhereElse(program);
    }

    /** Returns what is known of a program, without looking for its file. */
    public ProgramStatus status(ProgramKey key) {
        DiskStore store = levels.store(key.kind(), key.compatibility());
        boolean onDisk = store != null && store.isKnown(key.digest());
        return onDisk ? ProgramStatus.SUCCESS : memory.status(key.digest());
    }

    /** Returns how many pipelines that are kept were made of a shader. */
    int references(ProgramKey key) {
        return memory.references(key.digest());
    }

    /**
     * Gives memory back: evicts programs until no more than {@code bytes} are left.
     *
     * @param bytes 0 or more
     */
    public void trimMemory(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a cache is trimmed to 0 bytes or more, got " + bytes);
        }
        memory.trim(bytes);
    }

    /** Waits until everything that was compiled before is on disk and would survive a loss of power. */
    public void flush() {
        WriteQueue queue = levels.queue();
        if (queue != null) {
            queue.flush();
        }
    }

    /** Returns what the cache has done so far. */
    public ProgramCacheStatistics statistics() {
        return counters.statistics(memory.size(), memory.bytes());
    }

    /**
     * Returns what a driver last threw when it was given a binary; null if none has. The program was then made anew, or the
     * exception is suppressed in the one that says why it could not be.
     */
    public @Nullable RuntimeException lastRefusal() {
        return counters.lastRefusal();
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
        DiskCache disk = levels.disk();
        WriteQueue queue = levels.queue();
        // From the last to the first, whatever one of them throws.
        try (disk;
                queue;
                readAhead) {
            return;
        }
    }
}
