package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.order.Dependencies;
import io.frameloom.rdg.compile.order.Synchronization;
import io.frameloom.rdg.compile.order.VectorClocks;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the queue of a node that carries barriers between passes of several queues. It is the one of these queues on
 * which the node takes the fewest waits; of several such the most capable, then the first. A queue that does not have
 * the stages of all these passes is left out.
 *
 * <p>The waits are counted as {@link Synchronization} would find them. The node needs no wait for what its queue knows
 * to be complete, or learns by another wait of the node. A pass needs no wait for the node if it comes after another
 * pass that waits for it.
 */
final class Rerouting {
    private final Dependencies dependencies;
    private final int[] passQueue;
    private final QueueTopology queues;
    private @Nullable VectorClocks clocks;

    Rerouting(Dependencies dependencies, int[] passQueue, QueueTopology queues) {
        this.dependencies = dependencies;
        this.passQueue = passQueue;
        this.queues = queues;
    }

    /** Returns the queue of a node after some passes and before others; 0 if there are neither. */
    int host(EpochSide before, EpochSide next, int position) {
        int stages = 0;
        for (int q = 0; q < before.first.length; q++) {
            stages |= before.stages[q] | next.stages[q];
        }
        int best = -1;
        int fewest = Integer.MAX_VALUE;
        for (int q = 0; q < before.first.length; q++) {
            if (q == queues.host() || (before.first[q] < 0 && next.first[q] < 0) || (stages & ~stagesOf(q)) != 0) {
                continue;
            }
            int count = waits(before, next, position, q);
            if (count < fewest || (count == fewest && isMoreCapable(q, best))) {
                best = q;
                fewest = count;
            }
        }
        return Math.max(0, best);
    }

    private int stagesOf(int q) {
        return PipelineStage.of(queues.queues().get(q).kind());
    }

    private boolean isMoreCapable(int q, int than) {
        QueueKind kind = queues.queues().get(q).kind();
        QueueKind other = queues.queues().get(than).kind();
        return kind != other && kind.supports(other);
    }

    private int waits(EpochSide before, EpochSide next, int position, int host) {
        VectorClocks known = known();
        int at = firstFrom(known, host, position);
        int former = at == 0 ? -1 : known.node(host, at - 1);
        int following = at == known.count(host) ? -1 : known.node(host, at);
        int count = 0;
        for (int q = 0; q < before.last.length; q++) {
            int waitedFor = before.last[q];
            if (q != host && waitedFor >= 0) {
                boolean covered = former >= 0 && known.precedes(waitedFor, former);
                for (int other : before.last) {
                    covered |= other >= 0 && known.precedes(waitedFor, other);
                }
                count += covered ? 0 : 1;
            }
            int waiting = next.first[q];
            if (q != host && waiting >= 0) {
                boolean covered = following >= 0 && known.precedes(following, waiting);
                for (int other : next.first) {
                    covered |= other >= 0 && known.precedes(other, waiting);
                }
                count += covered ? 0 : 1;
            }
        }
        return count;
    }

    /** Returns the position of the first pass of a queue that is not before a pass, or their number. */
    private static int firstFrom(VectorClocks known, int queue, int pass) {
        int low = 0;
        int high = known.count(queue);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (known.node(queue, middle) < pass) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** What is known between the passes alone; made for the first node, since most graphs have none. */
    private VectorClocks known() {
        VectorClocks made = clocks;
        if (made == null) {
            int[] order = IntStream.range(0, passQueue.length)
                    .filter(pass -> passQueue[pass] >= 0)
                    .toArray();
            made = new Synchronization(
                            order,
                            order.length,
                            passQueue,
                            queues.queues().size(),
                            dependencies.count(),
                            dependencies.from,
                            dependencies.to,
                            new Scratch())
                    .clocks;
            clocks = made;
        }
        return made;
    }
}
