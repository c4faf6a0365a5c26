package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import java.nio.ByteBuffer;

/** The shader that grows the tree of minima for the virtual GPU: two levels above one. */
final class BracketTreeKernel implements CpuKernel {
    private static final int LEVELS = 2;

    @Override
    public void dispatch(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        int offset = push.getInt(0);
        int size = push.getInt(4);
        ByteBuffer tree = invocation.bytes("BracketTree");
        if (push.getInt(8) != 0) {
            ByteBuffer depths = invocation.bytes("BracketDepths");
            ByteBuffer lows = invocation.bytes("BracketLows");
            for (int leaf = 0; leaf < size; leaf++) {
                int at = leaf * Integer.BYTES;
                tree.putInt(at, depths.getInt(at) + lows.getInt(at));
            }
        }
        for (int level = 0; level < LEVELS && size > 1; level++) {
            int above = offset + size;
            int nodes = (size + BracketLayout.FAN - 1) / BracketLayout.FAN;
            for (int node = 0; node < nodes; node++) {
                int lowest = Integer.MAX_VALUE;
                int end = Math.min(size, (node + 1) * BracketLayout.FAN);
                for (int below = node * BracketLayout.FAN; below < end; below++) {
                    lowest = Math.min(lowest, node(tree, offset + below));
                }
                tree.putInt((above + node) * Integer.BYTES, lowest);
            }
            offset = above;
            size = nodes;
        }
    }

    static int node(ByteBuffer tree, int node) {
        return tree.getInt(node * Integer.BYTES);
    }
}
