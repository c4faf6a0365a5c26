package io.frameloom.gpu.device;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Which queries of a set some list writes since the last reset: each is written once. Any thread. */
public final class WrittenQueries {
    private final String command;
    private final String noun;
    private final String set;
    private final AtomicIntegerArray written;

    /**
     * The queries of a set, none of them written.
     *
     * @param command what writes them, for messages
     * @param noun what they are, for messages
     */
    public WrittenQueries(String command, String noun, String set, int count) {
        this.command = command;
        this.noun = noun;
        this.set = set;
        this.written = new AtomicIntegerArray(count);
    }

    public int count() {
        return written.length();
    }

    /**
     * Notes that a list writes a query; of lists that are recorded at the same time one may.
     *
     * @throws IllegalArgumentException if there is no such query
     * @throws IllegalStateException if a list writes it already
     */
    public void write(String list, int index) {
        int count = written.length();
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException(command + " in command list '" + list + "': " + noun + " set '" + set
                    + "' has " + count + ", from 0 on, and not number " + index);
        }
        if (!written.compareAndSet(index, 0, 1)) {
            throw new IllegalStateException(command + " in command list '" + list + "': " + noun + " " + index
                    + " of set '" + set + "' is written already; write another one, or reset the set before recording");
        }
    }

    public boolean isWritten(int index) {
        return written.get(index) != 0;
    }

    public void reset() {
        for (int i = 0; i < written.length(); i++) {
            written.set(i, 0);
        }
    }
}
