package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.RunFailedException;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraphClosedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the nodes of one run ended. Touched only by runs in which something fails, is switched off, or is
 * observed.
 *
 * <p>The outcome of a node is a plain byte: it is written before the arrivals at its successors, which
 * order it before the successors read it.
 */
final class RunOutcomes {
    private static final byte FINE = 0;
    private static final byte FAILED = 1;

    /** What is to be done with a node whose prerequisites have ended. */
    enum Verdict {
        RUN,
        PASS,
        SKIP
    }

    private record Failure(int node, Throwable cause) {}

    private final GraphPlan plan;
    private final byte[] outcomes;
    private final List<Failure> failures = new ArrayList<>(0);
    /**
     * Per node, what it threw, or what the one threw because of which it was skipped; null before the first failure,
     * and if no node was asked for its end. An entry is ordered as the outcome is.
     */
    private @Nullable Throwable @Nullable [] causes;

    private boolean dirty;
    /** Whether the refusal is among the failures. Guarded by {@link #failures}. */
    private boolean refused;

    private volatile @Nullable TaskGraphClosedException refusal;

    RunOutcomes(GraphPlan plan) {
        this.plan = plan;
        outcomes = new byte[plan.nodes];
    }

    /** Forgets the run before. By the thread that begins a run. */
    void reset() {
        if (dirty) {
            dirty = false;
            Arrays.fill(outcomes, FINE);
            synchronized (failures) {
                failures.clear();
                refused = false;
            }
            refusal = null;
        }
    }

    Verdict verdict(int node, long mask) {
        if (refusal != null) {
            return Verdict.SKIP;
        }
        boolean unneeded = false;
        for (int edge = plan.prerequisiteStarts[node]; edge < plan.prerequisiteStarts[node + 1]; edge++) {
            boolean failed = outcomes[plan.prerequisites[edge]] != FINE;
            switch (plan.policy(edge)) {
                case SKIP -> {
                    if (failed) {
                        return Verdict.SKIP;
                    }
                }
                case RUN_ON_FAILURE -> unneeded |= !failed;
                case RUN_ANYWAY -> {}
            }
        }
        long[] switches = plan.switches;
        boolean off = switches != null && (switches[node] & ~mask) != 0L;
        return off || unneeded ? Verdict.PASS : Verdict.RUN;
    }

    void failed(int node, Throwable cause) {
        outcomes[node] = FAILED;
        synchronized (failures) {
            dirty = true;
            failures.add(new Failure(node, cause));
            if (plan.events != null && causes == null) {
                causes = new Throwable[plan.nodes];
            }
        }
        @Nullable Throwable[] known = causes;
        if (known != null) {
            known[node] = cause;
        }
    }

    /**
     * Marks a node that is not run because of a failure, its own graph's closing included. Returns why: the closing, or
     * what its first failed prerequisite threw or was skipped for; null if no node was asked for its end.
     */
    @Nullable
    Throwable skipped(int node) {
        outcomes[node] = FAILED;
        TaskGraphClosedException closed = refusal;
        if (closed != null) {
            synchronized (failures) {
                if (!refused) {
                    refused = true;
                    failures.add(new Failure(node, closed));
                }
            }
            return closed;
        }
        @Nullable Throwable[] known = causes;
        if (known == null) {
            return null;
        }
        int edge = plan.prerequisiteStarts[node];
        while (outcomes[plan.prerequisites[edge]] == FINE || plan.policy(edge) != FailurePolicy.SKIP) {
            edge++;
        }
        Throwable cause = known[plan.prerequisites[edge]];
        known[node] = cause;
        return cause;
    }

    /** From now on bodies are not run. */
    void refuse(TaskGraphClosedException because) {
        synchronized (failures) {
            dirty = true;
            if (refusal == null) {
                refusal = because;
            }
        }
    }

    boolean isRefusing() {
        return refusal != null;
    }

    /** The failure of the run, or null. By the last participant. */
    @Nullable
    RunFailedException failure() {
        if (!dirty) {
            return null;
        }
        synchronized (failures) {
            if (failures.isEmpty()) {
                return null;
            }
            Failure first = failures.get(0);
            NodeEvent event = failures.size() > 1 || plan.events == null ? null : plan.events[first.node];
            RunFailedException known = event == null ? null : event.failureSoFar();
            if (known != null) {
                // One failure is one exception, so that who sees it at the node or at the run has seen both.
                return known;
            }
            RunFailedException failure =
                    new RunFailedException(plan.name, plan.name(first.node), failures.size() - 1, first.cause);
            for (Failure further : failures.subList(1, failures.size())) {
                failure.addSuppressed(new TaskFailedException("node", plan.name(further.node), further.cause));
            }
            return failure;
        }
    }
}
