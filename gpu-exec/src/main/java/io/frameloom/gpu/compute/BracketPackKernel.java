package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import java.nio.ByteBuffer;

/** The first shader of a matching for the virtual GPU. */
final class BracketPackKernel implements CpuKernel {
    private final BracketInput input;
    private final int partition;

    BracketPackKernel(BracketInput input, int partition) {
        this.input = input;
        this.partition = partition;
    }

    @Override
    public void dispatch(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        int base = push.getInt(4);
        ByteBuffer brackets = invocation.bytes("BracketInput");
        ByteBuffer words = invocation.bytes("BracketWords");
        ByteBuffer slices = invocation.bytes("BracketSlices");
        int[] stack = new int[partition];
        int partitions = (count + partition - 1) / partition;
        for (int p = 0; p < partitions; p++) {
            int from = p * partition;
            int to = Math.min(count, from + partition);
            int depth = 0;
            int closes = 0;
            for (int begin = from; begin < from + partition; begin += Integer.SIZE) {
                int word = 0;
                int open = 0;
                for (int e = begin; e < Math.min(to, begin + Integer.SIZE); e++) {
                    int bit = 1 << (e - begin);
                    if (input.isOpen(brackets.getInt((base + e / input.perWord()) * Integer.BYTES), e)) {
                        word |= bit;
                        open |= bit;
                        stack[depth++] = e;
                    } else {
                        open &= ~Integer.highestOneBit(open);
                        if (depth > 0) {
                            depth--;
                        } else {
                            closes++;
                        }
                    }
                }
                int at = begin / Integer.SIZE * 2 * Integer.BYTES;
                words.putInt(at, word);
                words.putInt(at + Integer.BYTES, open);
            }
            for (int slot = 0; slot < depth; slot++) {
                slices.putInt((from + slot) * Integer.BYTES, stack[slot]);
            }
            invocation.bytes("BracketNets").putInt(p * Integer.BYTES, depth - closes);
            invocation.bytes("BracketLows").putInt(p * Integer.BYTES, -closes);
        }
    }
}
