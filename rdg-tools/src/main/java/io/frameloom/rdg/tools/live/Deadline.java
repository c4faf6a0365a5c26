package io.frameloom.rdg.tools.live;

import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread that made it unless that lifts it before, which closes the connection that the thread is stuck
 * in. Any thread lets it pass.
 */
final class Deadline {
    /** Null when it is lifted. Guarded by this. */
    private @Nullable Thread thread = Thread.currentThread();

    synchronized void pass() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** On its thread, which is interrupted no more afterwards. */
    synchronized void lift() {
        if (thread != null) {
            thread = null;
            Thread.interrupted();
        }
    }
}
