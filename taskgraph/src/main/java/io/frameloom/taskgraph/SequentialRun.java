package io.frameloom.taskgraph;

import org.jspecify.annotations.Nullable;

/**
 * A run that one thread has to itself, and how it becomes a shared one when it turns out to be long (see
 * {@link GraphRun}). Used by the thread that begins the run, with the gate closed or alone inside of it.
 */
final class SequentialRun {
    private static final int FIRST_TURN = 8;

    private final GraphRun run;
    private final GraphPlan plan;
    private final NodeBodies bodies;
    private final RunParticipant participant;

    SequentialRun(GraphRun run, RunParticipant participant) {
        this.run = run;
        this.plan = run.plan;
        this.bodies = run.bodies;
        this.participant = participant;
    }

    /** Runs nodes in the order of their numbers. Returns the first that is left for a shared run. */
    int run(@Nullable ThreadContext context) {
        int end = plan.nodes;
        int turn = FIRST_TURN;
        int node = 0;
        long begin = run.nanoTime();
        long before = begin;
        while (true) {
            int stop = Math.min(end, node + turn);
            int from = node;
            while (node < stop) {
                bodies.run(node++, context);
            }
            long now = run.nanoTime();
            if (node == end || mustShare(now - before, node - from, end - node)) {
                run.pace.countBusy(now - begin);
                return node;
            }
            before = now;
            turn = Math.min(2 * turn, 2 * RunParticipant.TURN);
        }
    }

    private boolean mustShare(long nanos, int nodes, int left) {
        bodies.refuseIfClosing();
        if (participant.mustYield()) {
            return !run.isSerial();
        }
        if (run.isSerial()
                || nanos < RunPace.EAGER_NANOS * nodes
                || nanos / nodes * left < RunPace.EAGER_NANOS * RunParticipant.TURN) {
            return false;
        }
        run.expectLongBodies();
        return true;
    }

    /**
     * Turns a sequential run into a shared one: all nodes before the given one are done, the counts of the
     * others are how many of their prerequisites are not.
     */
    void share(int from) {
        run.pace.endSequential();
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
                if (readyFirst == node + 1 && plan.kinds[node] == plan.kinds[node + 1]) {
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
