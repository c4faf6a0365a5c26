package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import java.nio.ByteBuffer;

/** The shader that grows the tree of minima for the virtual GPU: seven levels above one. */
final class BracketTreeKernel implements CpuKernel {
    private static final int LEVELS = 7;

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
            int nodes = (size + 1) / 2;
            for (int node = 0; node < nodes; node++) {
                int left = node(tree, offset + 2 * node);
                int right = 2 * node + 1 < size ? node(tree, offset + 2 * node + 1) : left;
                tree.putInt((above + node) * Integer.BYTES, Math.min(left, right));
            }
            offset = above;
            size = nodes;
        }
    }

    static int node(ByteBuffer tree, int node) {
        return tree.getInt(node * Integer.BYTES);
    }
}
