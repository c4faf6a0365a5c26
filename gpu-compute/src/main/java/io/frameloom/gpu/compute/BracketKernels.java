package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel.Invocation;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The shaders of a matching for the virtual GPU. */
final class BracketKernels {
    private static final int SECTION = BracketLayout.SECTION;
    /** Bytes of the opens of a word. */
    private static final int OPENS = BracketLayout.OPEN_BYTES * Integer.SIZE / SECTION;

    private BracketKernels() {}

    /** Packs the brackets into words, and finds the depths and opens of sections. */
    static void pack(Invocation invocation, BracketInput input) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        int base = push.getInt(4);
        ByteBuffer brackets = invocation.bytes("BracketInput");
        ByteBuffer words = invocation.bytes("BracketWords");
        ByteBuffer opens = invocation.bytes("BracketOpens");
        for (int from = 0; from < count; from += SECTION) {
            int depth = 0;
            int low = 0;
            for (int begin = from; begin < from + SECTION; begin += Integer.SIZE) {
                int word = 0;
                int open = 0;
                for (int e = begin; e < Math.min(count, begin + Integer.SIZE); e++) {
                    if (input.isOpen(brackets.getInt((base + e / input.perWord()) * Integer.BYTES), e)) {
                        word |= 1 << e;
                        open |= 1 << e;
                        depth++;
                    } else {
                        open &= ~Integer.highestOneBit(open);
                        depth--;
                        low = Math.min(low, depth);
                    }
                }
                words.putInt(begin / Integer.SIZE * Integer.BYTES, word);
                opens.putInt(begin / Integer.SIZE * OPENS, open);
            }
            invocation.bytes("BracketNets").putInt(from / SECTION * Integer.BYTES, depth);
            invocation.bytes("BracketLows").putInt(from / SECTION * Integer.BYTES, low);
        }
    }

    /**
     * Grows the tree of minima.
     *
     * @param scans whether it first sums up the depths that the sections add
     */
    static void tree(Invocation invocation, boolean scans) {
        int size = invocation.pushConstants().getInt(0);
        ByteBuffer tree = invocation.bytes("BracketTree");
        ByteBuffer depths = invocation.bytes("BracketDepths");
        ByteBuffer lows = invocation.bytes("BracketLows");
        int depth = 0;
        for (int leaf = 0; scans && leaf < size; leaf++) {
            int added = depths.getInt(leaf * Integer.BYTES);
            depths.putInt(leaf * Integer.BYTES, depth);
            depth += added;
        }
        for (int leaf = 0; leaf < size; leaf++) {
            int at = leaf * Integer.BYTES;
            tree.putInt(at, depths.getInt(at) + lows.getInt(at));
        }
        int offset = 0;
        for (int level = 1; level < BracketLayout.TREE_LEVELS && size > 1; level++) {
            int above = offset + size;
            int nodes = (size + BracketLayout.FAN - 1) / BracketLayout.FAN;
            for (int node = 0; node < nodes; node++) {
                int lowest = Integer.MAX_VALUE;
                int end = Math.min(size, (node + 1) * BracketLayout.FAN);
                for (int below = node * BracketLayout.FAN; below < end; below++) {
                    lowest = Math.min(lowest, tree.getInt((offset + below) * Integer.BYTES));
                }
                tree.putInt((above + node) * Integer.BYTES, lowest);
            }
            offset = above;
            size = nodes;
        }
    }

    /** Finds the open under each word. */
    static void under(Invocation invocation) {
        int count = invocation.pushConstants().getInt(0);
        ByteBuffer words = invocation.bytes("BracketWords");
        ByteBuffer opens = invocation.bytes("BracketOpens");
        int[] stack = new int[64];
        int depth = 0;
        for (int begin = 0; begin < count; begin += Integer.SIZE) {
            int word = words.getInt(begin / Integer.SIZE * Integer.BYTES);
            int lowest = depth;
            if (stack.length < depth + Integer.SIZE) {
                stack = Arrays.copyOf(stack, 2 * stack.length);
            }
            for (int e = begin; e < Math.min(count, begin + Integer.SIZE); e++) {
                if ((word >>> e & 1) != 0) {
                    stack[depth++] = e;
                } else {
                    depth = Math.max(0, depth - 1);
                    lowest = Math.min(lowest, depth);
                }
            }
            int under = lowest == 0 ? BracketMatch.NONE : stack[lowest - 1];
            opens.putInt(begin / Integer.SIZE * OPENS + Integer.BYTES, under);
        }
    }

    /**
     * Links the brackets.
     *
     * @param each elements that a link is for, 1 or 2
     */
    static void link(Invocation invocation, int each) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        int base = push.getInt(4);
        int first = push.getInt(8) * Integer.SIZE;
        ByteBuffer words = invocation.bytes("BracketWords");
        ByteBuffer links = invocation.bytes("BracketLinks");
        Outside outside = new Outside(invocation.bytes("BracketOpens"));
        for (int begin = 0; begin < count; begin += Integer.SIZE) {
            int word = words.getInt(begin / Integer.SIZE * Integer.BYTES);
            int open = 0;
            outside.moveBefore(first + begin);
            for (int e = begin; e < Math.min(count, begin + Integer.SIZE); e++) {
                if (e % each == 0) {
                    int link = open == 0 ? outside.top() : first + begin + top(open);
                    int kept = link == BracketMatch.NONE ? link : Integer.divideUnsigned(link, each);
                    links.putInt((base + e / each) * Integer.BYTES, kept);
                }
                if ((word >>> e & 1) != 0) {
                    open |= 1 << e;
                } else if (open != 0) {
                    open ^= Integer.highestOneBit(open);
                } else {
                    outside.pop();
                }
            }
        }
    }

    private static int top(int bits) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bits);
    }

    /** What is on the stack before a word. */
    private static final class Outside {
        private final ByteBuffer opens;
        private int from;
        private int held;
        private int under;

        Outside(ByteBuffer opens) {
            this.opens = opens;
        }

        void moveBefore(int element) {
            held = 0;
            under = BracketMatch.NONE;
            if (element != 0) {
                moveTo(element - Integer.SIZE);
            }
        }

        private void moveTo(int element) {
            from = element & -Integer.SIZE;
            int at = (element >>> 5) * OPENS;
            held = opens.getInt(at);
            under = opens.getInt(at + Integer.BYTES);
        }

        int top() {
            return held == 0 ? under : from + BracketKernels.top(held);
        }

        void pop() {
            if (held != 0) {
                held ^= Integer.highestOneBit(held);
            } else if (under != BracketMatch.NONE) {
                int left = under;
                moveTo(left);
                held &= (1 << left) - 1;
            }
        }
    }
}
