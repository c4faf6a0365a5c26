package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import io.frameloom.gpu.CpuKernel.Invocation;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/** The shaders of clip boxes for the virtual GPU. */
final class ClipKernels {
    private static final IntBuffer NOTHING = IntBuffer.allocate(0);

    private ClipKernels() {}

    private static IntBuffer words(Invocation invocation, String name) {
        return invocation.bytes(name).asIntBuffer();
    }

    private static int partitions(int count) {
        return (count + ClipBoxes.PARTITION - 1) / ClipBoxes.PARTITION;
    }

    /** Turns operations into brackets. */
    static final class Expand implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            int count = invocation.pushConstants().getInt(0);
            int base = invocation.pushConstants().getInt(4);
            IntBuffer operations = words(invocation, "ClipOperations");
            IntBuffer brackets = words(invocation, "ClipBrackets");
            for (int first = 0; first < count; first += 16) {
                brackets.put(first / 16, ClipBlocks.brackets(operations, base + first, Math.min(16, count - first)));
            }
        }
    }

    private static ClipBlocks blocks(
            Invocation invocation,
            int count,
            IntBuffer operations,
            int operationsAt,
            int boxesAt,
            int linksAt,
            IntBuffer bottoms) {
        return new ClipBlocks(
                count,
                ClipBoxes.PARTITION,
                operations,
                operationsAt,
                words(invocation, "ClipSources"),
                boxesAt,
                words(invocation, "ClipLinks"),
                linksAt,
                IntBuffer.allocate(count * ClipKeys.WORDS),
                IntBuffer.allocate(count),
                bottoms);
    }

    private static void cut(ClipBlocks blocks) {
        for (int section = 0; section < partitions(blocks.count()); section++) {
            blocks.cutInside(section);
        }
    }

    /** Cuts boxes within partitions. */
    static final class Cut implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            ByteBuffer push = invocation.pushConstants();
            int count = push.getInt(0);
            IntBuffer words = words(invocation, "BracketWords");
            IntBuffer operations = IntBuffer.allocate(count);
            for (int e = 0; e < count; e++) {
                operations.put(e, ClipBlocks.operationOf(words.get(e / 16) >>> (e % 16 * 2)));
            }
            ClipBlocks blocks = blocks(
                    invocation, count, operations, 0, push.getInt(4), push.getInt(8), words(invocation, "ClipBottoms"));
            cut(blocks);
            words(invocation, "ClipProducts").put(0, blocks.products(), 0, count * ClipKeys.WORDS);
        }
    }

    /** Plants the forest of partitions. */
    static final class Plant implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            int partitions = invocation.pushConstants().getInt(0);
            ClipBlocks blocks = new ClipBlocks(
                    0,
                    ClipBoxes.PARTITION,
                    NOTHING,
                    0,
                    NOTHING,
                    0,
                    NOTHING,
                    0,
                    words(invocation, "ClipProducts"),
                    NOTHING,
                    words(invocation, "ClipBottoms"));
            for (int section = 0; section < partitions; section++) {
                blocks.plant(section, words(invocation, "ClipNodes"));
            }
        }
    }

    /** Takes the nodes of the forest further. */
    static final class Jump implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            int partitions = invocation.pushConstants().getInt(0);
            IntBuffer from = words(invocation, "ClipNodes");
            IntBuffer to = words(invocation, "ClipFarther");
            for (int section = 0; section < partitions; section++) {
                ClipBlocks.jump(section, ClipBoxes.REACH - 1, from, to);
            }
        }
    }

    /** Writes the results. */
    static final class Apply implements CpuKernel {
        @Override
        public void dispatch(Invocation invocation) {
            ByteBuffer push = invocation.pushConstants();
            int count = push.getInt(0);
            ClipBlocks blocks = blocks(
                    invocation,
                    count,
                    words(invocation, "ClipOperations"),
                    push.getInt(4),
                    push.getInt(8),
                    push.getInt(16),
                    IntBuffer.allocate(partitions(count)));
            cut(blocks);
            ClipEnd end = ClipEnd.values()[push.getInt(20)];
            int[] viewport = new int[ClipKeys.WORDS];
            for (int w = 0; w < viewport.length; w++) {
                viewport[w] = push.getInt(24 + w * Integer.BYTES);
            }
            IntBuffer nodes = words(invocation, "ClipNodes");
            IntBuffer effective = words(invocation, "ClipEffective");
            for (int e = 0; e < count; e++) {
                blocks.apply(e, end, viewport, nodes, effective, push.getInt(12));
            }
        }
    }
}
