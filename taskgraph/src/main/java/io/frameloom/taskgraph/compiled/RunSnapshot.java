package io.frameloom.taskgraph.compiled;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The states of the nodes of a run in progress, for reports. Any thread makes it while the run goes on, so it is exact
 * only of a run that stands still.
 *
 * <p>A run keeps no record of the nodes that have ended: that would be a store to shared memory per node. But whatever
 * has not ended is being run, or ready and in one of the places for ready nodes, or after such a node.
 */
public final class RunSnapshot {
    /** What a node does. */
    public enum State {
        ENDED,
        NOT_READY,
        /** Ready, and published for each thread that runs its level, or sent to its lane. */
        READY,
        /** Ready, and with a thread that has to end another node first. */
        KEPT,
        RUNNING
    }

    public final GraphPlan plan;
    /** Whether no thread has begun with the nodes. */
    public final boolean notBegun;

    private final State[] states;
    private final @Nullable Thread[] threads;
    /** Of a kept node, what its thread runs. */
    private final int[] keptUntil;

    private RunSnapshot(GraphPlan plan, boolean notBegun) {
        this.plan = plan;
        this.notBegun = notBegun;
        states = new State[plan.nodes];
        Arrays.fill(states, State.ENDED);
        threads = new Thread[plan.nodes];
        keptUntil = new int[plan.nodes];
        Arrays.fill(keptUntil, GraphRun.NONE);
    }

    public static RunSnapshot of(GraphRun run) {
        RunSnapshot made = new RunSnapshot(run.plan, run.startOffered());
        if (made.notBegun) {
            Arrays.fill(made.states, State.NOT_READY);
            for (int node = 0; node < run.plan.nodes; node++) {
                if (run.plan.prerequisiteStarts[node] == run.plan.prerequisiteStarts[node + 1]) {
                    made.states[node] = State.READY;
                }
            }
        } else if (run.isAlone()) {
            made.lookAtOne(run);
        } else if (run.frontier.isShared()) {
            made.lookAtFrontier(run);
            made.lookAtAll(run);
        } else {
            made.lookAtAll(run);
            made.markNotReady();
        }
        return made;
    }

    /** One thread runs all nodes in the order of their numbers. */
    private void lookAtOne(GraphRun run) {
        lookAtTurn(run, 0, plan.nodes);
    }

    /** One thread runs these nodes in the order of their numbers, and has not reported which of them have ended. */
    private void lookAtTurn(GraphRun run, int first, int end) {
        for (RunParticipant participant : run.participants()) {
            Thread thread = participant.thread();
            int node = participant.running();
            if (thread != null && node >= first && node < end) {
                Arrays.fill(states, first, node, State.ENDED);
                running(node, thread);
                for (int later = node + 1; later < end; later++) {
                    states[later] = State.NOT_READY;
                    if (missing(later).isEmpty()) {
                        kept(later, node, thread);
                    }
                }
                return;
            }
        }
    }

    private void lookAtFrontier(GraphRun run) {
        Frontier frontier = run.frontier;
        for (int node = 0; node < plan.nodes; node++) {
            states[node] = frontier.hasEnded(node) ? State.ENDED : State.NOT_READY;
        }
        lookAtTurn(run, frontier.turnFirst(), frontier.turnEnd());
        for (int node = 0; node < plan.nodes; node++) {
            if (!frontier.isClaimed(node) && missing(node).isEmpty()) {
                states[node] = State.READY;
            }
        }
    }

    private void lookAtAll(GraphRun run) {
        for (RunLane lane : run.lanes) {
            for (int node : lane.ready()) {
                ready(RangeDeque.range(node, node + 1));
            }
        }
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            for (long range : run.has(rank) ? run.ranges[rank].ranges() : RangeDeque.NONE) {
                ready(range);
            }
        }
        for (RunParticipant participant : run.participants()) {
            Thread thread = participant.thread();
            int node = participant.running();
            if (thread != null && node != GraphRun.NONE) {
                for (long range : participant.keptRanges()) {
                    for (int later = RangeDeque.first(range); later < RangeDeque.end(range); later++) {
                        kept(later, node, thread);
                    }
                }
                running(node, thread);
            }
        }
    }

    private void running(int node, Thread thread) {
        states[node] = State.RUNNING;
        threads[node] = thread;
    }

    private void kept(int node, int running, Thread thread) {
        states[node] = State.KEPT;
        threads[node] = thread;
        keptUntil[node] = running;
    }

    private void ready(long range) {
        for (int node = RangeDeque.first(range); node < RangeDeque.end(range); node++) {
            states[node] = State.READY;
        }
    }

    /** Every prerequisite has a smaller number, so one pass finds all successors of what has not ended. */
    private void markNotReady() {
        for (int node = 0; node < plan.nodes; node++) {
            if (states[node] == State.ENDED && !missing(node).isEmpty()) {
                states[node] = State.NOT_READY;
            }
        }
    }

    public State state(int node) {
        return states[node];
    }

    /** The thread that runs or keeps the node, or null. */
    public @Nullable Thread thread(int node) {
        return threads[node];
    }

    /** What the thread that keeps the node has to end first. */
    public int keptUntil(int node) {
        return keptUntil[node];
    }

    /** The prerequisites that have not ended. */
    public List<Integer> missing(int node) {
        List<Integer> found = new ArrayList<>();
        for (int edge = plan.prerequisiteStarts[node]; edge < plan.prerequisiteStarts[node + 1]; edge++) {
            if (states[plan.prerequisites[edge]] != State.ENDED) {
                found.add(plan.prerequisites[edge]);
            }
        }
        return found;
    }

    public List<Integer> waitingFor(int node) {
        List<Integer> found = new ArrayList<>();
        for (int later = node + 1; later < plan.nodes; later++) {
            if (missing(later).contains(node)) {
                found.add(later);
            }
        }
        return found;
    }

    public List<Integer> in(State wanted) {
        List<Integer> found = new ArrayList<>();
        for (int node = 0; node < plan.nodes; node++) {
            if (states[node] == wanted) {
                found.add(node);
            }
        }
        return found;
    }

    public String name(int node) {
        return "'" + plan.name(node) + "'";
    }

    /** Quoted names, not too many. */
    public String names(List<Integer> nodes, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(most, nodes.size()); i++) {
            text.append(i == 0 ? "" : ", ").append(name(nodes.get(i)));
        }
        if (nodes.size() > most) {
            text.append(" and ").append(nodes.size() - most).append(" more");
        }
        return text.toString();
    }
}
