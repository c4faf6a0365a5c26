package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.StoredEntry;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Programs on their way to disk. A thread beside the workers writes them, one at a time, and makes those that arrived
 * meanwhile durable together. A program that comes again before it was written replaces the first. Offering one never
 * waits for the disk. Any thread.
 */
final class WriteQueue implements AutoCloseable {
    /** Programs that become durable together. */
    private static final int BATCH = 32;

    private static final long IDLE_SECONDS = 1;

    private final Executor writer;
    private final long limit;
    private final CacheCounters counters;
    /** Receives programs that are on disk now, or did not get there. */
    private final Consumer<Digest> notWaiting;
    /** Held while programs are written; keeps them in order and lets {@link #flush} wait. */
    private final ReentrantLock writing = new ReentrantLock();

    private final Map<Digest, Write> waiting = new LinkedHashMap<>();
    private long waitingBytes;
    private boolean closed;

    private record Write(DiskStore store, StoredEntry entry) {
        long bytes() {
            return entry.bytes();
        }
    }

    WriteQueue(Executor writer, long limit, CacheCounters counters, Consumer<Digest> notWaiting) {
        this.writer = writer;
        this.limit = limit;
        this.counters = counters;
        this.notWaiting = notWaiting;
    }

    /**
     * Returns a thread for writing, since most of that is waiting. A worker that waits compiles nothing meanwhile, and
     * the machine may have only one for the background. The thread exists while there is something to write.
     */
    static Executor thread() {
        return new ThreadPoolExecutor(0, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread thread = new Thread(null, work, "frameloom-program-cache", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            return thread;
        });
    }

    /** Takes a program; drops it if too much is waiting. */
    void offer(DiskStore store, StoredEntry entry) {
        Write write = new Write(store, entry);
        boolean taken;
        synchronized (waiting) {
            Write replaced = waiting.remove(entry.digest());
            waitingBytes -= replaced == null ? 0 : replaced.bytes();
            taken = !closed && waitingBytes + write.bytes() <= limit;
            if (taken) {
                waiting.put(entry.digest(), write);
                waitingBytes += write.bytes();
            }
        }
        if (taken) {
            // One flush for each program, so that an error in one leaves the rest to the next.
            writer.execute(this::flush);
        } else {
            counters.droppedWrites.increment();
        }
    }

    /** Returns a program that is not written yet, or null. */
    @Nullable
    StoredEntry pending(Digest program) {
        synchronized (waiting) {
            Write write = waiting.get(program);
            return write == null ? null : write.entry();
        }
    }

    private boolean isIdle() {
        synchronized (waiting) {
            return waiting.isEmpty();
        }
    }

    /** Writes what is waiting, and returns when it is durable. */
    void flush() {
        writing.lock();
        try {
            while (!isIdle()) {
                writeBatch();
            }
        } finally {
            writing.unlock();
        }
    }

    private void writeBatch() {
        Set<DiskStore> touched = new LinkedHashSet<>();
        Write write = first();
        for (int i = 0; i < BATCH && write != null; i++) {
            write(write, touched);
            write = first();
        }
        touched.forEach(DiskStore::forceNames);
    }

    private @Nullable Write first() {
        synchronized (waiting) {
            return waiting.isEmpty() ? null : waiting.values().iterator().next();
        }
    }

    private void write(Write write, Set<DiskStore> touched) {
        Digest program = write.entry().digest();
        try {
            if (write.store().publish(write.entry())) {
                touched.add(write.store());
            }
        } finally {
            synchronized (waiting) {
                // Unless another one has taken its place meanwhile.
                waitingBytes -= waiting.remove(program, write) ? write.bytes() : 0;
            }
            notWaiting.accept(program);
        }
    }

    /** Writes what is waiting, and takes nothing more. */
    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
        }
        flush();
    }
}
