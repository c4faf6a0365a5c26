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

    /** Makes room for so many more, to be written to what is returned; {@link #resize} says how many there are. */
    int[] reserve(int more) {
        if (items.length - size < more) {
            items = Arrays.copyOf(items, Math.max(size * 2, size + more));
        }
        return items;
    }

    void resize(int newSize) {
        size = newSize;
    }

    int[] toArray(int from, int to) {
        return Arrays.copyOfRange(items, from, to);
    }

    int[] toArray() {
        return Arrays.copyOf(items, size);
    }
}
