package io.frameloom.gpu.cache.level;

import io.frameloom.gpu.device.BoundedMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map within a budget of bytes, from which the value goes that costs least to make again for its bytes. Each value has a
 * credit: the level at its last use plus cost per byte; the smallest credit goes and becomes the level, so that what is not
 * used sinks below what is. The algorithm is GreedyDual-Size of "Cost-Aware WWW Proxy Caching Algorithms". Any thread; its
 * lock is held for moments.
 *
 * @param <K> keys
 * @param <V> values
 */
final class GreedyDualBytes<K, V> implements BoundedMap<K, V> {
    private final long budget;
    private final ToLongFunction<V> size;
    private final ToLongFunction<V> cost;
    private final Map<K, Node<K, V>> nodes = new HashMap<>();
    private final TreeSet<Node<K, V>> byCredit = new TreeSet<>(
            Comparator.<Node<K, V>>comparingDouble(node -> node.credit).thenComparingLong(node -> node.used));
    private double level;
    private long uses;
    private long bytes;

    GreedyDualBytes(long budget, ToLongFunction<V> size, ToLongFunction<V> cost) {
        this.budget = budget;
        this.size = size;
        this.cost = cost;
    }

    private static final class Node<K, V> {
        final K key;
        final V value;
        final long bytes;
        double credit;
        /** Number of the last use: of equal credits the oldest goes. */
        long used;

        Node(K key, V value, long bytes) {
            this.key = key;
            this.value = value;
            this.bytes = bytes;
        }
    }

    @Override
    public synchronized @Nullable V get(K key) {
        Node<K, V> node = nodes.get(key);
        if (node == null) {
            return null;
        }
        byCredit.remove(node);
        credit(node);
        return node.value;
    }

    private void credit(Node<K, V> node) {
        node.credit = level + (double) cost.applyAsLong(node.value) / Math.max(1, node.bytes);
        node.used = ++uses;
        byCredit.add(node);
    }

    @Override
    public synchronized @Nullable V peek(K key) {
        Node<K, V> node = nodes.get(key);
        return node == null ? null : node.value;
    }

    @Override
    public synchronized List<V> put(K key, V value) {
        remove(key);
        long needed = size.applyAsLong(value);
        if (needed > budget) {
            return List.of(value);
        }
        List<V> evicted = trim(budget - needed);
        add(new Node<>(key, value, needed));
        return evicted;
    }

    @Override
    public synchronized boolean offerOldest(K key, V value) {
        long needed = size.applyAsLong(value);
        if (nodes.containsKey(key) || bytes + needed > budget) {
            return false;
        }
        add(new Node<>(key, value, needed));
        return true;
    }

    private void add(Node<K, V> node) {
        nodes.put(node.key, node);
        bytes += node.bytes;
        credit(node);
    }

    @Override
    public synchronized @Nullable V remove(K key) {
        Node<K, V> node = nodes.remove(key);
        if (node == null) {
            return null;
        }
        byCredit.remove(node);
        bytes -= node.bytes;
        return node.value;
    }

    @Override
    public synchronized List<V> trim(long limit) {
        List<V> evicted = new ArrayList<>();
        while (bytes > limit) {
            Node<K, V> least = byCredit.first();
            level = least.credit;
            remove(least.key);
            evicted.add(least.value);
        }
        return evicted;
    }

    @Override
    public synchronized long bytes() {
        return bytes;
    }

    @Override
    public synchronized int size() {
        return nodes.size();
    }
}
