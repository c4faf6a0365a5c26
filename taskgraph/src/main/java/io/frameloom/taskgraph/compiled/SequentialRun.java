package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.worker.ThreadContext;
import org.jspecify.annotations.Nullable;

/**
 * A run that one thread has to itself, and how it becomes a shared one when it turns out to be long (see
 * {@link GraphRun}). Used by the thread that begins the run, with the gate closed or alone inside of it.
 */
final class SequentialRun {
    static final int FIRST_TURN = 8;
    /** Turns in a row that must be slow: an interruption makes one slow, and the caches cold for the next. */
    private static final int SLOW_TURNS = 4;

    private static final long LONG_TURN_NANOS = 20_000L;
    private static final int LONGEST_TURN = 2 * RunParticipant.TURN;

    private final GraphRun run;
    private final GraphPlan plan;
    private final NodeBodies bodies;
    private final RunParticipant participant;
    /** When the run began, what a body took at last, and whether long bodies end it; for {@link #share}. */
    private long begun;

    private long bodyNanos;
    private boolean longBodies;

    SequentialRun(GraphRun run, RunParticipant participant) {
        this.run = run;
        this.plan = run.plan;
        this.bodies = run.bodies;
        this.participant = participant;
    }

    /** Runs nodes in the order of their numbers. Returns the first that is left for a shared run. */
    int run(@Nullable ThreadContext context) {
        int end = plan.nodes;
        int least = plan.once ? 1 : FIRST_TURN;
        int turn = least;
        int node = 0;
        int slowTurns = 0;
        long begin = run.nanoTime();
        long before = begin;
        while (true) {
            int stop = Math.min(end, node + turn);
            int from = node;
            while (node < stop) {
                participant.setRunning(node);
                bodies.run(node++, context);
            }
            long now = run.nanoTime();
            boolean slow = node < end && run.pace.isLong(now - before, node - from, end - node);
            slowTurns = slow ? slowTurns + weight((now - before) / (node - from)) : 0;
            if (node == end || mustShare(slowTurns >= SLOW_TURNS, now - begin)) {
                run.pace.countBusy(now - begin);
                begun = begin;
                bodyNanos = (now - before) / Math.max(1, node - from);
                return node;
            }
            turn = slow
                    ? Math.min(slowTurn(now - before), plan.once ? turn : FIRST_TURN)
                    : Math.max(least, Math.min(2 * turn, LONGEST_TURN));
            before = now;
        }
    }

    /**
     * For how many slow turns one counts. Where no run before has shown how long bodies are, two of very long ones are
     * enough: cold caches do not take so long.
     */
    private int weight(long nanosPerBody) {
        return plan.once && nanosPerBody > LONG_TURN_NANOS ? SLOW_TURNS / 2 : 1;
    }

    /** Bodies until the next look, after a slow turn: another long one must not hold up the others. */
    private static int slowTurn(long nanos) {
        return nanos > LONG_TURN_NANOS ? 1 : FIRST_TURN;
    }

    private boolean mustShare(boolean slow, long nanos) {
        bodies.refuseIfClosing();
        longBodies = false;
        if (participant.mustYield()) {
            return !run.isSerial();
        }
        if (run.isSerial() || !(slow || run.pace.isOverdue(nanos))) {
            return false;
        }
        longBodies = slow;
        run.wantAllHelpers();
        return true;
    }

    /**
     * Turns a sequential run into a shared one. All nodes before the given one are done; each of the others counts its
     * prerequisites that are not.
     */
    void share(int from) {
        run.pace.endSequential(begun, bodyNanos, longBodies);
        run.link();
        run.setDone(from);
        int readyEnd = GraphRun.NONE;
        int readyFirst = GraphRun.NONE;
        for (int node = plan.nodes - 1; node >= from; node--) {
            int left = 0;
            for (int edge = plan.prerequisiteStarts[node]; edge < plan.prerequisiteStarts[node + 1]; edge++) {
                left += plan.prerequisites[edge] >= from ? 1 : 0;
            }
            run.counts.set(node, left);
        }
        run.reached(SchedulingPoint.DISPATCH);
        participant.open();
        for (int node = plan.nodes - 1; node >= from; node--) {
            if (isReady(node, from)) {
                if (readyFirst == node + 1 && plan.kind(node) == plan.kind(node + 1)) {
                    readyFirst = node;
                } else {
                    participant.release(readyFirst, readyEnd);
                    readyFirst = node;
                    readyEnd = node + 1;
                }
            }
        }
        participant.release(readyFirst, readyEnd);
    }

    private boolean isReady(int node, int from) {
        for (int edge = plan.prerequisiteStarts[node]; edge < plan.prerequisiteStarts[node + 1]; edge++) {
            if (plan.prerequisites[edge] >= from) {
                return false;
            }
        }
        return true;
    }
}
