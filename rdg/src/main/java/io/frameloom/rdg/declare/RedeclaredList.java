package io.frameloom.rdg.declare;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * What one frame declares, in order. After it is cleared it still has what stood at each place, until something is put
 * there. A declaration of the same at the same place takes {@link #former} in place of a new object. Handles are
 * immutable, so frames under way keep theirs. It stays as large as the longest frame needed. One thread at a time.
 */
public final class RedeclaredList<T> extends AbstractList<T> implements RandomAccess {
    private static final @Nullable Object[] NO_ROOM = {};

    private @Nullable Object[] elements;
    private int size;

    public RedeclaredList(int room) {
        elements = room == 0 ? NO_ROOM : new Object[room];
    }

    /** Returns what a former frame had where the next element goes, or null if none had anything there. */
    @SuppressWarnings("unchecked")
    public @Nullable T former() {
        return size < elements.length ? (T) elements[size] : null;
    }

    @Override
    public boolean add(T element) {
        if (size == elements.length) {
            elements = Arrays.copyOf(elements, Math.max(4, 2 * size));
        }
        // In a frame like the last one it is there already, and a store into an old array is not cheap.
        if (elements[size] != element) {
            elements[size] = element;
        }
        size++;
        return true;
    }

    @Override
    @SuppressWarnings("unchecked")
    public T get(int index) {
        return (T) Objects.requireNonNull(elements[Objects.checkIndex(index, size)]);
    }

    @Override
    public int size() {
        return size;
    }

    /** Returns whether an object stands at a place: the very same one. */
    public boolean has(int index, Object element) {
        return index < size && elements[index] == element;
    }

    @Override
    public void clear() {
        size = 0;
    }

    /** Returns a list of the elements as they are now, without those of former frames. */
    RedeclaredList<T> copy() {
        RedeclaredList<T> copy = new RedeclaredList<>(0);
        copy.elements = Arrays.copyOf(elements, size);
        copy.size = size;
        return copy;
    }

    /** As {@link #equals}, without iterators. */
    boolean isEqualTo(RedeclaredList<T> other) {
        return size == other.size && DeclaredGraph.same(elements, other.elements, size);
    }
}
