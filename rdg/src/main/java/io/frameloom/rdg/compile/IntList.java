package io.frameloom.rdg.compile;

import java.util.Arrays;

/** A growing list of ints. */
final class IntList {
    private int[] items;
    private int size;

    IntList(int capacity) {
        items = new int[Math.max(4, capacity)];
    }

    int size() {
        return size;
    }

    int get(int index) {
        return items[index];
    }

    void set(int index, int value) {
        items[index] = value;
    }

    void add(int value) {
        if (size == items.length) {
            items = Arrays.copyOf(items, size * 2);
        }
        items[size++] = value;
    }

    void clear() {
        size = 0;
    }

    int[] toArray() {
        return Arrays.copyOf(items, size);
    }
}
