package io.frameloom.gpu.compute;

import java.util.function.Consumer;

/**
 * The clips that blocks of elements leave open. Depth is never clamped: no clip was ever open at a depth that an END
 * without BEGIN leads to. So the clip at a depth is in the last block before that went down to it or lower. All clips
 * that a block leaves stand on one clip of another block, whose box is cut for all of them at once.
 */
final class ClipForest {
    /** BEGINs that each block leaves, outermost first. */
    private final int[][] begins;
    /** Their boxes, cut by each other. */
    private final float[][] boxes;
    /** Depth at the beginning of each block. */
    private final int[] depth;
    /** Lowest depth in each block, at first relative to its beginning. */
    private final int[] low;
    /** Last block before with a lower lowest depth, or -1. */
    private final int[] lower;
    /** The box around all clips that a block leaves; the first is that of block -1, the viewport. */
    private final float[] around;

    ClipForest(int blocks, ClipBox viewport) {
        begins = new int[blocks][0];
        boxes = new float[blocks][0];
        depth = new int[blocks + 1];
        low = new int[blocks];
        lower = new int[blocks];
        around = new float[ClipStack.BOX * (blocks + 1)];
        ClipStack stack = new ClipStack(0);
        stack.begin(BracketMatch.NONE, viewport);
        stack.copy(around, 0);
    }

    /**
     * Keeps the clips that a block leaves open, and how many clips around it it ends. Any thread, each its own block.
     */
    void plant(int block, int closes, ClipStack left) {
        begins[block] = left.beginsAboveLowest();
        boxes[block] = left.boxesAboveLowest();
        depth[block + 1] = left.height() - closes;
        low[block] = -closes;
    }

    /** Puts the blocks onto each other, when all but the last are planted. */
    void grow() {
        ClipStack stack = new ClipStack(0);
        for (int block = 0; block < low.length; block++) {
            depth[block + 1] += depth[block];
            low[block] += depth[block];
            int before = block - 1;
            while (before >= 0 && low[before] >= low[block]) {
                before = lower[before];
            }
            lower[block] = before;
            lay(stack, before, low[block] - 1);
            stack.copy(around, ClipStack.BOX * (block + 1));
        }
    }

    /** Makes the clip at a depth, which a block left, the only one of a stack; block -1 left only the viewport. */
    private void lay(ClipStack stack, int owner, int wanted) {
        int shared = ClipStack.BOX * (owner + 1);
        if (owner < 0) {
            stack.begin(BracketMatch.NONE, around, shared, around, shared);
        } else {
            int entry = wanted - low[owner];
            stack.begin(begins[owner][entry], boxes[owner], ClipStack.BOX * entry, around, shared);
        }
    }

    /** Returns the way down from the clip around a block, which comes first. */
    Descent descent(int block) {
        return new Descent(block);
    }

    /** Goes ever lower on the stack before a block. One thread. */
    final class Descent implements Consumer<ClipStack> {
        private int owner;
        private int wanted;

        private Descent(int block) {
            owner = block - 1;
            wanted = depth[block];
        }

        @Override
        public void accept(ClipStack stack) {
            wanted--;
            while (owner >= 0 && low[owner] > wanted) {
                owner = lower[owner];
            }
            lay(stack, owner, wanted);
        }
    }
}
