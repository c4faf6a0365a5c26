package io.frameloom.rdg.execute;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long each recording group of a realised plan took lately. Neighbours that take little together become one task:
 * a task of a few microseconds costs more to hand over than it gains. RENDER thread.
 */
final class GroupTimes {
    /** What a wake-up on stock Linux takes at worst, so that a task of this length still pays. */
    private static final long WORTH_A_TASK_NANOS = 50_000;

    /** A frame counts for so much of the mean, and as two tasks at most: one that was slow for once changes little. */
    private static final int WEIGHT = 4;

    private static final long MOST_NANOS = 2 * WORTH_A_TASK_NANOS;

    /** 0 until measured. */
    private final long[] nanos;
    /** By first group of a shared task its last group and its name, as made for a former frame. */
    private final int[] last;

    private final @Nullable String[] name;

    GroupTimes(int groups) {
        nanos = new long[groups];
        last = new int[groups];
        name = new String[groups];
    }

    /** Takes the times of a frame whose groups were all recorded. */
    void learn(long[] frame) {
        for (int group = 0; group < nanos.length; group++) {
            long known = nanos[group];
            long taken = Math.min(frame[group], MOST_NANOS);
            nanos[group] = known == 0 ? taken : known + (taken - known) / WEIGHT;
        }
    }

    /** Returns whether a task that takes so long may record a group besides; one that was never measured is alone. */
    boolean mayJoin(long taskNanos, int group) {
        return taskNanos != 0 && nanos[group] != 0 && taskNanos + nanos[group] <= WORTH_A_TASK_NANOS;
    }

    /** Returns how long a group takes, or 0 if it was never measured. */
    long nanos(int group) {
        return nanos[group];
    }

    String name(int first, int end, IntFunction<String> labels) {
        String known = name[first];
        if (known == null || last[first] != end) {
            known = "record " + labels.apply(first) + " to " + labels.apply(end);
            name[first] = known;
            last[first] = end;
        }
        return known;
    }
}
