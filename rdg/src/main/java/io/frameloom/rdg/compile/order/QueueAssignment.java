package io.frameloom.rdg.compile.order;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.compile.graph.DepthCopies;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * Chooses the queue of each live pass: the one it was declared for, else the graphics queue. A pass that may leave that
 * goes to the copy or compute queue, unless it uses something that the family of that queue may not. Passes of the host
 * stand on the queue that stands for it.
 */
public final class QueueAssignment {
    private QueueAssignment() {}

    /**
     * Returns the queue of each pass, -1 for those that are not live.
     *
     * @param demoted passes that stay on the graphics queue unless they name another one or that may not use what they
     *     use, by {@code declaredIndex}
     */
    public static int[] assign(
            DeclaredGraph graph,
            boolean[] live,
            AsyncCompute policy,
            BitSet demoted,
            IntUnaryOperator declaredIndex,
            QueueTopology queues) {
        boolean anyRefused = graph.anyOfSomeFamilies();
        int compute = computeQueue(queues);
        int copy = copyQueue(queues);
        boolean gathers = policy == AsyncCompute.OFF && queues.queues().get(0).kind() == QueueKind.GRAPHICS;
        int[] queue = new int[live.length];
        for (int p = 0; p < live.length; p++) {
            if (!live[p]) {
                queue[p] = -1;
                continue;
            }
            if (graph.kind(p) == PassKind.HOST) {
                queue[p] = queues.host();
                continue;
            }
            int named = graph.queue(p);
            if (named == 0 || (named > 0 && (!gathers || graph.kind(p) != PassKind.COMPUTE))) {
                queue[p] = named;
                continue;
            }
            boolean mayLeave = graph.hasFlags(p) || policy == AsyncCompute.ALL;
            if (!mayLeave
                    || (demoted.get(declaredIndex.applyAsInt(p))
                            && (!anyRefused || refused(graph, p, 0, queues) < 0))) {
                queue[p] = 0;
                continue;
            }
            if (copy > 0 && leavesForCopies(graph, p, policy) && (!anyRefused || refused(graph, p, copy, queues) < 0)) {
                queue[p] = copy;
            } else {
                queue[p] = compute > 0
                                && leavesGraphics(graph, p, policy)
                                && (!anyRefused || refused(graph, p, compute, queues) < 0)
                        ? compute
                        : 0;
            }
        }
        if (anyRefused) {
            checkFamilies(graph, queue, queues);
        }
        return queue;
    }

    private static void checkFamilies(DeclaredGraph graph, int[] queue, QueueTopology queues) {
        List<RdgError> errors = new ArrayList<>(0);
        for (int p = 0; p < queue.length; p++) {
            int q = queue[p];
            int refused = q < 0 || q == queues.host() ? -1 : refused(graph, p, q, queues);
            if (refused >= 0) {
                String pass = graph.names().pass(p);
                String resource = graph.names().resource(refused);
                String site = graph.site(p);
                QueueTopology.Queue on = queues.queues().get(q);
                errors.add(new RdgError(
                        RdgError.Code.QUEUE_CAPABILITY,
                        pass,
                        resource,
                        "pass '" + pass + "' uses '" + resource + "' on queue '" + on.name()
                                + "' of family " + on.family() + ", but it is shared by families "
                                + new TreeSet<>(graph.sharing(refused).families()) + " alone",
                        "run the pass on a queue of these, or create the resource for concurrent use by family "
                                + on.family() + " as well",
                        site == null ? List.of() : List.of(site)));
            }
        }
        if (!errors.isEmpty()) {
            throw new RdgValidationException(graph.name(), errors);
        }
    }

    /** Returns a resource of a pass that a queue may not use because of its family, or -1. */
    private static int refused(DeclaredGraph graph, int pass, int queue, QueueTopology queues) {
        int family = queues.queues().get(queue).family();
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
            if (!graph.sharing(graph.resource(use)).allows(family)) {
                return graph.resource(use);
            }
        }
        return -1;
    }

    private static boolean leavesGraphics(DeclaredGraph graph, int pass, AsyncCompute policy) {
        boolean tagged = graph.has(pass, PassFlag.ASYNC_COMPUTE);
        boolean leaves = switch (policy) {
            case OFF -> false;
            case TAGGED, MEASURED -> tagged;
            case ALL ->
                tagged
                        || (graph.kind(pass) == PassKind.COMPUTE
                                && isKnown(graph, pass)
                                && computeCanExecute(graph, pass));
        };
        return leaves && DepthCopies.target(graph, pass) < 0;
    }

    private static boolean leavesForCopies(DeclaredGraph graph, int pass, AsyncCompute policy) {
        return policy != AsyncCompute.OFF
                && graph.has(pass, PassFlag.ASYNC_COPY)
                && DepthCopies.target(graph, pass) < 0;
    }

    /** What a pass touches without a declaration cannot be ordered between queues. */
    private static boolean isKnown(DeclaredGraph graph, int pass) {
        return graph.firstUse(pass) < graph.firstUse(pass + 1) && !graph.has(pass, PassFlag.UNTRACKED_ACCESS);
    }

    private static boolean computeCanExecute(DeclaredGraph graph, int pass) {
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
            if (!QueueKind.COMPUTE.supports(graph.access(use).queue())) {
                return false;
            }
        }
        return true;
    }

    /** The first queue that does nothing but copies, or -1. */
    private static int copyQueue(QueueTopology queues) {
        for (int q = 1; q < queues.queues().size(); q++) {
            if (queues.queues().get(q).kind() == QueueKind.COPY && q != queues.host()) {
                return q;
            }
        }
        return -1;
    }

    /** A dedicated compute queue if there is one, else another queue that can compute, else none. */
    private static int computeQueue(QueueTopology queues) {
        int other = -1;
        for (int q = 1; q < queues.queues().size(); q++) {
            QueueKind kind = queues.queues().get(q).kind();
            if (kind == QueueKind.COMPUTE) {
                return q;
            }
            if (other < 0 && kind.supports(QueueKind.COMPUTE)) {
                other = q;
            }
        }
        return other;
    }
}
