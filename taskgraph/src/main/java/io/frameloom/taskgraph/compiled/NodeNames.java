package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.parts.Arguments;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The names of nodes. Thousands of nodes mostly share a few names, so a name stands here once for all nodes in a row
 * that have it. Written by the building thread, then read by any.
 */
final class NodeNames {
    private static final int LEAST = 4;

    private String[] names;
    /** The first node with each name. */
    private int[] firsts;

    private int size;

    private NodeNames(int capacity) {
        names = new String[capacity];
        firsts = new int[capacity];
    }

    /**
     * No names.
     *
     * @param former what the same builder launched before, or null. There are likely to be as many names again.
     */
    static NodeNames none(@Nullable NodeNames former) {
        return new NodeNames(former == null ? LEAST : Math.max(1, former.size));
    }

    /** The names so far. */
    NodeNames(NodeNames others) {
        size = others.size;
        names = Arrays.copyOf(others.names, size);
        firsts = Arrays.copyOf(others.firsts, size);
    }

    void add(String name, int node) {
        if (size == 0 || !names[size - 1].equals(name)) {
            begin(Arguments.requiredName(name, "a node"), node);
        }
    }

    private void begin(String name, int node) {
        if (size == names.length) {
            names = Arrays.copyOf(names, 2 * size);
            firsts = Arrays.copyOf(firsts, 2 * size);
        }
        names[size] = name;
        firsts[size++] = node;
    }

    String of(int node) {
        int place = Arrays.binarySearch(firsts, 0, size, node);
        return names[place >= 0 ? place : -place - 2];
    }
}
