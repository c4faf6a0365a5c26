package io.frameloom.gpu.check;

import java.util.Arrays;

/**
 * A vector clock with one component per queue and stage: all work of that queue in that stage up to a sequence number.
 * Prefixes are exact, because every source scope is a prefix of submission order cut by stages.
 */
final class Clock {
    /** The presentation engine, as if it were one more queue. */
    static final int PRESENTATION = -1;

    private long[] values = new long[0];

    static int column(int queue, int stage) {
        return (queue - PRESENTATION) * Scopes.STAGES + stage;
    }

    long get(int column) {
        return column < values.length ? values[column] : 0;
    }

    void raise(int column, long value) {
        if (column >= values.length) {
            values = Arrays.copyOf(values, (column / Scopes.STAGES + 1) * Scopes.STAGES);
        }
        values[column] = Math.max(values[column], value);
    }

    void raise(Clock other) {
        if (other.values.length > values.length) {
            values = Arrays.copyOf(values, other.values.length);
        }
        for (int i = 0; i < other.values.length; i++) {
            if (other.values[i] > values[i]) {
                values[i] = other.values[i];
            }
        }
    }

    Clock copy() {
        Clock copy = new Clock();
        copy.values = values.clone();
        return copy;
    }

    /** Returns whether two clocks say the same of everything that is not in {@code floor} anyway. */
    boolean sameAbove(Clock floor, Clock other) {
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

    /** Returns whether the work of any of {@code stages} is in the clock. */
    boolean coversAny(int queue, int stages, long sequence) {
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            if (get(column(queue, Integer.numberOfTrailingZeros(rest))) >= sequence) {
                return true;
            }
        }
        return false;
    }
}
