package io.frameloom.rdg.compile.plan;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An immutable list of a pass that is made when it is first read. Two threads that read first at the same time make
 * equal ones. Any thread.
 */
public final class ListOnRequest<E> extends AbstractList<E> implements RandomAccess {
    private final IntFunction<List<E>> making;
    private final int pass;
    private volatile @Nullable List<E> made;

    /** The list that {@code making} makes of a pass. */
    ListOnRequest(IntFunction<List<E>> making, int pass) {
        this.making = making;
        this.pass = pass;
    }

    /** Returns an immutable copy of a list, without making it. */
    public static <E> List<E> copyOf(List<E> list) {
        return list instanceof ListOnRequest<E> ? list : List.copyOf(list);
    }

    private List<E> list() {
        List<E> known = made;
        if (known == null) {
            known = making.apply(pass);
            made = known;
        }
        return known;
    }

    @Override
    public E get(int index) {
        return list().get(index);
    }

    @Override
    public int size() {
        return list().size();
    }
}
