package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel;
import java.nio.ByteBuffer;

/** The last shader of a matching for the virtual GPU. */
final class BracketLinkKernel implements CpuKernel {
    private final int each;

    /** @param each elements that a link is for, 1 or 2 */
    BracketLinkKernel(int each) {
        this.each = each;
    }

    @Override
    public void dispatch(Invocation invocation) {
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
            int at = (element >>> 5) * BracketPackKernel.OPENS;
            held = opens.getInt(at);
            under = opens.getInt(at + Integer.BYTES);
        }

        int top() {
            return held == 0 ? under : from + BracketLinkKernel.top(held);
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
