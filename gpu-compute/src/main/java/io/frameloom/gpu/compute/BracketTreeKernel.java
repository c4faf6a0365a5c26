package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel;
import java.nio.ByteBuffer;

/** The shader that grows the tree of minima for the virtual GPU. */
final class BracketTreeKernel implements CpuKernel {
    private final boolean scans;

    /**
     * @param scans whether it first sums up the depths that the sections add
     */
    BracketTreeKernel(boolean scans) {
        this.scans = scans;
    }

    @Override
    public void dispatch(Invocation invocation) {
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
}
