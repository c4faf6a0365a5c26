package io.frameloom.gpu.record;

import org.jspecify.annotations.Nullable;

/** An object that command lists name and that an application closes. Any thread. */
public interface Perishable {
    /** Returns the closed part of this, in words for a message, or null while all of it is open. */
    @Nullable
    String closedPart();
}
