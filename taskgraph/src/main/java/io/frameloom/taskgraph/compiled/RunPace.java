package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.PaddedLong;
import org.jspecify.annotations.Nullable;

/**
 * How the present run of a compiled graph is run: by one thread in the order of the numbers or shared, with how many
 * helpers, and whether eagerly. Also its cost, for the {@linkplain HelperChoice choice} of later runs.
 *
 * <p>{@link #begin}, {@link #decide} and {@link #endSequential} by the thread that begins a run, {@link #countBusy}
 * by every participant, {@link #end} by the last one; the gate of the run orders them. Clocks are read twice per run,
 * none if one thread has it to itself.
 */
final class RunPace {
    /** What a look at one or two bodies may show beyond these, where caches are cold. */
    private static final long FIRST_LOOK_NANOS = 1_000L;

    private final GraphParts graph;
    /** Null if there is nothing to choose, or one run only. */
    private final @Nullable HelperChoice choice;

    private final int helperLimit;
    private final int nodes;
    private final boolean serial;
    /** Null without a choice, as nobody asks. */
    private final @Nullable PaddedLong busy;

    private boolean eager;
    private volatile boolean sequential;
    private HelperChoice.Course course = HelperChoice.Course.SHARED;
    private int helpers;
    /** See {@link HelperChoice#nanosToBeat}. */
    private long nanosToBeat;

    private long startNanos;
    /** The time that one thread would have taken for a run that it has begun. */
    private long projectedNanos;

    RunPace(GraphParts graph, int nodes, boolean once, int helperLimit) {
        this.graph = graph;
        this.nodes = nodes;
        this.helperLimit = helperLimit;
        this.serial = helperLimit == 0;
        boolean chooses = !once && !serial && nodes > 1;
        choice = chooses ? new HelperChoice(nodes, helperLimit) : null;
        busy = chooses ? new PaddedLong(0) : null;
    }

    void begin() {
        if (busy != null) {
            busy.setVolatile(0L);
        }
    }

    void decide(boolean mayBeSequential) {
        if (serial) {
            helpers = 0;
            eager = false;
            sequential = mayBeSequential;
            return;
        }
        HelperChoice choices = choice;
        if (choices == null) {
            // What a body takes is looked at first: to share costs as much as many short ones.
            helpers = nodes > 1 ? helperLimit : 0;
            eager = true;
            sequential = mayBeSequential;
            return;
        }
        eager = choices.expectsLongBodies();
        helpers = choices.next(mayBeSequential);
        nanosToBeat = choices.nanosToBeat();
        if (mayBeSequential && helpers == 0) {
            course = HelperChoice.Course.ALONE;
            sequential = true;
        } else {
            course = HelperChoice.Course.SHARED;
            sequential = false;
            startNanos = graph.nanoTime();
        }
    }

    /** How many helpers the run is to have, beyond those that it cannot do without. */
    int helpers() {
        return helpers;
    }

    boolean isEager() {
        return eager;
    }

    boolean isSequential() {
        return sequential;
    }

    /**
     * Whether bodies of a sequential run are so long that it should be shared. A run that tries whether one thread is
     * faster is compared with those before instead: its code may not be compiled yet.
     *
     * @param nanos what the last bodies took
     * @param bodies how many they were
     * @param left nodes that have not run
     */
    boolean isLong(long nanos, int bodies, int left) {
        if (nanosToBeat > 0L) {
            return nanos / bodies * nodes > nanosToBeat + nanosToBeat / 2;
        }
        return nanos > HelperChoice.LONG_NANOS * bodies + (choice == null ? FIRST_LOOK_NANOS : 0L)
                && nanos / bodies * left > HelperChoice.LONG_NANOS * RunParticipant.TURN;
    }

    /** Whether a sequential run that tries to be faster than those before has failed, after so many nanoseconds. */
    boolean isOverdue(long nanos) {
        return nanosToBeat > 0L && nanos > nanosToBeat + HelperChoice.HITCH_NANOS;
    }

    /**
     * Ends the sequential part of a run, because of its bodies. By the thread that has begun it.
     *
     * @param bodyNanos what a body took at last
     */
    void endSequential(long bodyNanos, boolean longBodies) {
        projectedNanos = bodyNanos * nodes;
        boolean found = longBodies && nanosToBeat == 0L;
        eager = choice == null || choice.expectsLongBodies() || found;
        course = found ? HelperChoice.Course.LONG_BODIES : HelperChoice.Course.OVERDUE;
    }

    /** A thread begins with a run that it has to itself. Returns the time. */
    long beginSequential() {
        startNanos = graph.nanoTime();
        return startNanos;
    }

    void countBusy(long nanos) {
        if (busy != null) {
            busy.getAndAdd(nanos);
        }
    }

    void end() {
        if (choice != null && busy != null) {
            long worked = busy.valueVolatile();
            choice.ran(
                    course == HelperChoice.Course.ALONE ? worked : graph.nanoTime() - startNanos,
                    course == HelperChoice.Course.OVERDUE ? projectedNanos : worked,
                    course);
        }
    }
}
