package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import java.nio.ByteBuffer;

/** The first shader of a matching for the virtual GPU. */
final class BracketPackKernel implements CpuKernel {
    private static final int SECTION = BracketLayout.SECTION;

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
        ByteBuffer slices = invocation.bytes("BracketSlices");
        short[] stack = new short[SECTION];
        for (int from = 0; from < count; from += SECTION) {
            int section = from / SECTION;
            int depth = 0;
            int closes = 0;
            int word = 0;
            for (int local = 0; local < SECTION; local++) {
                int e = from + local;
                if (e < count && input.isOpen(brackets.getInt((base + e / input.perWord()) * Integer.BYTES), e)) {
                    word |= 1 << local;
                    stack[depth++] = (short) local;
                } else if (e < count && depth > 0) {
                    depth--;
                } else if (e < count) {
                    closes++;
                }
                if (local % Integer.SIZE == Integer.SIZE - 1) {
                    words.putInt((section * (SECTION / Integer.SIZE) + local / Integer.SIZE) * Integer.BYTES, word);
                    word = 0;
                }
            }
            for (int slot = 0; slot < depth; slot++) {
                slices.putShort((section * SECTION + slot) * Short.BYTES, stack[slot]);
            }
            invocation.bytes("BracketNets").putInt(section * Integer.BYTES, depth - closes);
            invocation.bytes("BracketLows").putInt(section * Integer.BYTES, -closes);
        }
    }
}
