package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import java.nio.ByteBuffer;

/** The last shader of a matching for the virtual GPU. */
final class BracketLinkKernel implements CpuKernel {
    private static final int SECTION = BracketLayout.SECTION;
    private static final int FAN = BracketLayout.FAN;
    /** Of a link into a slice that is not bound. */
    private static final int ELSEWHERE = -2;

    @Override
    public void dispatch(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        int base = push.getInt(4);
        int sections = push.getInt(8);
        int firstSection = push.getInt(12);
        ByteBuffer words = invocation.bytes("BracketWords");
        ByteBuffer links = invocation.bytes("BracketLinks");
        int[] stack = new int[SECTION];
        for (int from = 0; from < count; from += SECTION) {
            int section = firstSection + from / SECTION;
            int index = section * SECTION;
            Outside outside = new Outside(invocation, section, sections);
            int depth = 0;
            for (int local = 0; local < Math.min(count - from, SECTION); local++) {
                int link = depth > 0 ? stack[depth - 1] : outside.top();
                if (link != ELSEWHERE) {
                    links.putInt((base + from + local) * Integer.BYTES, link);
                }
                int word = words.getInt((from + local) / Integer.SIZE * Integer.BYTES);
                if (((word >>> (local % Integer.SIZE)) & 1) != 0) {
                    stack[depth++] = index + local;
                } else if (depth > 0) {
                    depth--;
                } else {
                    outside.pop();
                }
            }
        }
    }

    /** What is on the stack before a section. */
    private static final class Outside {
        private final ByteBuffer slices;
        private final ByteBuffer tree;
        private final int sections;
        private final int firstSlice;
        private final int boundSlices;
        private int depth;
        private int owner;

        Outside(Invocation invocation, int before, int sections) {
            slices = invocation.bytes("BracketSlices");
            tree = invocation.bytes("BracketTree");
            this.sections = sections;
            firstSlice = invocation.pushConstants().getInt(16);
            boundSlices = invocation.pushConstants().getInt(20);
            depth = invocation.bytes("BracketDepths").getInt(before * Integer.BYTES) - 1;
            owner = ownerBefore(before);
        }

        int top() {
            if (owner < 0) {
                return BracketMatch.NONE;
            }
            int slice = owner - firstSlice;
            if (slice < 0 || slice >= boundSlices) {
                return ELSEWHERE;
            }
            int place = depth - BracketTreeKernel.node(tree, owner);
            return owner * SECTION + slices.getShort((slice * SECTION + place) * Short.BYTES);
        }

        void pop() {
            depth--;
            if (owner >= 0 && BracketTreeKernel.node(tree, owner) > depth) {
                owner = ownerBefore(owner);
            }
        }

        /** Returns the last section before one whose lowest depth is not above {@code depth}, or -1. */
        private int ownerBefore(int before) {
            int node = before;
            int level = 0;
            int offset = 0;
            while (node > 0) {
                int base = (node - 1) / FAN * FAN;
                int found = lastLow(offset, base, node);
                if (found >= 0) {
                    while (level > 0) {
                        level--;
                        offset -= nodes(level);
                        found = lastLow(offset, found * FAN, Math.min(nodes(level), (found + 1) * FAN));
                    }
                    return found;
                }
                node = base / FAN;
                offset += nodes(level);
                level++;
            }
            return -1;
        }

        private int lastLow(int offset, int from, int to) {
            for (int node = to - 1; node >= from; node--) {
                if (BracketTreeKernel.node(tree, offset + node) <= depth) {
                    return node;
                }
            }
            return -1;
        }

        private int nodes(int level) {
            int nodes = sections;
            for (int l = 0; l < level; l++) {
                nodes = (nodes + FAN - 1) / FAN;
            }
            return nodes;
        }
    }
}
