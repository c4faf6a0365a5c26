package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.ObjectKind;
import io.frameloom.gpu.device.SetLife;
import io.frameloom.gpu.device.WrittenTimestamps;
import io.frameloom.gpu.record.Perishable;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** Timestamps of the simulated clocks. */
final class VirtualTimestampSet implements TimestampSet, VirtualObject, Perishable {
    private final SimulatedDevice device;
    private final String name;
    private final AtomicLongArray nanos;
    private final WrittenTimestamps written;
    private final SetLife life;

    VirtualTimestampSet(SimulatedDevice device, String name, int count) {
        this.device = device;
        this.name = name;
        this.life = new SetLife(ObjectKind.TIMESTAMPS, name);
        this.nanos = new AtomicLongArray(count);
        this.written = new WrittenTimestamps(name, count);
        forget();
    }

    boolean belongsTo(SimulatedDevice other) {
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
        life.requireOpen("reset");
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
        life.requireOpen("read");
        long[] all = new long[nanos.length()];
        for (int i = 0; i < all.length; i++) {
            all[i] = nanos.get(i);
        }
        return all;
    }

    /** Notes that a list writes a timestamp; throws unless it may. */
    void record(String list, int index) {
        life.requireOpen("written");
        written.write(list, index);
    }

    void write(int index, long value) {
        nanos.set(index, value);
    }

    @Override
    public @Nullable String closedPart() {
        return life.closedPart();
    }

    @Override
    public void close() {
        if (life.close()) {
            device.closed(this);
        }
    }
}
