package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.compile.graph.ReadLayouts;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;

/**
 * Makes what the device writes available to the host, after the last writes before the host reads or writes there. No
 * barrier stands on the host's own queue.
 *
 * @param host the queue that stands for the host, or -1
 */
record HostVisibility(StateMerge states, Transitions transitions, int queueCount, int host) {
    private static final int HOST_READ = MemoryAccess.HOST_READ.bit();
    private static final int HOST_WRITE = MemoryAccess.HOST_WRITE.bit();
    private static final int NO_QUEUE = -1;
    private static final int UNDEFINED = ReadLayouts.code(TextureLayout.UNDEFINED);

    static boolean concerns(int access) {
        return (access & (HOST_READ | HOST_WRITE)) != 0;
    }

    /**
     * Makes visible what a frame leaves in cells, unless a pass hands it to the host. The barrier stands after the last
     * write of each, which may lie before the last use.
     *
     * @param output whether the host may read it; else it may write it, too: it comes back in a later frame
     * @param side what may be filled with the writes
     */
    void behindLastWrites(int firstCell, int endCell, boolean output, EpochSide side) {
        int access = output ? HOST_READ : HOST_READ | HOST_WRITE;
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = lastUnshown(cell, states.endEpoch[cell] - 1);
            if (e >= 0) {
                side.clear();
                side.fill(e);
                show(cell, -1, side, NO_QUEUE, access);
            }
        }
    }

    /**
     * Makes visible to the host what an epoch on it reads or writes into, and available to it what it writes over. A
     * write of the device that is not available may land after that of the host.
     *
     * @param former the side of the boundary before the epoch; filled with the last writes if they are further back
     */
    void before(int cell, int epoch, EpochSide former, EpochSide next) {
        int access = 0;
        int by = NO_QUEUE;
        boolean several = false;
        for (int q = 0; q < queueCount; q++) {
            int needed = next.access[q] & HOST_READ;
            if ((next.access[q] & HOST_WRITE) != 0 && !states.discards(epoch)) {
                needed = HOST_READ | HOST_WRITE;
            } else if (q == host) {
                // What a pass that is recorded writes on the host it has written before the frame.
                needed |= next.access[q] & HOST_WRITE;
            }
            if (needed != 0) {
                several |= access != 0;
                access |= needed;
                by = q;
            }
        }
        int writer = access == 0 ? -1 : lastUnshown(cell, epoch - 1);
        if (writer < 0) {
            return;
        }
        if (writer < epoch - 1) {
            former.clear();
            former.fill(writer);
            by = NO_QUEUE;
        }
        // A barrier on the only queue of the next epoch shows what that queue wrote.
        show(cell, epoch, former, several ? NO_QUEUE : by, access);
    }

    /** Returns the last epoch of a cell up to one that writes, or -1 if there is none or the host has read since. */
    private int lastUnshown(int cell, int upTo) {
        int e = upTo;
        for (; e >= states.firstEpoch[cell] && !states.writes(e); e--) {
            if ((SubresourceMap.access(states.scope(e)) & HOST_READ) != 0) {
                return -1;
            }
        }
        return e >= states.firstEpoch[cell] ? e : -1;
    }

    /**
     * Makes visible what some passes write on all queues but one: a wait of another queue makes it visible
     * to the device alone. What the host writes it sees, and so does whatever is submitted afterwards.
     */
    private void show(int cell, int epoch, EpochSide writers, int but, int access) {
        long dst = Transitions.side(PipelineStage.HOST.bit(), access, UNDEFINED);
        for (int q = 0; q < queueCount; q++) {
            if (q != but && q != host && writers.last[q] >= 0 && writers.writes[q] != 0) {
                long src = Transitions.side(writers.stages(q), writers.writes[q], UNDEFINED);
                transitions.put(cell, epoch, Transitions.after(writers.last[q]), src, dst);
            }
        }
    }
}
