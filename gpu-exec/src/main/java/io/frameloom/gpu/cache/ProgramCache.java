package io.frameloom.gpu.cache;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.FolderRefusedException;
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
 * Keeps compiled shaders and pipelines: in memory for as long as it is open, and in a folder from one start of the
 * application to the next. Any number of caches and processes may share a folder.
 *
 * <p>Every program is looked for in memory, then on disk, and compiled if it is in neither. Threads that ask for the
 * same program at the same time compile it once; processes that do so may each compile it. No lock is held while a
 * program is compiled. A thread of the cache writes compiled programs; from {@link #prepare} on, programs for the same
 * compiler or device are read ahead in the background. A damaged, foreign or missing file is a miss and is counted,
 * never an exception.
 *
 * <p>If the process ends while a driver is given a binary from disk, the next start deletes that program; after a
 * second crash it is compiled every time. A process that exits meanwhile, or is asked to end, has not crashed.
 *
 * <p>Any thread. An interrupt ends nothing here and stays in the thread's status. Close it after the devices that use
 * it, and before its task graph. The two levels, the separate storage of statuses and the asynchronous start follow
 * "GPU Program Caching", a design document of the Chromium project.
 */
public final class ProgramCache implements AutoCloseable {
    private static final int KNOWN_FAILURES = 1024;

    final TaskGraph graph;
    final CacheCounters counters;
    final MemoryLevel memory;
    /** Programs that will never compile, with the compiler's words; in memory only. */
    final LruBytes<Digest, RuntimeException> failures = new LruBytes<>(KNOWN_FAILURES, failure -> 1);
    /** Programs that are being made, each by one thread. */
    final Map<Digest, Flight> flights = new ConcurrentHashMap<>();
    /** Programs on disk; null for a cache in memory only. */
    final @Nullable DiskCache disk;
    /** Programs on their way there; null if the folder takes none. */
    final @Nullable WriteQueue queue;

    private final @Nullable ReadAhead readAhead;
    private final int auditEvery;
    private final AtomicLong hits = new AtomicLong();
    private volatile boolean closed;

    private ProgramCache(
            ProgramCacheOptions options, TaskGraph graph, StoreFiles files, Executor writer, Consumer<String> warnings)
            throws FolderRefusedException {
        this.graph = graph;
        auditEvery = options.auditEvery();
        counters =
                new CacheCounters(this::goneFromDisk, reason -> warnings.accept(unwritten(options.folder(), reason)));
        memory = new MemoryLevel(options.memoryBytes(), counters, this::isPending);
        Path folder = options.folder();
        DiskCache opened = null;
        if (folder != null) {
            opened = DiskCache.open(files, folder.toAbsolutePath().normalize(), options.diskBytes(), counters);
        }
        disk = opened;
        queue = opened == null || !opened.isWritable()
                ? null
                : new WriteQueue(writer, options.queueBytes(), counters, memory::keptNowhereElse);
        readAhead = opened == null ? null : new ReadAhead(graph, opened, memory);
    }

    private static String unwritten(@Nullable Path folder, IOException reason) {
        return "program cache " + folder + " cannot write: " + FolderRefusedException.reason(reason)
                + ". Programs in the folder are used; those compiled now may be missing at the next start";
    }

    /**
     * Opens a cache. An existing cache that takes no file, such as one on a read-only disk, is read and never written:
     * its programs are hits, and new ones are kept in memory. The first write that fails is a warning to {@link
     * System.Logger} {@code io.frameloom.gpu}.
     *
     * @param graph runs the background work
     * @throws ProgramCacheException if the folder cannot be used: it cannot be read, is no cache yet and cannot be
     *     written, or is something else (a symbolic link, a file), which is left as it was
     */
    public static ProgramCache open(ProgramCacheOptions options, TaskGraph graph) {
        return open(options, graph, new NativeFiles());
    }

    static ProgramCache open(ProgramCacheOptions options, TaskGraph graph, StoreFiles files) {
        System.Logger log = System.getLogger("io.frameloom.gpu");
        Consumer<String> warnings = warning -> log.log(System.Logger.Level.WARNING, warning);
        return open(options, graph, files, WriteQueue.thread(), warnings);
    }

    static ProgramCache open(
            ProgramCacheOptions options,
            TaskGraph graph,
            StoreFiles files,
            Executor writer,
            Consumer<String> warnings) {
        try {
            ProgramCache cache = new ProgramCache(options.withSystemProperties(), graph, files, writer, warnings);
            ReadAhead tidying = cache.readAhead;
            if (tidying != null) {
                tidying.tidy();
            }
            return cache;
        } catch (FolderRefusedException e) {
            throw new ProgramCacheException(String.valueOf(e.getMessage()), e);
        }
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

    /** Returns where the disk keeps a program, or null. */
    @Nullable
    DiskStore store(ProgramKey key) {
        return store(key.kind(), key.compatibility());
    }

    private @Nullable DiskStore store(ProgramKind kind, Compatibility compatibility) {
        return disk == null ? null : disk.store(kind.folderName(), compatibility.text());
    }

    private boolean isPending(Digest program) {
        return queue != null && queue.pending(program) != null;
    }

    private void goneFromDisk(Digest program) {
        memory.keptNowhereElse(program);
    }

    /**
     * Returns whether a program is known to compile, without looking for its file. If it is not at hand any more, it will
     * compile again.
     */
    public boolean isKnown(ProgramKey key) {
        DiskStore store = store(key);
        boolean onDisk = store != null && store.isKnown(key.digest());
        return onDisk || memory.isKnown(key.digest());
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
        if (queue != null) {
            queue.flush();
        }
    }

    /** Returns what the cache has done so far. */
    public ProgramCacheStatistics statistics() {
        return counters.statistics(memory.size(), memory.bytes());
    }

    /**
     * Returns what a driver last threw when it was given a binary; null if none has. The program was then made anew, or
     * the exception is suppressed in the one that says why it could not be.
     */
    public @Nullable RuntimeException lastRefusal() {
        return counters.lastRefusal;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the program cache is closed; close it after the devices that use it");
        }
    }

    /** Writes what is waiting, and releases the folder; a second call does nothing. */
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
