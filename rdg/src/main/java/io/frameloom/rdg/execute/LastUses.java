package io.frameloom.rdg.execute;

import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last uses of one piece of memory by the frames under way: those that a later use may have to wait for. RENDER thread
 * only.
 */
final class LastUses {
    /** What one batch did last with some of the bytes. */
    static final class Use {
        private @Nullable BatchPoint batch;
        private long frame;
        private long from;
        private long to;
        private int stages;
        private int writes;
        private boolean write;
        private int orderedStages;
        private int visibleAccess;

        private void set(PlanTouches.Exit exit, BatchPoint ofBatch, long ofFrame) {
            batch = ofBatch;
            frame = ofFrame;
            from = exit.from();
            to = exit.to();
            stages = exit.stages();
            writes = exit.writes();
            write = exit.write();
            orderedStages = exit.orderedStages();
            visibleAccess = exit.visibleAccess();
        }

        BatchPoint batch() {
            return Objects.requireNonNull(batch);
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
    private final Deque<Use> spare;

    /** Nothing; objects come from {@code spare} and go back there. */
    LastUses(Deque<Use> spare) {
        this.spare = spare;
    }

    int count() {
        return uses.size();
    }

    Use use(int index) {
        return uses.get(index);
    }

    /** Forgets the uses of frames up to {@code completed}, which the host has seen end. */
    void forget(long completed) {
        forget(completed, 0, 0);
    }

    /** Forgets the uses within bytes that a frame has written behind all of them. */
    void forget(long from, long to) {
        forget(Long.MIN_VALUE, from, to);
    }

    private void forget(long completed, long from, long to) {
        int kept = 0;
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
            if (use.frame <= completed || (from <= use.from && use.to <= to)) {
                use.batch = null;
                spare.push(use);
            } else {
                uses.set(kept++, use);
            }
        }
        for (int i = uses.size() - 1; i >= kept; i--) {
            uses.remove(i);
        }
    }

    void add(PlanTouches.Exit exit, BatchPoint batch, long frame) {
        Use use = spare.isEmpty() ? new Use() : spare.pop();
        use.set(exit, batch, frame);
        uses.add(use);
    }
}
