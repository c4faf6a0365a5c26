package io.frameloom.gpu.cache;

import io.frameloom.gpu.cache.program.CachedPrograms;
import io.frameloom.taskgraph.TaskGraph;
import org.jspecify.annotations.Nullable;

/**
 * Keeps compiled shaders and pipelines: in memory for as long as it is open, and in a folder from one start of the
 * application to the next. Any number of caches and processes may share a folder.
 *
 * <p>Devices that are opened with it look for every program in memory, then on disk, and compile what is in neither.
 * Threads that ask for the same program at the same time compile it once; processes that do so may each compile it. A
 * thread of the cache writes compiled programs; those for the same compiler or device are read ahead in the background.
 * A damaged, foreign or missing file is a miss and is counted, never an exception.
 *
 * <p>If the process ends while a driver is given a binary from disk, the next start deletes that program; after a
 * second crash it is compiled every time. A process that exits meanwhile, or is asked to end, has not crashed.
 *
 * <p>Any thread. An interrupt ends nothing here and stays in the thread's status. Close it after the devices that use
 * it, and before its task graph. Only this library extends it.
 */
public abstract class ProgramCache implements AutoCloseable {
    /** For this library alone. */
    protected ProgramCache() {}

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
        return CachedPrograms.open(options.withSystemProperties(), graph);
    }

    /**
     * Gives memory back: evicts programs until no more than {@code bytes} are left.
     *
     * @param bytes 0 or more
     */
    public abstract void trimMemory(long bytes);

    /** Waits until everything that was compiled before is on disk and would survive a loss of power. */
    public abstract void flush();

    /** Returns what the cache has done so far. */
    public abstract ProgramCacheStatistics statistics();

    /**
     * Returns what a driver last threw when it was given a binary; null if none has. The program was then made anew, or
     * the exception is suppressed in the one that says why it could not be.
     */
    public abstract @Nullable RuntimeException lastRefusal();

    /** Writes what is waiting, and releases the folder; a second call does nothing. */
    @Override
    public abstract void close();
}
