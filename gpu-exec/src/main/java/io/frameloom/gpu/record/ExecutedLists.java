package io.frameloom.gpu.record;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The secondary lists that a list executes, as they were then: their objects may be other lists by now. Used for one
 * list after another. One thread at a time.
 */
final class ExecutedLists {
    private static final int FIRST = 4;

    private @Nullable CheckedCommandList<?, ?>[] lists = new CheckedCommandList<?, ?>[FIRST];
    private int[] turns = new int[FIRST];
    private String[] labels = new String[FIRST];
    private int count;

    /** Adds a list as it is in the turn of its context. */
    void add(CheckedCommandList<?, ?> list, int turn) {
        if (count == lists.length) {
            lists = Arrays.copyOf(lists, 2 * count);
            turns = Arrays.copyOf(turns, 2 * count);
            labels = Arrays.copyOf(labels, 2 * count);
        }
        lists[count] = list;
        turns[count] = turn;
        labels[count] = list.label();
        count++;
    }

    int count() {
        return count;
    }

    CheckedCommandList<?, ?> get(int index) {
        CheckedCommandList<?, ?> list = lists[index];
        if (list == null) {
            throw new IndexOutOfBoundsException(index);
        }
        return list;
    }

    String label(int index) {
        return labels[index];
    }

    boolean isRecycled(int index) {
        return get(index).turn() != turns[index];
    }

    void clear() {
        Arrays.fill(lists, 0, count, null);
        count = 0;
    }
}
