package io.frameloom.gpu.internal;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Constants of one enum, a bit for each by its place. Usages of descriptions are such sets, so that the render graph
 * completes and compares them as numbers. Immutable; any thread.
 */
public final class MaskSet<E extends Enum<E>> extends AbstractSet<E> {
    private final E[] all;
    private final int mask;

    private MaskSet(E[] all, int mask) {
        this.all = all;
        this.mask = mask;
    }

    /**
     * Returns the set of the constants whose bits are set.
     *
     * @param all constants of the enum, at most 32; not changed afterwards
     */
    public static <E extends Enum<E>> Set<E> of(E[] all, int mask) {
        return new MaskSet<>(all, mask);
    }

    public static <E extends Enum<E>> Set<E> copyOf(E[] all, Set<E> other) {
        if (other instanceof MaskSet<E> copied) {
            return copied;
        }
        int mask = 0;
        for (E one : other) {
            mask |= bit(one);
        }
        return new MaskSet<>(all, mask);
    }

    public static int mask(Set<?> usage) {
        return ((MaskSet<?>) usage).mask;
    }

    /** As {@code contains} of the usage of a description, where a command asks: the constant is one of its enum. */
    public static <E extends Enum<E>> boolean has(Set<E> usage, E one) {
        return (mask(usage) & bit(one)) != 0;
    }

    private static int bit(Enum<?> one) {
        return 1 << one.ordinal();
    }

    @Override
    public boolean contains(@Nullable Object other) {
        return other instanceof Enum<?> one && isOf(one) && (mask & bit(one)) != 0;
    }

    private boolean isOf(Enum<?> one) {
        return one.getDeclaringClass() == all[0].getDeclaringClass();
    }

    @Override
    public int size() {
        return Integer.bitCount(mask);
    }

    @Override
    public Iterator<E> iterator() {
        return new Iterator<>() {
            private int left = mask;

            @Override
            public boolean hasNext() {
                return left != 0;
            }

            @Override
            public E next() {
                if (left == 0) {
                    throw new NoSuchElementException();
                }
                E next = all[Integer.numberOfTrailingZeros(left)];
                left &= left - 1;
                return next;
            }
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return (other instanceof MaskSet<?> set && set.isOf(all[0])) ? set.mask == mask : super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
