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
    private boolean dirty;
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
        }
    }

    /** Marks a node that is not run because of a failure, its own graph's closing included. */
    void skipped(int node) {
        outcomes[node] = FAILED;
        TaskGraphClosedException closed = refusal;
        if (closed != null) {
            synchronized (failures) {
                if (failures.stream().noneMatch(f -> f.cause == closed)) {
                    failures.add(new Failure(node, closed));
                }
            }
        }
    }

    /** Why a node was not run that {@link #skipped} has marked: what its first failed prerequisite threw, and so on. */
    Throwable cause(int skipped) {
        TaskGraphClosedException closed = refusal;
        if (closed != null) {
            return closed;
        }
        int node = skipped;
        while (true) {
            int edge = plan.prerequisiteStarts[node];
            while (outcomes[plan.prerequisites[edge]] == FINE || plan.policy(edge) != FailurePolicy.SKIP) {
                edge++;
            }
            node = plan.prerequisites[edge];
            synchronized (failures) {
                for (Failure failure : failures) {
                    if (failure.node == node) {
                        return failure.cause;
                    }
                }
            }
        }
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
            RunFailedException failure =
                    new RunFailedException(plan.name, plan.name(first.node), failures.size() - 1, first.cause);
            for (Failure further : failures.subList(1, failures.size())) {
                failure.addSuppressed(new TaskFailedException("node", plan.name(further.node), further.cause));
            }
            return failure;
        }
    }
}
