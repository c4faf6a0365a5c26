package io.frameloom.gpu.check.judge;

import java.util.Arrays;

/**
 * A vector clock with one component per queue and stage: all work of that queue in that stage up to a sequence number.
 * Prefixes are exact, because every source scope is a prefix of submission order cut by stages. A copy shares the
 * values until one of the two changes.
 */
final class Clock {
    /** The presentation engine, as if it were one more queue. */
    static final int PRESENTATION = -1;

    /** The host, as if it were one more queue: what it has seen complete before each of its waits. */
    static final int HOST = -2;

    private long[] values = new long[0];
    /** Whether another clock may have the same array. */
    private boolean shared;

    static int column(int queue, int stage) {
        return (queue - HOST) * Scopes.STAGES + stage;
    }

    long get(int column) {
        return column < values.length ? values[column] : 0;
    }

    void raise(int column, long value) {
        if (get(column) < value) {
            own((column / Scopes.STAGES + 1) * Scopes.STAGES);
            values[column] = value;
        }
    }

    /** Joins another clock in. Takes its values as they are where no value here is greater, which is usual. */
    void raise(Clock other) {
        long[] theirs = other.values;
        if (values == theirs) {
            return;
        }
        boolean older = false;
        boolean ahead = values.length > theirs.length;
        for (int i = 0; i < theirs.length; i++) {
            long mine = get(i);
            older |= mine < theirs[i];
            ahead |= mine > theirs[i];
        }
        if (!older) {
            return;
        }
        if (!ahead) {
            values = theirs;
            shared = true;
            other.shared = true;
            return;
        }
        own(theirs.length);
        for (int i = 0; i < theirs.length; i++) {
            values[i] = Math.max(values[i], theirs[i]);
        }
    }

    /** Makes the values this clock's own, and at least so many. */
    private void own(int columns) {
        if (shared || values.length < columns) {
            values = Arrays.copyOf(values, Math.max(columns, values.length));
            shared = false;
        }
    }

    Clock copy() {
        Clock copy = new Clock();
        copy.values = values;
        copy.shared = true;
        shared = true;
        return copy;
    }

    /** Returns whether two clocks are equal in everything that is not in {@code floor} anyway. */
    boolean sameAbove(Clock floor, Clock other) {
        if (values == other.values) {
            return true;
        }
        int columns = Math.max(values.length, other.values.length);
        for (int i = 0; i < columns; i++) {
            long least = floor.get(i);
            if (Math.max(least, get(i)) != Math.max(least, other.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the work {@code (queue, each of stages, sequence)} is in the clock. */
    boolean covers(int queue, int stages, long sequence) {
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            if (get(column(queue, Integer.numberOfTrailingZeros(rest))) < sequence) {
                return false;
            }
        }
        return true;
    }

    boolean covers(MemoryWrite write) {
        return covers(write.queue(), write.stages(), write.sequence());
    }

    boolean coversAny(int queue, int stages, long sequence) {
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            if (get(column(queue, Integer.numberOfTrailingZeros(rest))) >= sequence) {
                return true;
            }
        }
        return false;
    }
}
