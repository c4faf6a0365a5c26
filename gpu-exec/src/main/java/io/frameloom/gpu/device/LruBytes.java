package io.frameloom.gpu.device;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map within a budget of bytes; the least recently used values go first. Any thread; its lock is held for moments.
 */
public final class LruBytes<K, V> {
    private final long budget;
    private final ToLongFunction<V> size;
    private final Map<K, Node<K, V>> nodes = new HashMap<>();
    /** Ends of the list in order of use. */
    private @Nullable Node<K, V> newest;

    private @Nullable Node<K, V> oldest;
    private long bytes;

    public LruBytes(long budget, ToLongFunction<V> size) {
        this.budget = budget;
        this.size = size;
    }

    private static final class Node<K, V> {
        final K key;
        final V value;
        final long bytes;

        @Nullable
        Node<K, V> newer;

        @Nullable
        Node<K, V> older;

        Node(K key, V value, long bytes) {
            this.key = key;
            this.value = value;
            this.bytes = bytes;
        }
    }

    /** Returns the value of a key and counts that as a use; null if there is none. */
    public synchronized @Nullable V get(K key) {
        Node<K, V> node = nodes.get(key);
        if (node == null) {
            return null;
        }
        if (node != newest) {
            unlink(node);
            linkNewest(node);
        }
        return node.value;
    }

    /** Returns the value of a key without using it; null if there is none. */
    public synchronized @Nullable V peek(K key) {
        Node<K, V> node = nodes.get(key);
        return node == null ? null : node.value;
    }

    /**
     * Sets the value of a key and counts that as a use. One that is larger than the budget is not kept.
     *
     * @return the values that had to go, the first to go first; not the one replaced
     */
    public synchronized List<V> put(K key, V value) {
        remove(key);
        long needed = size.applyAsLong(value);
        if (needed > budget) {
            return List.of(value);
        }
        List<V> evicted = trim(budget - needed);
        Node<K, V> node = new Node<>(key, value, needed);
        nodes.put(key, node);
        linkNewest(node);
        bytes += needed;
        return evicted;
    }

    /** Adds a value without counting a use, if its key has none and there is room. */
    public synchronized boolean offerOldest(K key, V value) {
        long needed = size.applyAsLong(value);
        if (nodes.containsKey(key) || bytes + needed > budget) {
            return false;
        }
        Node<K, V> node = new Node<>(key, value, needed);
        nodes.put(key, node);
        node.newer = oldest;
        if (oldest == null) {
            newest = node;
        } else {
            oldest.older = node;
        }
        oldest = node;
        bytes += needed;
        return true;
    }

    /** Takes the value of a key out; null if there is none. */
    public synchronized @Nullable V remove(K key) {
        Node<K, V> node = nodes.remove(key);
        if (node == null) {
            return null;
        }
        unlink(node);
        bytes -= node.bytes;
        return node.value;
    }

    /** Takes values out until no more than {@code limit} bytes are left; returns them in their order. */
    public synchronized List<V> trim(long limit) {
        List<V> evicted = new ArrayList<>();
        while (bytes > limit && oldest != null) {
            Node<K, V> node = oldest;
            nodes.remove(node.key);
            unlink(node);
            bytes -= node.bytes;
            evicted.add(node.value);
        }
        return evicted;
    }

    public synchronized long bytes() {
        return bytes;
    }

    public synchronized int size() {
        return nodes.size();
    }

    private void linkNewest(Node<K, V> node) {
        node.older = newest;
        if (newest == null) {
            oldest = node;
        } else {
            newest.newer = node;
        }
        newest = node;
    }

    private void unlink(Node<K, V> node) {
        if (node.newer == null) {
            newest = node.older;
        } else {
            node.newer.older = node.older;
        }
        if (node.older == null) {
            oldest = node.newer;
        } else {
            node.older.newer = node.newer;
        }
        node.newer = null;
        node.older = null;
    }
}
