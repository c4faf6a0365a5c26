package io.frameloom.gpu.device;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The life of a set of timestamps or events: it is open until it is closed, once. Any thread. */
public final class SetLife {
    private final String words;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** An open set. */
    public SetLife(ObjectKind kind, String name) {
        words = kind.describe(name);
    }

    /**
     * Checks that the set is open.
     *
     * @param use what is about to be done with it, a participle
     * @throws IllegalStateException if it is closed
     */
    public void requireOpen(String use) {
        if (closed.get()) {
            throw new IllegalStateException(words + " is " + use + " after it was closed");
        }
    }

    /** Returns kind and name once the set is closed, null before. */
    public @Nullable String closedPart() {
        return closed.get() ? words : null;
    }

    /** Ends the life; returns whether this call did. */
    public boolean close() {
        return closed.compareAndSet(false, true);
    }

    /** Returns kind and name for messages. */
    @Override
    public String toString() {
        return words;
    }
}
