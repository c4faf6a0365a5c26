package io.frameloom.gpu.cache;

import io.frameloom.taskgraph.GraphEvent;
import org.jspecify.annotations.Nullable;

/**
 * One program being made by one thread while others wait for it. The outcome is written before the event completes and
 * read after.
 */
final class Flight {
    private final Thread leader = Thread.currentThread();
    private final GraphEvent landed;
    private @Nullable Resident result;
    private @Nullable RuntimeException failure;
    private boolean withoutBinary;

    Flight(GraphEvent landed) {
        this.landed = landed;
    }

    Thread leader() {
        return leader;
    }

    void setResult(Resident program) {
        result = program;
    }

    /** Sets a failure that would be the same for everybody. */
    void setFailure(RuntimeException permanent) {
        failure = permanent;
    }

    /** Says that there is a program, but nothing of it that others could use. */
    void setWithoutBinary() {
        withoutBinary = true;
    }

    boolean isWithoutBinary() {
        return withoutBinary;
    }

    void land() {
        landed.trigger();
    }

    void await() {
        landed.await();
    }

    @Nullable
    Resident result() {
        return result;
    }

    @Nullable
    RuntimeException failure() {
        return failure;
    }
}
