package io.frameloom.gpu.cache.level;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.EntryReading;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Background work at the start of a cache: cleans up after ended processes, and fills the memory level from stores that are
 * about to be used, the most recently used programs first. Any thread.
 */
public final class ReadAhead implements AutoCloseable {
    private final TaskGraph graph;
    private final DiskCache disk;
    private final MemoryLevel memory;
    private final Set<String> started = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    /** Held while something is done, so that closing can wait for it; no worker waits for it. */
    private final ReentrantLock working = new ReentrantLock();

    private boolean tidied;
    private volatile boolean closed;

    public ReadAhead(TaskGraph graph, DiskCache disk, MemoryLevel memory) {
        this.graph = graph;
        this.disk = disk;
        this.memory = memory;
    }

    /** Cleans up, at the latest when this is closed. */
    public void tidy() {
        start("tidy program cache", this::tidyOnce);
    }

    private void tidyOnce() {
        if (!tidied) {
            tidied = true;
            disk.tidy();
        }
    }

    /** Reads the programs of a store, once. */
    public void read(DiskStore store) {
        if (started.add(store.name())) {
            start("load program cache", () -> fill(store));
        }
    }

    private void start(String name, Runnable work) {
        waiting.add(work);
        try {
            graph.task(name, this::workOff).on(WorkerLevel.BACKGROUND).fireAndForget();
        } catch (TaskGraphClosedException e) {
            // Without a task graph programs are read when they are asked for.
            return;
        }
    }

    /** Does what is waiting, unless another worker does; that one then finds what came in meanwhile. */
    private void workOff() {
        while (!closed && !waiting.isEmpty() && working.tryLock()) {
            try {
                Runnable work = waiting.poll();
                if (work != null) {
                    work.run();
                }
            } finally {
                working.unlock();
            }
        }
    }

    private void fill(DiskStore store) {
        for (Digest digest : store.newestFirst()) {
            if (closed) {
                return;
            }
            if (disk.isDisabled(digest) || memory.peek(digest) != null) {
                continue;
            }
            if (store.preload(digest) instanceof EntryReading.Intact intact
                    && !memory.offer(new Resident(intact.entry(), store, false))) {
                // Full.
                return;
            }
        }
    }

    /** Waits for what is being done, cleans up if that was not done yet, and does nothing more. */
    @Override
    public void close() {
        closed = true;
        working.lock();
        try {
            Uninterrupted.run(this::tidyOnce);
        } finally {
            working.unlock();
        }
    }
}
