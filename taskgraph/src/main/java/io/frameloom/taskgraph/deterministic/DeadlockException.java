package io.frameloom.taskgraph.deterministic;

/** All threads of a run wait for one another. The message has every thread with its stack. */
public final class DeadlockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeadlockException(String message) {
        super(message);
    }
}
