package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel;
import java.nio.ByteBuffer;

/** The first shader of a matching for the virtual GPU. */
final class BracketPackKernel implements CpuKernel {
    private static final int SECTION = BracketLayout.SECTION;
    /** Bytes of the opens of a word. */
    static final int OPENS = BracketLayout.OPEN_BYTES * Integer.SIZE / SECTION;

    private final BracketInput input;

    BracketPackKernel(BracketInput input) {
        this.input = input;
    }

    @Override
    public void dispatch(Invocation invocation) {
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
}
