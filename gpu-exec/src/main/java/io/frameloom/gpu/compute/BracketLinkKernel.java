package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import java.nio.ByteBuffer;

/** The last shader of a matching for the virtual GPU. */
final class BracketLinkKernel implements CpuKernel {
    private final int partition;

    BracketLinkKernel(int partition) {
        this.partition = partition;
    }

    @Override
    public void dispatch(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        int base = push.getInt(4);
        int partitions = push.getInt(8);
        ByteBuffer words = invocation.bytes("BracketWords");
        ByteBuffer links = invocation.bytes("BracketLinks");
        int[] stack = new int[partition];
        for (int p = 0; p < partitions; p++) {
            Outside outside = new Outside(invocation, p, partitions);
            int depth = 0;
            for (int e = p * partition; e < Math.min(count, (p + 1) * partition); e++) {
                int link = depth > 0 ? stack[depth - 1] : outside.top();
                links.putInt((base + e) * Integer.BYTES, link);
                int word = words.getInt(e / Integer.SIZE * 2 * Integer.BYTES);
                if (((word >>> (e % Integer.SIZE)) & 1) != 0) {
                    stack[depth++] = e;
                } else if (depth > 0) {
                    depth--;
                } else {
                    outside.pop();
                }
            }
        }
    }

    /** What is on the stack before a partition. */
    private final class Outside {
        private final ByteBuffer slices;
        private final ByteBuffer tree;
        private final int partitions;
        private int depth;
        private int owner;

        Outside(Invocation invocation, int before, int partitions) {
            slices = invocation.bytes("BracketSlices");
            tree = invocation.bytes("BracketTree");
            this.partitions = partitions;
            depth = invocation.bytes("BracketDepths").getInt(before * Integer.BYTES) - 1;
            owner = ownerBefore(before);
        }

        int top() {
            return owner < 0
                    ? BracketMatch.NONE
                    : slices.getInt((owner * partition + depth - BracketTreeKernel.node(tree, owner)) * Integer.BYTES);
        }

        void pop() {
            depth--;
            if (owner >= 0 && BracketTreeKernel.node(tree, owner) > depth) {
                owner = ownerBefore(owner);
            }
        }

        /** Returns the last partition before one whose lowest depth is not above {@code depth}, or -1. */
        private int ownerBefore(int before) {
            int node = before;
            int level = 0;
            int offset = 0;
            while (node > 0 && ((node & 1) == 0 || BracketTreeKernel.node(tree, offset + node - 1) > depth)) {
                node >>= 1;
                offset += nodes(level);
                level++;
            }
            if (node == 0) {
                return -1;
            }
            node--;
            while (level > 0) {
                level--;
                offset -= nodes(level);
                node = 2 * node + 1;
                if (node >= nodes(level) || BracketTreeKernel.node(tree, offset + node) > depth) {
                    node--;
                }
            }
            return node;
        }

        private int nodes(int level) {
            return (partitions + (1 << level) - 1) >> level;
        }
    }
}
