package io.frameloom.gpu.cache.level;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskStore;
import io.frameloom.gpu.cache.disk.StoredEntry;
import org.jspecify.annotations.Nullable;

/** A program in memory. Any thread. */
public final class Resident {
    private final StoredEntry entry;
    private final @Nullable DiskStore store;
    private volatile boolean proven;
    private volatile long usedNanos;

    /**
     * A program.
     *
     * @param store where the disk keeps it, if anywhere
     * @param proven whether a driver has made or taken it in this process
     */
    Resident(StoredEntry entry, @Nullable DiskStore store, boolean proven) {
        this.entry = entry;
        this.store = store;
        this.proven = proven;
        this.usedNanos = System.nanoTime();
    }

    StoredEntry entry() {
        return entry;
    }

    public Digest digest() {
        return entry.digest();
    }

    public @Nullable DiskStore store() {
        return store;
    }

    byte[] binary() {
        return entry.payload();
    }

    /** Returns what it takes of the memory budget. */
    long bytes() {
        return (long) entry.payload().length
                + entry.keyText().length
                + (long) entry.parts().size() * Digest.BYTES;
    }

    boolean isProven() {
        return proven;
    }

    void setProven() {
        proven = true;
    }

    /** Notes a use; returns true to one caller if the last one noted was longer ago than {@code nanos}. */
    public boolean usedAfter(long nanos, long now) {
        if (now - usedNanos < nanos) {
            return false;
        }
        synchronized (this) {
            if (now - usedNanos < nanos) {
                return false;
            }
            usedNanos = now;
            return true;
        }
    }
}
