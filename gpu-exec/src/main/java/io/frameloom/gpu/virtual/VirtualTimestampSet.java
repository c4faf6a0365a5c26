package io.frameloom.gpu.virtual;

import io.frameloom.gpu.TimestampSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/** Timestamps of the simulated clocks. */
final class VirtualTimestampSet implements TimestampSet, VirtualObject {
    private final VirtualDevice device;
    private final String name;
    private final AtomicLongArray nanos;
    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualTimestampSet(VirtualDevice device, String name, int count) {
        this.device = device;
        this.name = name;
        this.nanos = new AtomicLongArray(count);
        forget();
    }

    boolean belongsTo(VirtualDevice other) {
        return device == other;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int count() {
        return nanos.length();
    }

    @Override
    public void reset() {
        requireOpen("reset");
        forget();
    }

    private void forget() {
        for (int i = 0; i < nanos.length(); i++) {
            nanos.set(i, Long.MIN_VALUE);
        }
    }

    @Override
    public long[] readNanos() {
        requireOpen("read");
        long[] all = new long[nanos.length()];
        for (int i = 0; i < all.length; i++) {
            all[i] = nanos.get(i);
        }
        return all;
    }

    private void requireOpen(String use) {
        if (closed.get()) {
            throw new IllegalStateException("timestamp set '" + name + "' is " + use + " after it was closed");
        }
    }

    /** Throws unless a timestamp may be written. */
    void requireWritable(int index) {
        requireOpen("written");
        if (index < 0 || index >= nanos.length()) {
            throw new IllegalArgumentException(
                    "timestamp set '" + name + "' has " + nanos.length() + " timestamps, index " + index + " is none");
        }
    }

    void write(int index, long value) {
        nanos.set(index, value);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.closed(this);
        }
    }
}
