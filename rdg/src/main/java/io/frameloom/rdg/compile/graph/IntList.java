package io.frameloom.rdg.compile.graph;

import java.util.Arrays;

/** A growing list of ints. */
public final class IntList {
    private int[] items;
    private int size;

    public IntList(int capacity) {
        items = new int[Math.max(4, capacity)];
    }

    public int size() {
        return size;
    }

    public int get(int index) {
        return items[index];
    }

    public void set(int index, int value) {
        items[index] = value;
    }

    public void add(int value) {
        if (size == items.length) {
            items = Arrays.copyOf(items, size * 2);
        }
        items[size++] = value;
    }

    public void clear() {
        size = 0;
    }

    /**
     * Makes room for a number of further ones, to be written to the returned array; {@link #resize} says how many there
     * are.
     */
    public int[] reserve(int more) {
        if (items.length - size < more) {
            items = Arrays.copyOf(items, Math.max(size * 2, size + more));
        }
        return items;
    }

    public void resize(int newSize) {
        size = newSize;
    }

    public int[] toArray() {
        return Arrays.copyOf(items, size);
    }
}
