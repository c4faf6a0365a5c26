package io.frameloom.gpu.record;

import org.jspecify.annotations.Nullable;

/** What stands for several objects that a command list names with it. Any thread. */
public interface NamedObjects {
    /** Returns the first of the objects that is closed, in words for a message, or null while all are open. */
    @Nullable
    String closedPart();
}
