package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.WrittenQueries;
import java.util.concurrent.atomic.AtomicLongArray;

/** Timestamps of the simulated clocks. */
final class VirtualTimestampSet extends VirtualObject implements TimestampSet {
    private final AtomicLongArray nanos;
    private final WrittenQueries written;

    VirtualTimestampSet(SimulatedDevice device, String name, int count) {
        super(device, name);
        this.nanos = new AtomicLongArray(count);
        this.written = new WrittenQueries("writeTimestamp", "timestamp", name, count);
        forget();
    }

    @Override
    public int count() {
        return nanos.length();
    }

    @Override
    public void reset() {
        requireOpen("reset");
        forget();
        written.reset();
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

    /** Notes that a list writes a timestamp; throws unless it may. */
    void record(String list, int index) {
        requireOpen("written");
        written.write(list, index);
    }

    void write(int index, long value) {
        nanos.set(index, value);
    }
}
