package io.frameloom.gpu.record;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntArrayList;

/**
 * The secondary lists that a list executes, as they were then: their objects may be other lists by now. Used for one
 * list after another. One thread at a time.
 */
final class ExecutedLists {
    private final List<CheckedCommandList<?, ?>> lists = new ArrayList<>(0);
    private final IntArrayList turns = new IntArrayList();
    private final List<String> labels = new ArrayList<>(0);

    void add(CheckedCommandList<?, ?> list, int turn) {
        lists.add(list);
        turns.addInt(turn);
        labels.add(list.label());
    }

    int count() {
        return lists.size();
    }

    CheckedCommandList<?, ?> get(int index) {
        return lists.get(index);
    }

    String label(int index) {
        return labels.get(index);
    }

    boolean isRecycled(int index) {
        return lists.get(index).turn() != turns.getInt(index);
    }

    void clear() {
        lists.clear();
        turns.clear();
        labels.clear();
    }
}
