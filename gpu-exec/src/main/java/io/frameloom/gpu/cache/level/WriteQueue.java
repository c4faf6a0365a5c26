package io.frameloom.gpu.cache.level;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.StoredEntry;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Programs on their way to disk. A thread beside the workers writes them, one at a time, and makes those durable together
 * that have come meanwhile; a program that comes again before it was written takes the place of the first. Offering one
 * never waits for the disk. Any thread.
 */
public final class WriteQueue implements AutoCloseable {
    /** Programs that become durable together. */
    private static final int BATCH = 32;

    private final Writer writer;
    private final DiskCache disk;
    private final long limit;
    private final CacheCounters counters;
    /** Hears of programs that did not get to disk. */
    private final Consumer<Digest> notStored;
    /** Held while programs are written; keeps them in order and lets {@link #flush} wait. */
    private final ReentrantLock writing = new ReentrantLock();

    private final Map<Digest, Write> waiting = new LinkedHashMap<>();
    private final Set<Use> uses = new LinkedHashSet<>();
    private long waitingBytes;
    private boolean scheduled;
    private boolean closed;

    private record Write(DiskStore store, StoredEntry entry) {
        long bytes() {
            return (long) entry.payload().length + entry.keyText().length;
        }
    }

    private record Use(DiskStore store, Digest program) {}

    /** Who writes. */
    public interface Writer extends AutoCloseable {
        /** Does something on another thread, behind what was started before; or never, once this is closed. */
        void start(Runnable work);

        @Override
        void close();
    }

    public WriteQueue(Writer writer, DiskCache disk, long limit, CacheCounters counters, Consumer<Digest> notStored) {
        this.writer = writer;
        this.disk = disk;
        this.limit = limit;
        this.counters = counters;
        this.notStored = notStored;
    }

    /** Takes a program, and the lease on it, which ends when the program is written or dropped. */
    void offer(DiskStore store, StoredEntry entry) {
        Write write = new Write(store, entry);
        boolean taken;
        boolean start = false;
        synchronized (waiting) {
            Write replaced = waiting.remove(entry.digest());
            if (replaced != null) {
                waitingBytes -= replaced.bytes();
            }
            taken = !closed && waitingBytes + write.bytes() <= limit;
            if (taken) {
                waiting.put(entry.digest(), write);
                waitingBytes += write.bytes();
                start = claimSchedule();
            }
        }
        if (!taken) {
            counters.droppedWrites.increment();
            disk.releaseLease(entry.digest());
        }
        if (start) {
            schedule();
        }
    }

    /** Takes the news that a program was used. */
    public void used(DiskStore store, Digest program) {
        boolean start;
        synchronized (waiting) {
            start = !closed && uses.add(new Use(store, program)) && claimSchedule();
        }
        if (start) {
            schedule();
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

    private boolean claimSchedule() {
        if (scheduled) {
            return false;
        }
        scheduled = true;
        return true;
    }

    private void schedule() {
        try {
            writer.start(this::flush);
        } catch (OutOfMemoryError e) {
            // There is no thread for it now: the next program asks again, and closing writes what is left.
            synchronized (waiting) {
                scheduled = false;
            }
        }
    }

    /** Writes what is waiting, and returns when it is durable. */
    public void flush() {
        Uninterrupted.run(this::flushAll);
    }

    private void flushAll() {
        writing.lock();
        try {
            boolean more = true;
            while (more) {
                more = flushBatch();
            }
        } finally {
            writing.unlock();
        }
    }

    /** Returns whether there is more. An error costs the program that it came with, not those behind it. */
    private boolean flushBatch() {
        boolean ended = false;
        try {
            writeBatch();
            takeUses().forEach(use -> use.store().used(use.program()));
            ended = true;
        } finally {
            if (!ended) {
                scheduleRest();
            }
        }
        synchronized (waiting) {
            scheduled = isAnyWaiting();
            return scheduled;
        }
    }

    private void writeBatch() {
        Set<DiskStore> touched = new LinkedHashSet<>();
        try {
            Write write = first();
            for (int i = 0; i < BATCH && write != null; i++) {
                write(write, touched);
                write = first();
            }
        } finally {
            touched.forEach(DiskStore::forceNames);
        }
    }

    private void write(Write write, Set<DiskStore> touched) {
        Digest program = write.entry().digest();
        try {
            if (write.store().publish(write.entry())) {
                touched.add(write.store());
            }
        } finally {
            done(write);
            disk.releaseLease(program);
            if (!write.store().isKnown(program) && pending(program) == null) {
                notStored.accept(program);
            }
        }
    }

    private void scheduleRest() {
        boolean start;
        synchronized (waiting) {
            scheduled = !closed && isAnyWaiting();
            start = scheduled;
        }
        if (start) {
            schedule();
        }
    }

    private boolean isAnyWaiting() {
        return !waiting.isEmpty() || !uses.isEmpty();
    }

    private @Nullable Write first() {
        synchronized (waiting) {
            return waiting.isEmpty() ? null : waiting.values().iterator().next();
        }
    }

    /** Forgets a written program, unless another one has taken its place meanwhile. */
    private void done(Write write) {
        synchronized (waiting) {
            if (waiting.remove(write.entry().digest(), write)) {
                waitingBytes -= write.bytes();
            }
        }
    }

    private Set<Use> takeUses() {
        synchronized (waiting) {
            Set<Use> taken = new LinkedHashSet<>(uses);
            uses.clear();
            return taken;
        }
    }

    /** Writes what is waiting, and takes nothing more. */
    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
        }
        try (writer) {
            flush();
        }
    }
}
