package io.frameloom.taskgraph.deterministic;

import io.frameloom.taskgraph.SchedulingPoint;
import org.jspecify.annotations.Nullable;

/** One thread under control. Its fields belong to the thread that has the baton. */
final class ControlledThread {
    /** What a thread without the baton waits for besides the baton. */
    enum State {
        READY,
        PARKED,
        JOINING,
        ENDED
    }

    /** Place in the order of creation, the same in every run that follows the same schedule. */
    final int id;

    final Thread thread;
    /** Whether the program started it, and not one of its graphs. */
    final boolean ofProgram;

    State state = State.READY;
    boolean permit;
    boolean timed;
    long deadline;

    @Nullable
    Object blocker;

    @Nullable
    ControlledThread joined;

    @Nullable
    SchedulingPoint point;

    @Nullable
    String subject;

    ControlledThread(int id, Thread thread, boolean ofProgram) {
        this.id = id;
        this.thread = thread;
        this.ofProgram = ofProgram;
    }

    String name() {
        return thread.getName();
    }

    /** Whether the thread could go on at the given time if it got the baton. */
    boolean canRun(long now) {
        return switch (state) {
            case READY -> true;
            case PARKED -> permit || thread.isInterrupted() || (timed && deadline - now <= 0L);
            case JOINING -> (joined != null && joined.state == State.ENDED) || thread.isInterrupted();
            case ENDED -> false;
        };
    }

    boolean waitsForTime() {
        return state == State.PARKED && timed;
    }

    /** What the thread is doing, in words. */
    String describe() {
        return switch (state) {
            case READY -> "can run" + at();
            case PARKED -> (timed ? "parked until a deadline on " : "parked on ") + blockerName() + at();
            case JOINING -> "waits for the end of " + (joined == null ? "a thread" : joined.name()) + at();
            case ENDED -> "has ended";
        };
    }

    private String blockerName() {
        Object on = blocker;
        return on == null
                ? "nothing"
                : on instanceof String text ? text : on.getClass().getSimpleName();
    }

    private String at() {
        if (point == null) {
            return "";
        }
        return ", at " + point + (subject == null ? "" : " '" + subject + "'");
    }
}
