package io.frameloom.gpu.record;

import org.jspecify.annotations.Nullable;

/** Something that command lists name and that an application closes. Any thread. */
public interface Perishable {
    /** Returns what of this was closed, in words for a message, or null while all of it is open. */
    @Nullable
    String closedPart();
}
