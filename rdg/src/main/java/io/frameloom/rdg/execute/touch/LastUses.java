package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last uses of one piece of memory by recent frames and frames under way. A later use may have to wait for the
 * latter. RENDER thread only.
 *
 * <p>What the host has seen end needs no order any more. It still gets a barrier on its queue, since layers that
 * validate synchronization do not know what the host waits for. After complete work it costs nothing. Such uses are
 * folded into one for each queue and piece.
 */
public final class LastUses {
    /** What one batch did last with some of the bytes. */
    public static final class Use {
        private @Nullable BatchPoint batch;
        private long frame;
        private Piece piece = Piece.ALL;
        private int stages;
        private int writes;
        private boolean write;
        private int orderedStages;
        /**
         * To these stages {@link #visibleAccess} is visible: barriers one by one say nothing of stages and accesses
         * crosswise.
         */
        private int visibleStages;

        private int visibleAccess;
        private boolean seen;

        @SuppressWarnings("ReferenceEquality") // an equal piece is only stored once more
        private void set(PlanTouches.Exit exit, BatchPoint ofBatch, long ofFrame) {
            batch = ofBatch;
            frame = ofFrame;
            if (piece != exit.piece()) {
                piece = exit.piece();
            }
            stages = exit.stages();
            writes = exit.writes();
            write = exit.write();
            orderedStages = exit.orderedStages();
            visibleStages = exit.orderedStages();
            visibleAccess = exit.visibleAccess();
            seen = false;
        }

        /** Returns whether the host has seen it end: no other queue has to wait for it. */
        public boolean isSeen() {
            return seen;
        }

        private boolean isLike(Use other) {
            return seen && batch().queue == other.batch().queue && piece.equals(other.piece);
        }

        /** Takes the newer batch of the two, and leaves the older one to the other use. */
        private void fold(Use other) {
            if (batch().sequence < other.batch().sequence) {
                BatchPoint older = batch;
                batch = other.batch;
                other.batch = older;
            }
            frame = Math.max(frame, other.frame);
            stages |= other.stages;
            writes |= other.writes;
            write |= other.write;
            orderedStages &= other.orderedStages;
            visibleStages &= other.visibleStages;
            visibleAccess &= other.visibleAccess;
        }

        public BatchPoint batch() {
            return Objects.requireNonNull(batch);
        }

        int stages() {
            return stages;
        }

        int writes() {
            return writes;
        }

        /** Returns whether later reads have to come after this as well. */
        boolean isWrite() {
            return write;
        }

        public boolean conflicts(PlanTouches.Touch touch) {
            return (write || touch.write()) && piece.overlaps(touch.piece());
        }

        /** Returns whether a barrier on its queue has ordered this before what {@code touch} does. */
        boolean isOrdered(PlanTouches.Touch touch) {
            return PipelineStage.covers(orderedStages, touch.stages())
                    && (!write || isVisible(touch.stages(), touch.access()));
        }

        private boolean isVisible(int stages, int access) {
            return PipelineStage.covers(visibleStages, stages) && MemoryAccess.covers(visibleAccess, access);
        }

        /**
         * Notes a barrier on its queue. Of what two make visible that cannot be said in one, the later one's is kept.
         */
        void ordered(int dstStages, int dstAccess) {
            orderedStages |= dstStages;
            if (isVisible(dstStages, dstAccess)) {
                return;
            }
            boolean sameStages = visibleStages == dstStages;
            boolean sameAccess = visibleAccess == dstAccess;
            visibleAccess = sameStages ? visibleAccess | dstAccess : dstAccess;
            visibleStages = sameAccess ? visibleStages | dstStages : dstStages;
        }
    }

    private static final int SEEN_FRAMES = 256;

    private final List<Use> uses = new ArrayList<>();
    private final Deque<Use> spare;
    private final BatchPoints points;

    /** Nothing; objects come from {@code spare} and {@code points} and go back there. */
    public LastUses(Deque<Use> spare, BatchPoints points) {
        this.spare = spare;
        this.points = points;
    }

    public int count() {
        return uses.size();
    }

    public Use use(int index) {
        return uses.get(index);
    }

    /** Folds the uses of frames up to {@code completed}, which the host has seen end, and forgets those long before. */
    public void seen(long completed) {
        int kept = 0;
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
            if (use.frame <= completed - SEEN_FRAMES || (use.frame <= completed && isFolded(use, kept))) {
                giveBack(use);
            } else {
                keep(use, i, kept++);
            }
        }
        truncate(kept);
    }

    private boolean isFolded(Use use, int kept) {
        if (use.seen) {
            return false;
        }
        use.seen = true;
        for (int i = 0; i < kept; i++) {
            if (uses.get(i).isLike(use)) {
                uses.get(i).fold(use);
                return true;
            }
        }
        return false;
    }

    /** Forgets the uses within a piece that a frame has written after all of them. */
    public void forget(Piece piece) {
        int kept = 0;
        for (int i = 0; i < uses.size(); i++) {
            Use use = uses.get(i);
            if (piece.covers(use.piece)) {
                giveBack(use);
            } else {
                keep(use, i, kept++);
            }
        }
        truncate(kept);
    }

    /** Mostly it is there already, and a store into an old array is not cheap. */
    private void keep(Use use, int from, int to) {
        if (from != to) {
            uses.set(to, use);
        }
    }

    private void giveBack(Use use) {
        points.release(use.batch());
        use.batch = null;
        spare.push(use);
    }

    private void truncate(int kept) {
        for (int i = uses.size() - 1; i >= kept; i--) {
            uses.remove(i);
        }
    }

    public void add(PlanTouches.Exit exit, BatchPoint batch, long frame) {
        Use use = spare.isEmpty() ? new Use() : spare.pop();
        use.set(exit, points.retain(batch), frame);
        uses.add(use);
    }
}
