package io.frameloom.gpu.compute;

import io.frameloom.taskgraph.TaskGraph;

/**
 * {@link ClipBoxes} on the processor, cut into blocks that the workers of a task graph take if they are more than a
 * few. Used where there is no device, and to check one. Stateless; any thread may call it.
 */
public final class CpuClipBoxes {
    /** Elements of a block: long enough to pay for a task, short enough for many of them. */
    private static final int BLOCK = 1 << 14;

    /** Up to so many workers one thread does all of it: blocks are walked twice. */
    private static final int FEW_WORKERS = 2;

    private static final int MOST = 1 << 27;

    private CpuClipBoxes() {}

    /**
     * The results.
     *
     * @param effective four floats for each element
     * @param links for each element the index of the BEGIN around it, for an END that of its BEGIN, or {@link
     *     BracketMatch#NONE}
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Result(float[] effective, int[] links) {}

    /**
     * Computes clip boxes; input and output are as in {@link ClipArguments}.
     *
     * @param tasks whose workers help
     * @param end which box an END gets
     * @param viewport the bottom of the stack
     * @param operations an operation for each element
     * @param boxes four floats for each element
     * @throws IllegalArgumentException if there are not four floats for each element, or more than 2^27 elements
     */
    public static Result compute(TaskGraph tasks, ClipEnd end, ClipBox viewport, int[] operations, float[] boxes) {
        int count = operations.length;
        if (count > MOST || boxes.length != (long) count * ClipStack.BOX) {
            throw new IllegalArgumentException("clip boxes: " + boxes.length + " floats are not four for each of "
                    + count + " elements, of which 2^27 are the most");
        }
        Result result = new Result(new float[boxes.length], new int[count]);
        ClipWalk walk = new ClipWalk(end, operations, boxes, result);
        if (tasks.workerCount() <= FEW_WORKERS || count <= BLOCK) {
            ClipStack stack = new ClipStack(Math.min(count, BLOCK));
            stack.begin(BracketMatch.NONE, viewport);
            walk.finish(0, count, stack, ClipWalk.NOTHING_BELOW);
        } else {
            computeTogether(tasks, walk, viewport, count);
        }
        return result;
    }

    /** First what each block leaves open, then all results, since each stack of a block stands on one of another. */
    private static void computeTogether(TaskGraph tasks, ClipWalk walk, ClipBox viewport, int count) {
        int blocks = (count + BLOCK - 1) / BLOCK;
        ClipForest forest = new ClipForest(blocks, viewport);
        ClipStack[] stacks = new ClipStack[tasks.slotCount()];
        for (int slot = 0; slot < stacks.length; slot++) {
            stacks[slot] = new ClipStack(BLOCK);
        }
        // No block follows the last.
        tasks.parallelFor("clips that blocks leave open", blocks - 1, 1, (from, to, slot) -> {
            for (int block = from; block < to; block++) {
                int closes = walk.leaveOpen(block * BLOCK, (block + 1) * BLOCK, stacks[slot]);
                forest.plant(block, closes, stacks[slot]);
            }
        });
        forest.grow();
        tasks.parallelFor("cut boxes of blocks", blocks, 1, (from, to, slot) -> {
            for (int block = from; block < to; block++) {
                ClipForest.Descent below = forest.descent(block);
                below.accept(stacks[slot]);
                walk.finish(block * BLOCK, Math.min(count, (block + 1) * BLOCK), stacks[slot], below);
            }
        });
    }
}
