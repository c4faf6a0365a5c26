package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.device.PassTrail;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** How far the virtual GPU has come with a command list. Confined to its thread, which also reports a loss. */
final class VirtualMarks implements PassTrail.Marks {
    private final BitSet passed = new BitSet();
    /** Those of work that has no piece. */
    private final BitSet idle = new BitSet();

    @Override
    public PassTrail.Passed passed(int round, long mark) {
        return idle.get((int) mark) ? PassTrail.Passed.UNKNOWN : PassTrail.Passed.of(passed.get((int) mark));
    }

    /** Begins the list, and the first pass if there is one. */
    void beginFirst(boolean pass) {
        passed.set(0, pass ? 2 : 1);
    }

    /** The work of a list or of one of its passes: it begins with the first piece, and ends with the last. */
    static final class Work {
        private final VirtualMarks marks;
        private final @Nullable Work whole;
        private final int begin;
        private int end = -1;
        private int left;

        /**
         * Work without a piece yet.
         *
         * @param whole work that this is a part of, or null
         */
        Work(VirtualMarks marks, @Nullable Work whole, int begin) {
            this.marks = marks;
            this.whole = whole;
            this.begin = begin;
        }

        WorkNode.Action piece(WorkNode.Action action) {
            add();
            return () -> {
                begin();
                action.run();
                leave();
            };
        }

        private void add() {
            left++;
            if (whole != null) {
                whole.add();
            }
        }

        private void begin() {
            marks.passed.set(begin);
            if (whole != null) {
                whole.begin();
            }
        }

        private void leave() {
            if (--left == 0) {
                marks.passed.set(end);
            }
            if (whole != null) {
                whole.leave();
            }
        }

        /** Notes that all pieces are there, none of which has run. Where there is none, nobody knows when it is done. */
        void end(int mark) {
            end = mark;
            if (left == 0) {
                marks.idle.set(begin);
                marks.idle.set(end);
            }
        }
    }
}
