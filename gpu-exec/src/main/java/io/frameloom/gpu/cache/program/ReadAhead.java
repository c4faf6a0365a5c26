package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.EntryReading;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Background work at the start of a cache: cleans up after ended processes, and fills the memory level from stores that
 * are about to be used, the most recently used programs first. Any thread.
 */
final class ReadAhead implements AutoCloseable {
    private final TaskGraph graph;
    private final DiskCache disk;
    private final MemoryLevel memory;
    private final Set<String> started = ConcurrentHashMap.newKeySet();
    /** Shared by what is being done, so that closing can wait for it; no worker waits for it. */
    private final ReadWriteLock working = new ReentrantReadWriteLock();

    private volatile boolean tidied;
    private volatile boolean closed;

    ReadAhead(TaskGraph graph, DiskCache disk, MemoryLevel memory) {
        this.graph = graph;
        this.disk = disk;
        this.memory = memory;
    }

    /** Cleans up, at the latest when this is closed; called once. */
    void tidy() {
        start("tidy program cache", () -> {
            tidied = true;
            disk.tidy();
        });
    }

    /** Reads the programs of a store, once. */
    void read(DiskStore store) {
        if (started.add(store.name())) {
            start("load program cache", () -> fill(store));
        }
    }

    private void start(String name, Runnable work) {
        try {
            graph.task(name, () -> run(work)).on(WorkerLevel.BACKGROUND).fireAndForget();
        } catch (TaskGraphClosedException e) {
            // Without a task graph programs are read when they are asked for.
            return;
        }
    }

    private void run(Runnable work) {
        if (!closed && working.readLock().tryLock()) {
            try {
                work.run();
            } finally {
                working.readLock().unlock();
            }
        }
    }

    private void fill(DiskStore store) {
        for (Digest digest : store.newestFirst()) {
            if (closed) {
                return;
            }
            if (!disk.markers().isDisabled(digest)
                    && memory.peek(digest) == null
                    && store.preload(digest) instanceof EntryReading.Intact intact
                    && !memory.offer(intact.entry())) {
                // Full.
                return;
            }
        }
    }

    /** Waits for what is being done, cleans up if that was not done yet, and does nothing more. */
    @Override
    public void close() {
        closed = true;
        working.writeLock().lock();
        try {
            if (!tidied) {
                disk.tidy();
            }
        } finally {
            working.writeLock().unlock();
        }
    }
}
