package io.frameloom.rdg.execute;

import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import java.util.ArrayList;
import java.util.List;

/**
 * The last uses of one piece of memory by the frames under way: those that a later use may have to wait for. RENDER thread
 * only.
 */
final class LastUses {
    /** What one batch did last with some of the bytes. */
    static final class Use {
        private final BatchPoint batch;
        private final long frame;
        private final long from;
        private final long to;
        private final int stages;
        private final int writes;
        private final boolean write;
        private int orderedStages;
        private int visibleAccess;

        private Use(PlanTouches.Exit exit, BatchPoint batch, long frame) {
            this.batch = batch;
            this.frame = frame;
            this.from = exit.from();
            this.to = exit.to();
            this.stages = exit.stages();
            this.writes = exit.writes();
            this.write = exit.write();
        }

        BatchPoint batch() {
            return batch;
        }

        int stages() {
            return stages;
        }

        /** Returns the writes that have to be made available. */
        int writes() {
            return writes;
        }

        /** Returns whether later reads have to come behind this as well. */
        boolean isWrite() {
            return write;
        }

        boolean conflicts(PlanTouches.Touch touch) {
            return (write || touch.write()) && from < touch.to() && touch.from() < to;
        }

        /** Returns whether a barrier on its queue has ordered this before what {@code touch} does. */
        boolean isOrdered(PlanTouches.Touch touch) {
            return PipelineStage.covers(orderedStages, touch.stages())
                    && (!write || MemoryAccess.covers(visibleAccess, touch.access()));
        }

        /** Notes a barrier on its queue. */
        void ordered(int dstStages, int dstAccess) {
            orderedStages |= dstStages;
            visibleAccess |= dstAccess;
        }
    }

    private final List<Use> uses = new ArrayList<>();

    int count() {
        return uses.size();
    }

    Use use(int index) {
        return uses.get(index);
    }

    /** Forgets the uses of frames up to {@code completed}, which the host has seen end. */
    void forget(long completed) {
        int kept = 0;
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
            if (use.frame > completed) {
                uses.set(kept++, use);
            }
        }
        truncate(kept);
    }

    /** Forgets the uses within bytes that a frame has written behind all of them. */
    void forget(long from, long to) {
        int kept = 0;
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
            if (use.from < from || use.to > to) {
                uses.set(kept++, use);
            }
        }
        truncate(kept);
    }

    private void truncate(int kept) {
        while (uses.size() > kept) {
            uses.remove(uses.size() - 1);
        }
    }

    void add(PlanTouches.Exit exit, BatchPoint batch, long frame) {
        uses.add(new Use(exit, batch, frame));
    }
}
