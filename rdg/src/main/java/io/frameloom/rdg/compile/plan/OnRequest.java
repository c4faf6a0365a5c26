package io.frameloom.rdg.compile.plan;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made when it is first asked for. Two threads that ask first at the same time get equal ones. Any
 * thread.
 */
final class OnRequest<T> {
    private final Supplier<T> making;
    private volatile @Nullable T value;

    OnRequest(Supplier<T> making) {
        this.making = making;
    }

    T get() {
        T known = value;
        if (known == null) {
            known = making.get();
            value = known;
        }
        return known;
    }
}
