package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.compile.graph.KnownResources;
import io.frameloom.rdg.compile.graph.ReadLayouts;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;

/**
 * The epochs whose passes are all on one queue of the device, wait in stages of their own and do not concern the host.
 * Most are so. A few numbers describe one, and a boundary between two of them needs no table by queue. It is decided
 * here, by the rules of {@link Transitions}. Lives in scratch memory, until that is reset.
 */
public final class PlainEpochs {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int HOST = MemoryAccess.HOST_READ.bit() | MemoryAccess.HOST_WRITE.bit();
    private static final int UNDEFINED = ReadLayouts.code(TextureLayout.UNDEFINED);
    private static final int NOT_PLAIN = -1;

    private final KnownResources resources;
    private final SubresourceMap map;
    private final StateMerge states;
    /** Queue of each epoch, less than 0 for those that are not plain; of these the other numbers mean nothing. */
    private final int[] queue;

    private final int[] first;
    private final int[] last;
    private final int[] stages;
    private final int[] access;

    /** Looks through all epochs; {@code host} is the queue that stands for the host, or -1. */
    public PlainEpochs(
            KnownResources resources,
            SubresourceMap map,
            StateMerge states,
            int[] passQueue,
            int host,
            Scratch scratch) {
        this.resources = resources;
        this.map = map;
        this.states = states;
        int epochs = states.epochs();
        queue = scratch.ints(epochs);
        first = scratch.ints(epochs);
        last = scratch.ints(epochs);
        stages = scratch.ints(epochs);
        access = scratch.ints(epochs);
        int[] sorted = states.sorted;
        int[] epochStart = states.epochStart;
        int[] touchPass = map.touchPass;
        int[] touchStages = map.touchStages;
        int[] touchAccess = map.touchAccess;
        for (int e = 0, i = 0; e < epochs; e++) {
            int touch = sorted[i];
            int pass = touchPass[touch];
            int q = passQueue[pass];
            int allStages = touchStages[touch];
            int allAccess = touchAccess[touch];
            boolean plain = q != host && allStages != 0;
            first[e] = pass;
            int end = epochStart[e + 1];
            for (i++; i < end; i++) {
                touch = sorted[i];
                pass = touchPass[touch];
                plain &= passQueue[pass] == q && touchStages[touch] != 0;
                allStages |= touchStages[touch];
                allAccess |= touchAccess[touch];
            }
            last[e] = pass;
            stages[e] = allStages;
            access[e] = allAccess;
            queue[e] = plain && (allAccess & HOST) == 0 ? q : NOT_PLAIN;
        }
    }

    /** Returns the queue of an epoch, less than 0 if it is not plain. */
    int queue(int epoch) {
        return queue[epoch];
    }

    /** Returns the stages of a plain epoch. */
    int stages(int epoch) {
        return stages[epoch];
    }

    /** Returns the writes of a plain epoch. */
    int writes(int epoch) {
        return MemoryAccess.writesOf(access[epoch]);
    }

    /**
     * Decides the boundary before an epoch of a cell that the families of all queues share. Returns false, and does
     * nothing, if one of the epochs at it is not plain.
     */
    boolean boundary(int cell, int epoch, BarrierDrafts drafts) {
        int q = queue[epoch];
        boolean start = epoch == states.epochBase[cell];
        int former = start ? q : queue[epoch - 1];
        if (q < 0 || former < 0) {
            return false;
        }
        int resource = map.cellResource[cell];
        int newLayout = states.epochLayout[epoch];
        int oldLayout = start ? ReadLayouts.code(resources.initialLayout[resource]) : states.epochLayout[epoch - 1];
        boolean changes = oldLayout != newLayout && map.isTexture(resource);
        int srcStages = start ? 0 : stages[epoch - 1];
        int srcAccess = start ? 0 : writes(epoch - 1);
        if (changes && states.discards(epoch)) {
            oldLayout = UNDEFINED;
            srcStages = former == q ? srcStages : ALL;
            srcAccess = former == q ? srcAccess : 0;
        } else if (former != q) {
            if (!changes) {
                // The wait between the queues is all it takes.
                return true;
            }
            // The wait between the queues carries the order to the other one.
            drafts.put(cell, epoch, last[epoch - 1], true, srcStages, srcAccess, 0, 0, oldLayout, newLayout);
            return true;
        } else if (start && !changes && resources.isExternal(resource)) {
            return true;
        }
        drafts.put(
                cell,
                epoch,
                first[epoch],
                false,
                srcStages,
                srcAccess,
                stages[epoch],
                access[epoch],
                oldLayout,
                newLayout);
        return true;
    }
}
