package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The shader that finds the open under each word, for the virtual GPU. */
final class BracketUnderKernel implements CpuKernel {
    @Override
    public void dispatch(Invocation invocation) {
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
            opens.putInt(begin / Integer.SIZE * BracketPackKernel.OPENS + Integer.BYTES, under);
        }
    }
}
