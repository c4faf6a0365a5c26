package io.frameloom.gpu.compute;

import io.frameloom.taskgraph.TaskGraph;
import java.util.Arrays;

/**
 * {@link BracketMatch} on the processor, cut into blocks that the workers of a task graph take if they are more than a
 * few. Used where there is no device, and to check one. Stateless; any thread may call it.
 */
public final class CpuBracketMatch {
    /** Elements of a block: long enough to pay for a task, short enough for many of them. */
    private static final int BLOCK = 1 << 16;

    private static final int OUTSIDE = Integer.MIN_VALUE;
    /** Largest number of elements: links keep one bit to mark what is not found yet. */
    private static final int MOST = 1 << 30;

    /**
     * Up to so many workers one thread does all of it: blocks take two passes over what they do not match inside, which
     * is all of it where brackets nest deep.
     */
    private static final int FEW_WORKERS = 2;

    private CpuBracketMatch() {}

    /**
     * Matches brackets.
     *
     * @param tasks whose workers help
     * @param input how the elements lie in {@code words}
     * @param words elements
     * @param length number of elements
     * @return for each element the index of the open on top of the stack before it, or {@link BracketMatch#NONE}
     * @throws IllegalArgumentException if {@code words} holds fewer elements, or there are more than 2^30
     */
    public static int[] match(TaskGraph tasks, BracketInput input, int[] words, int length) {
        if (length < 0 || length > MOST || words.length < input.bytes(length) / Integer.BYTES) {
            throw new IllegalArgumentException("bracket match: " + words.length + " words of " + input
                    + " do not hold a length of " + length + ", which is 0 to " + MOST);
        }
        if (tasks.workerCount() <= FEW_WORKERS || length <= BLOCK) {
            return matchAlone(input, words, length);
        }
        return matchTogether(tasks, input, words, length);
    }

    static int[] matchAlone(BracketInput input, int[] words, int length) {
        int[] links = new int[length];
        int[] stack = new int[Math.min(length, BLOCK) + 1];
        int top = 0;
        for (int begin = 0; begin < length; begin += Integer.SIZE) {
            if (stack.length - top <= Integer.SIZE) {
                stack = Arrays.copyOf(
                        stack, (int) Math.min(length + 1L + Integer.SIZE, 2L * stack.length + Integer.SIZE));
            }
            int opens = input.opens(words, begin / Integer.SIZE);
            for (int e = begin; e < Math.min(length, begin + Integer.SIZE); e++) {
                int open = opens & 1;
                opens >>>= 1;
                // A close leaves itself above the top, where nothing is read.
                stack[top] = e;
                links[e] = top > 0 ? stack[top - 1] : BracketMatch.NONE;
                top = Math.max(0, top + 2 * open - 1);
            }
        }
        return links;
    }

    static int[] matchTogether(TaskGraph tasks, BracketInput input, int[] words, int length) {
        Matching matching = new Matching(input, words, length);
        int blocks = (int) ((length + BLOCK - 1L) / BLOCK);
        int[][] stacks = new int[tasks.slotCount()][0];
        tasks.parallelFor("match brackets in blocks", blocks, 1, (from, to, slot) -> {
            if (stacks[slot].length == 0) {
                stacks[slot] = new int[BLOCK + 1];
            }
            for (int block = from; block < to; block++) {
                matching.matchInside(block, stacks[slot]);
            }
        });
        matching.orderBlocks();
        tasks.parallelFor("match brackets of blocks", Math.max(0, blocks - 1), 1, (from, to, slot) -> {
            for (int block = from + 1; block <= to; block++) {
                matching.matchOutside(block);
            }
        });
        if (blocks > 0) {
            matching.matchOutside(0);
        }
        return matching.links;
    }

    /** The arrays of one matching; each block touches its own part. */
    private static final class Matching {
        private final BracketInput input;
        private final int[] words;
        private final int length;
        private final int[] links;
        /** Opens that each block leaves, lowest first. */
        private final int[][] left;
        /** End of the elements of each block whose link lies before the block. */
        private final int[] outsideEnd;
        /** Depth at the beginning of each block; never clamped. */
        private final int[] depth;
        /** Lowest depth in each block, at first relative to its beginning. */
        private final int[] low;
        /** Last block before with a lower lowest depth, or -1. */
        private final int[] lower;

        Matching(BracketInput input, int[] words, int length) {
            this.input = input;
            this.words = words;
            this.length = length;
            int blocks = (int) ((length + BLOCK - 1L) / BLOCK);
            links = new int[length];
            left = new int[blocks][];
            outsideEnd = new int[blocks];
            depth = new int[blocks + 1];
            low = new int[blocks];
            lower = new int[blocks];
        }

        private int end(int block) {
            return (int) Math.min(length, (block + 1L) * BLOCK);
        }

        /** Without a branch on the kind of an element: in random rows half of the predictions would be wrong. */
        void matchInside(int block, int[] stack) {
            int top = 0;
            int closes = 0;
            int end = end(block);
            for (int begin = block * BLOCK; begin < end; begin += Integer.SIZE) {
                int opens = input.opens(words, begin / Integer.SIZE);
                for (int e = begin; e < Math.min(end, begin + Integer.SIZE); e++) {
                    int open = opens & 1;
                    opens >>>= 1;
                    // A close leaves itself above the top, where nothing is read.
                    if (top > 0) {
                        links[e] = stack[top - 1];
                        stack[top] = e;
                        top += 2 * open - 1;
                    } else {
                        links[e] = OUTSIDE | closes;
                        stack[0] = e;
                        top = open;
                        closes += 1 - open;
                        outsideEnd[block] = e + 1;
                    }
                }
            }
            left[block] = Arrays.copyOf(stack, top);
            depth[block + 1] = top - closes;
            low[block] = -closes;
        }

        void orderBlocks() {
            for (int block = 0; block < low.length; block++) {
                depth[block + 1] += depth[block];
                low[block] += depth[block];
                int before = block - 1;
                while (before >= 0 && low[before] >= low[block]) {
                    before = lower[before];
                }
                lower[block] = before;
            }
        }

        /** Finds the links of a block's elements that lie before it: ever lower on the stack. */
        void matchOutside(int block) {
            int owner = block - 1;
            for (int e = block * BLOCK; e < outsideEnd[block]; e++) {
                if (links[e] >= 0) {
                    continue;
                }
                int wanted = depth[block] - 1 - (links[e] & ~OUTSIDE);
                while (owner >= 0 && low[owner] > wanted) {
                    owner = lower[owner];
                }
                links[e] = owner < 0 ? BracketMatch.NONE : left[owner][wanted - low[owner]];
            }
        }
    }
}
