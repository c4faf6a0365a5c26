package io.frameloom.rdg;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Why something in a plan is as it is. The sentence is made on request, since few are read. Equal if the sentences are.
 * Immutable; any thread.
 */
public abstract class Reason {
    /** For subclasses; they keep numbers and make words of them in {@link #text}. */
    protected Reason() {}

    /** Returns a reason that takes its sentence from {@code sentence}, which always returns the same. */
    public static Reason of(Supplier<String> sentence) {
        return new Reason() {
            @Override
            public String text() {
                return sentence.get();
            }
        };
    }

    /** Returns the sentence. */
    public abstract String text();

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof Reason reason && text().equals(reason.text());
    }

    @Override
    public final int hashCode() {
        return text().hashCode();
    }

    @Override
    public final String toString() {
        return text();
    }
}
