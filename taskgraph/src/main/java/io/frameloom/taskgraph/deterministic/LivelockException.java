package io.frameloom.taskgraph.deterministic;

/** A run made more decisions than it may. The message has every thread with its stack. */
public final class LivelockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LivelockException(String message) {
        super(message);
    }
}
