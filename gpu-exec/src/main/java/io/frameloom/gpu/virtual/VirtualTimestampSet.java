package io.frameloom.gpu.virtual;

import io.frameloom.gpu.TimestampSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/** Timestamps of the simulated clocks. */
final class VirtualTimestampSet implements TimestampSet {
    private final VirtualDevice device;
    private final String name;
    private final AtomicLongArray nanos;
    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualTimestampSet(VirtualDevice device, String name, int count) {
        this.device = device;
        this.name = name;
        this.nanos = new AtomicLongArray(count);
        reset();
        device.opened(this, name);
    }

    @Override
    public int count() {
        return nanos.length();
    }

    @Override
    public void reset() {
        for (int i = 0; i < nanos.length(); i++) {
            nanos.set(i, Long.MIN_VALUE);
        }
    }

    @Override
    public long[] readNanos() {
        long[] all = new long[nanos.length()];
        for (int i = 0; i < all.length; i++) {
            all[i] = nanos.get(i);
        }
        return all;
    }

    void checkIndex(int index) {
        if (closed.get()) {
            throw new IllegalStateException("timestamp set '" + name + "' is written after it was closed");
        }
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
