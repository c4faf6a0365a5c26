package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.ProgramCacheStatistics;
import io.frameloom.gpu.cache.disk.CrashMarkers;
import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.NativeFiles;
import io.frameloom.gpu.cache.disk.StoreFiles;
import io.frameloom.gpu.device.LruBytes;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a {@link ProgramCache}. No lock is held while a program is compiled. The two levels, the separate
 * storage of statuses and the asynchronous start follow "GPU Program Caching", a design document of the Chromium
 * project.
 */
public final class CachedPrograms extends ProgramCache {
    private static final int KNOWN_FAILURES = 1024;

    final TaskGraph graph;
    final CacheCounters counters;
    final MemoryLevel memory;
    /** Programs that will never compile, with the compiler's words; in memory only. */
    final LruBytes<Digest, RuntimeException> failures = new LruBytes<>(KNOWN_FAILURES, failure -> 1);
    /** Programs that are being made, each by one thread. */
    final Map<Digest, Request.Flight> flights = new ConcurrentHashMap<>();
    /** Programs on disk; null for a cache in memory only. */
    private final @Nullable DiskCache disk;
    /** Programs on their way there; null if the folder takes none. */
    final @Nullable WriteQueue queue;

    private final @Nullable ReadAhead readAhead;
    private final int auditEvery;
    private final AtomicLong hits = new AtomicLong();
    private volatile boolean closed;

    private CachedPrograms(
            ProgramCacheOptions options,
            TaskGraph graph,
            StoreFiles files,
            Executor writer,
            Consumer<String> warnings) {
        this.graph = graph;
        auditEvery = options.auditEvery();
        counters =
                new CacheCounters(this::goneFromDisk, reason -> warnings.accept(unwritten(options.folder(), reason)));
        memory = new MemoryLevel(options.memoryBytes(), counters, this::isElsewhere);
        Path folder = options.folder();
        DiskCache opened = null;
        if (folder != null) {
            opened = DiskCache.open(files, folder.toAbsolutePath().normalize(), options.diskBytes(), counters);
        }
        disk = opened;
        queue = opened == null || !opened.isWritable()
                ? null
                : new WriteQueue(writer, options.queueBytes(), counters, memory::goneElsewhere);
        readAhead = opened == null ? null : new ReadAhead(graph, opened, memory);
    }

    private static String unwritten(@Nullable Path folder, IOException reason) {
        return "program cache " + folder + " cannot write: " + StoreFiles.reason(reason)
                + ". Programs in the folder are used; those compiled now may be missing at the next start";
    }

    /** Returns the engine of a cache. */
    public static CachedPrograms of(ProgramCache cache) {
        return (CachedPrograms) cache;
    }

    /** Opens a cache with these options and no others. */
    public static CachedPrograms open(ProgramCacheOptions options, TaskGraph graph) {
        return open(options, graph, new NativeFiles());
    }

    static CachedPrograms open(ProgramCacheOptions options, TaskGraph graph, StoreFiles files) {
        System.Logger log = System.getLogger("io.frameloom.gpu");
        Consumer<String> warnings = warning -> log.log(System.Logger.Level.WARNING, warning);
        return open(options, graph, files, WriteQueue.thread(), warnings);
    }

    static CachedPrograms open(
            ProgramCacheOptions options,
            TaskGraph graph,
            StoreFiles files,
            Executor writer,
            Consumer<String> warnings) {
        CachedPrograms cache = new CachedPrograms(options, graph, files, writer, warnings);
        if (cache.readAhead != null) {
            cache.readAhead.tidy();
        }
        return cache;
    }

    /**
     * Announces that programs of a kind and compatibility will be needed: they are read into memory in the background.
     */
    public void prepare(ProgramKind kind, Compatibility compatibility) {
        requireOpen();
        DiskStore store = store(kind, compatibility);
        ReadAhead reader = readAhead;
        if (store != null && reader != null) {
            reader.read(store);
        }
    }

    /**
     * Returns a program, from memory, from disk, or made now.
     *
     * @param <T> type of the program
     * @throws RuntimeException what {@link ProgramDriver#build} threw, now or, if it was permanent, earlier
     */
    public <T> T obtain(ProgramKey key, ProgramDriver<T> driver) {
        requireOpen();
        return new Request<>(this, key, driver).answer();
    }

    /** Counts a hit, and returns whether the program is to be made anew and compared. */
    boolean isAuditDue() {
        return auditEvery > 0 && hits.incrementAndGet() % auditEvery == 0;
    }

    /** Returns where the disk keeps a program; null if it does not. */
    @Nullable
    DiskStore store(ProgramKey key) {
        boolean disabled = disk != null && disk.markers().isDisabled(key.digest());
        return disabled ? null : store(key.kind(), key.compatibility());
    }

    /** Returns what is known of programs that end processes; null for a cache in memory only. */
    @Nullable
    CrashMarkers markers() {
        return disk == null ? null : disk.markers();
    }

    private @Nullable DiskStore store(ProgramKind kind, Compatibility compatibility) {
        return disk == null ? null : disk.store(kind.folderName(), compatibility.text());
    }

    /** Returns whether a program is on disk, or on its way there. */
    private boolean isElsewhere(Digest program) {
        return (queue != null && queue.pending(program) != null) || (disk != null && disk.isKnown(program));
    }

    private void goneFromDisk(Digest program) {
        memory.goneElsewhere(program);
    }

    /**
     * Returns whether a program is known to compile, without looking for its file. If the file is gone, the program
     * compiles again.
     */
    public boolean isKnown(ProgramKey key) {
        return (disk != null && disk.isKnown(key.digest())) || memory.isKnown(key.digest());
    }

    /** Returns how many pipelines that are kept were made of a shader. */
    int references(ProgramKey key) {
        return memory.references(key.digest());
    }

    @Override
    public void trimMemory(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a cache is trimmed to 0 bytes or more, got " + bytes);
        }
        memory.trim(bytes);
    }

    @Override
    public void flush() {
        if (queue != null) {
            queue.flush();
        }
    }

    @Override
    public ProgramCacheStatistics statistics() {
        return counters.statistics(memory.size(), memory.bytes());
    }

    @Override
    public @Nullable RuntimeException lastRefusal() {
        return counters.lastRefusal;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the program cache is closed; close it after the devices that use it");
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        // From the last to the first, whatever one of them throws.
        try (disk;
                queue;
                readAhead) {
            return;
        }
    }
}
