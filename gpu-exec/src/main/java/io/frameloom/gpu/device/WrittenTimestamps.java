package io.frameloom.gpu.device;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Which timestamps of a set some list writes since the last reset: each is written once. Any thread. */
public final class WrittenTimestamps {
    private final String set;
    private final AtomicIntegerArray written;

    /** The timestamps of a set of that name, none of them written. */
    public WrittenTimestamps(String set, int count) {
        this.set = set;
        this.written = new AtomicIntegerArray(count);
    }

    /**
     * Notes that a list writes a timestamp; of lists that are recorded at the same time one may.
     *
     * @throws IllegalArgumentException if there is no such timestamp
     * @throws IllegalStateException if a list writes it already
     */
    public void write(String list, int index) {
        int count = written.length();
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("writeTimestamp in command list '" + list + "': timestamp set '" + set
                    + "' has " + count + " timestamps, index " + index + " is not one");
        }
        if (!written.compareAndSet(index, 0, 1)) {
            throw new IllegalStateException("writeTimestamp in command list '" + list + "': timestamp " + index
                    + " of set '" + set + "' is written already; write another one, or reset the set before recording");
        }
    }

    /** Forgets all writes. */
    public void reset() {
        for (int i = 0; i < written.length(); i++) {
            written.set(i, 0);
        }
    }
}
