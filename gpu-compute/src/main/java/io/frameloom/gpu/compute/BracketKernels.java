package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel.Invocation;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The shaders of a matching for the virtual GPU, which goes through the brackets in their order. */
final class BracketKernels {
    /** Bytes of the opens of a word. */
    private static final int OPENS = BracketLayout.OPEN_BYTES * Integer.SIZE / BracketLayout.SECTION;

    private BracketKernels() {}

    /** Packs the brackets into words. */
    static void pack(Invocation invocation, BracketInput input) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        int base = push.getInt(4);
        ByteBuffer brackets = invocation.bytes("BracketInput");
        ByteBuffer words = invocation.bytes("BracketWords");
        for (int begin = 0; begin < count; begin += Integer.SIZE) {
            int word = 0;
            for (int e = begin; e < Math.min(count, begin + Integer.SIZE); e++) {
                if (input.isOpen(brackets.getInt((base + e / input.perWord()) * Integer.BYTES), e)) {
                    word |= 1 << e;
                }
            }
            words.putInt(begin / Integer.SIZE * Integer.BYTES, word);
        }
    }

    /** Finds the opens that each word leaves and the open under it by one stack, which needs no tree of minima. */
    static void under(Invocation invocation) {
        int count = invocation.pushConstants().getInt(0);
        ByteBuffer words = invocation.bytes("BracketWords");
        ByteBuffer opens = invocation.bytes("BracketOpens");
        int[] stack = new int[64];
        int depth = 0;
        for (int begin = 0; begin < count; begin += Integer.SIZE) {
            int word = words.getInt(begin / Integer.SIZE * Integer.BYTES);
            int open = 0;
            int lowest = depth;
            if (stack.length < depth + Integer.SIZE) {
                stack = Arrays.copyOf(stack, 2 * stack.length);
            }
            for (int e = begin; e < Math.min(count, begin + Integer.SIZE); e++) {
                if ((word >>> e & 1) != 0) {
                    open |= 1 << e;
                    stack[depth++] = e;
                } else {
                    open &= ~Integer.highestOneBit(open);
                    depth = Math.max(0, depth - 1);
                    lowest = Math.min(lowest, depth);
                }
            }
            int at = begin / Integer.SIZE * OPENS;
            opens.putInt(at, open);
            opens.putInt(at + Integer.BYTES, lowest == 0 ? BracketMatch.NONE : stack[lowest - 1]);
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
