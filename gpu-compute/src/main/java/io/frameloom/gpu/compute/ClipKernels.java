package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel.Invocation;
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
    static void expand(Invocation invocation) {
        int count = invocation.pushConstants().getInt(0);
        int base = invocation.pushConstants().getInt(4);
        IntBuffer operations = words(invocation, "ClipOperations");
        IntBuffer brackets = words(invocation, "ClipBrackets");
        for (int first = 0; first < count; first += 16) {
            brackets.put(first / 16, ClipBlocks.brackets(operations, base + first, Math.min(16, count - first)));
        }
    }

    private static ClipBlocks blocks(
            Invocation invocation,
            int origin,
            int count,
            IntBuffer operations,
            int operationsAt,
            int boxesAt,
            int linksAt,
            IntBuffer bottoms) {
        return new ClipBlocks(
                origin,
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

    private static void cutInside(ClipBlocks blocks) {
        for (int section = 0; section < partitions(blocks.count()); section++) {
            blocks.cutInside(section);
        }
    }

    /** Cuts boxes within partitions. */
    static void cut(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        IntBuffer words = words(invocation, "BracketWords");
        IntBuffer operations = IntBuffer.allocate(count);
        for (int e = 0; e < count; e++) {
            operations.put(e, ClipBlocks.operationOf(words.get(e / 16) >>> (e % 16 * 2)));
        }
        ClipBlocks blocks = blocks(
                invocation, 0, count, operations, 0, push.getInt(4), push.getInt(8), words(invocation, "ClipBottoms"));
        cutInside(blocks);
        words(invocation, "ClipProducts").put(0, blocks.products(), 0, count * ClipKeys.WORDS);
    }

    /** Returns steps that know only the products of a window, and perhaps bottoms. */
    private static ClipBlocks products(Invocation invocation, int origin, IntBuffer bottoms) {
        return new ClipBlocks(
                origin,
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
                bottoms);
    }

    /** Plants those of the forest of partitions that stand on a window, and with the first window those on nothing. */
    static void plant(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        int partitions = push.getInt(0);
        int first = push.getInt(4);
        int count = push.getInt(8);
        IntBuffer bottoms = words(invocation, "ClipBottoms");
        ClipBlocks blocks = products(invocation, first, bottoms);
        for (int section = 0; section < partitions; section++) {
            int bottom = bottoms.get(section);
            if (bottom == BracketMatch.NONE ? first == 0 : bottom >= first && bottom - first < count) {
                blocks.plant(section, words(invocation, "ClipNodes"));
            }
        }
    }

    /** Moves the nodes of the forest further. */
    static void jump(Invocation invocation) {
        int partitions = invocation.pushConstants().getInt(0);
        IntBuffer from = words(invocation, "ClipNodes");
        IntBuffer to = words(invocation, "ClipFarther");
        for (int section = 0; section < partitions; section++) {
            ClipBlocks.jump(section, ClipBoxes.REACH - 1, from, to);
        }
    }

    /** Returns the elements of a dispatch of the last shader, cut within their partitions. */
    private static ClipBlocks cutElements(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        ClipBlocks blocks = blocks(
                invocation,
                push.getInt(40),
                count,
                words(invocation, "ClipOperations"),
                push.getInt(4),
                push.getInt(8),
                push.getInt(16),
                IntBuffer.allocate(partitions(count)));
        cutInside(blocks);
        return blocks;
    }

    private static ClipEnd end(Invocation invocation) {
        return ClipEnd.values()[invocation.pushConstants().getInt(20)];
    }

    private static int[] viewport(Invocation invocation) {
        int[] viewport = new int[ClipKeys.WORDS];
        for (int w = 0; w < viewport.length; w++) {
            viewport[w] = invocation.pushConstants().getInt(24 + w * Integer.BYTES);
        }
        return viewport;
    }

    /** Writes the results. */
    static void apply(Invocation invocation) {
        ClipBlocks blocks = cutElements(invocation);
        int[] viewport = viewport(invocation);
        IntBuffer nodes = words(invocation, "ClipNodes");
        IntBuffer effective = words(invocation, "ClipEffective");
        for (int e = 0; e < blocks.count(); e++) {
            blocks.apply(
                    e,
                    end(invocation),
                    viewport,
                    nodes,
                    effective,
                    invocation.pushConstants().getInt(12));
        }
    }

    /** Writes the results without the clips before each partition, and the anchors for those. */
    static void applyInside(Invocation invocation) {
        ClipBlocks blocks = cutElements(invocation);
        int[] viewport = viewport(invocation);
        IntBuffer anchors = words(invocation, "ClipAnchors");
        IntBuffer effective = words(invocation, "ClipEffective");
        int base = invocation.pushConstants().getInt(12);
        for (int e = 0; e < blocks.count(); e++) {
            int[] box = viewport.clone();
            anchors.put(e, blocks.applyInside(e, end(invocation), box));
            ClipBlocks.write(box, effective, base + e * ClipKeys.WORDS);
        }
    }

    /** Cuts the results of a window by the clips in another before their partitions. */
    static void gather(Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        int count = push.getInt(0);
        int effectiveBase = push.getInt(4);
        int linkBase = push.getInt(8);
        int from = push.getInt(12);
        int there = push.getInt(16);
        IntBuffer links = words(invocation, "ClipLinks");
        IntBuffer anchors = words(invocation, "ClipAnchors");
        IntBuffer effective = words(invocation, "ClipEffective");
        IntBuffer nodes = words(invocation, "ClipNodes");
        ClipBlocks blocks = products(invocation, from, NOTHING);
        for (int e = 0; e < count; e++) {
            int anchor = anchors.get(e);
            if (anchor < 0 && anchor != BracketMatch.NONE) {
                int begin = anchor & ~ClipBlocks.AROUND;
                if (begin < from || begin - from >= there) {
                    continue;
                }
                anchor = links.get(linkBase + begin - from);
                anchors.put(e, anchor);
            }
            if (anchor >= from && anchor - from < there) {
                int at = effectiveBase + e * ClipKeys.WORDS;
                int[] box = new int[ClipKeys.WORDS];
                for (int w = 0; w < ClipKeys.WORDS; w++) {
                    box[w] = ClipKeys.key(effective.get(at + w));
                }
                blocks.applyAnchor(anchor, box, nodes);
                ClipBlocks.write(box, effective, at);
            }
        }
    }
}
