package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.worker.ThreadContext;
import org.jspecify.annotations.Nullable;

/**
 * A run that one thread has to itself, until it turns out to be long and is shared (see {@link GraphRun}). Used by the
 * thread that begins the run, which looks at the clock after each turn. The only run of a graph is looked after, too
 * ({@link GraphRun#lookAfter}). In such a run the thread claims each turn, and looks before each body whether another
 * has shared the run: what the turn has left is for others then.
 */
final class SequentialRun {
    static final int FIRST_TURN = 8;
    /** Turns in a row that must be slow: an interruption makes one slow, and the caches cold for the next. */
    private static final int SLOW_TURNS = 4;

    private static final long LONG_TURN_NANOS = 20_000L;
    private static final int LONGEST_TURN = 2 * RunParticipant.TURN;

    private SequentialRun() {}

    /**
     * Runs nodes in the order of their numbers. Returns whether these were all; else the run is shared from then on, and
     * the calling thread takes part in it as any other.
     */
    static boolean run(RunParticipant participant, @Nullable ThreadContext context) {
        GraphRun run = participant.run;
        GraphPlan plan = run.plan;
        Frontier frontier = run.frontier;
        int end = plan.nodes;
        boolean watched = run.isLookedAfter();
        int least = plan.once ? 1 : FIRST_TURN;
        // Where nothing is known of bodies that others may share, looks are close together.
        int growth = watched ? 2 : 4;
        int turn = least;
        int from = 0;
        int node = 0;
        int stop = Math.min(end, turn);
        int claimed = 0;
        int slowTurns = 0;
        if (watched) {
            run.graph.timer().lookAtRuns();
        }
        long begin = run.pace.beginSequential();
        long before = begin;
        while (!watched || frontier.claimTurn(stop)) {
            from = node;
            claimed = stop;
            node = watched
                    ? runClaimed(participant, from, claimed, context)
                    : runTurn(participant, from, claimed, context);
            long now = run.nanoTime();
            if (node == end && !frontier.isShared()) {
                run.pace.countBusy(now - begin);
                return true;
            }
            if (node < claimed) {
                break;
            }
            boolean slow = run.pace.isLong(now - before, node - from, end - node);
            slowTurns = slow ? slowTurns + weight(plan, (now - before) / (node - from)) : 0;
            if (mustShare(participant, slowTurns >= SLOW_TURNS, now - begin, now - before, node - from)) {
                if (!watched) {
                    participant.open();
                    frontier.startAt(node);
                    from = node;
                }
                run.share();
                break;
            }
            turn = slow
                    ? Math.min(slowTurn(now - before), plan.once ? turn : FIRST_TURN)
                    : Math.max(least, Math.min(growth * turn, LONGEST_TURN));
            stop = Math.min(end, node + turn);
            before = now;
        }
        run.pace.countBusy(run.nanoTime() - begin);
        takePart(participant, from, node, claimed);
        return false;
    }

    /** Runs the nodes of a turn. Returns its end. */
    private static int runTurn(RunParticipant participant, int first, int end, @Nullable ThreadContext context) {
        NodeBodies bodies = participant.run.bodies;
        int node = first;
        while (node < end) {
            participant.setRunning(node);
            bodies.run(node++, context);
        }
        return node;
    }

    /** As {@link #runTurn}, up to where another thread has shared the run. Returns the first node that is left. */
    private static int runClaimed(RunParticipant participant, int first, int end, @Nullable ThreadContext context) {
        NodeBodies bodies = participant.run.bodies;
        Frontier frontier = participant.run.frontier;
        int node = first;
        while (node < end && !frontier.isShared()) {
            participant.setRunning(node);
            bodies.run(node++, context);
        }
        return node;
    }

    /** Reports what has ended of the last turn, and gives the rest of it away. */
    private static void takePart(RunParticipant participant, int from, int node, int claimed) {
        participant.run.reached(SchedulingPoint.DISPATCH);
        for (int ended = from; ended < node; ended++) {
            participant.report(ended);
        }
        participant.run.frontier.endTurn();
        participant.admit(node, claimed);
        participant.run.inviteAll();
        participant.countDone(node);
    }

    /**
     * For how many slow turns one counts. Where no run before has shown how long bodies are, two of very long ones are
     * enough: cold caches do not take so long.
     */
    private static int weight(GraphPlan plan, long nanosPerBody) {
        return plan.once && nanosPerBody > LONG_TURN_NANOS ? SLOW_TURNS / 2 : 1;
    }

    /** Bodies until the next look, after a slow turn: another long one must not hold up the others. */
    private static int slowTurn(long nanos) {
        return nanos > LONG_TURN_NANOS ? 1 : FIRST_TURN;
    }

    private static boolean mustShare(RunParticipant participant, boolean slow, long nanos, long turnNanos, int ran) {
        GraphRun run = participant.run;
        participant.keepInterrupt();
        run.bodies.refuseIfClosing();
        boolean yields = participant.mustYield();
        if (run.isSerial() || !(yields || slow || run.pace.isOverdue(nanos))) {
            return false;
        }
        run.pace.endSequential(turnNanos / ran, slow && !yields);
        if (!yields) {
            run.wantAllHelpers();
        }
        return true;
    }
}
