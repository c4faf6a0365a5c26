package io.frameloom.gpu.virtual.device;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A word of a buffer that decides about draws and dispatches. Read once, since a list runs once. */
final class Condition {
    private final VirtualBuffer buffer;
    private final long offset;
    private final boolean inverted;
    private @Nullable WorkNode reading;
    private boolean holds;

    Condition(VirtualBuffer buffer, long offset, boolean inverted) {
        this.buffer = buffer;
        this.offset = offset;
        this.inverted = inverted;
    }

    void read() {
        boolean zero =
                buffer.memory().access(buffer.base() + offset, Integer.BYTES).getInt(0) == 0;
        holds = zero == inverted;
    }

    void readBy(WorkNode node) {
        reading = node;
    }

    /** Returns the work that reads the word, which what depends on it comes after. */
    WorkNode reading() {
        return Objects.requireNonNull(reading);
    }

    /** Returns whether draws and dispatches are done, once the word is read. */
    boolean holds() {
        return holds;
    }
}
