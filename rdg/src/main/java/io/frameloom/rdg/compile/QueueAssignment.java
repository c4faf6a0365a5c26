package io.frameloom.rdg.compile;

import io.frameloom.gpu.QueueKind;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;

/**
 * Chooses the queue of each live pass: the one it was declared for; else the graphics queue, or the compute queue for
 * async compute.
 */
final class QueueAssignment {
    private QueueAssignment() {}

    /** Returns the queue of each pass, -1 for those that are not live. */
    static int[] assign(DeclaredGraph graph, boolean[] live, AsyncCompute policy, QueueTopology queues) {
        int compute = computeQueue(queues);
        int[] queue = new int[live.length];
        for (int p = 0; p < live.length; p++) {
            DeclaredGraph.Pass pass = graph.passes().get(p);
            if (!live[p]) {
                queue[p] = -1;
            } else if (pass.queue() > 0 && (policy != AsyncCompute.OFF || pass.kind() == PassKind.COPY)) {
                queue[p] = pass.queue();
            } else {
                queue[p] = compute > 0 && leavesGraphics(pass, policy) ? compute : 0;
            }
        }
        return queue;
    }

    private static boolean leavesGraphics(DeclaredGraph.Pass pass, AsyncCompute policy) {
        boolean tagged = pass.flags().contains(PassFlag.ASYNC_COMPUTE);
        return switch (policy) {
            case OFF -> false;
            case TAGGED -> tagged;
            case ALL -> tagged || (pass.kind() == PassKind.COMPUTE && computeCanExecute(pass));
        };
    }

    private static boolean computeCanExecute(DeclaredGraph.Pass pass) {
        for (DeclaredGraph.Use use : pass.uses()) {
            if (!QueueKind.COMPUTE.supports(use.access().queue())) {
                return false;
            }
        }
        return true;
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
