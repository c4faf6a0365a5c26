package io.frameloom.gpu.device;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A map within a budget of bytes. Any thread.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface BoundedMap<K, V> {
    /** Returns the value of a key and counts that as a use; null if there is none. */
    @Nullable
    V get(K key);

    /** Returns the value of a key without using it; null if there is none. */
    @Nullable
    V peek(K key);

    /**
     * Sets the value of a key and counts that as a use. One that is larger than the budget is not kept.
     *
     * @return what had to go, the first to go first; not what was replaced
     */
    List<V> put(K key, V value);

    /** Adds a value that nobody has used, if its key has none and there is room. */
    boolean offerOldest(K key, V value);

    /** Takes the value of a key out; null if there is none. */
    @Nullable
    V remove(K key);

    /** Takes values out until no more than {@code limit} bytes are left; returns them in their order. */
    List<V> trim(long limit);

    /** Returns the bytes of all values. */
    long bytes();

    /** Returns the number of values. */
    int size();
}
