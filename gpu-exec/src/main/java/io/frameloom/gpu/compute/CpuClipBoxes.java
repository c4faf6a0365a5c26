package io.frameloom.gpu.compute;

import io.frameloom.taskgraph.TaskGraph;
import java.nio.IntBuffer;

/**
 * {@link ClipBoxes} on the processor, cut into blocks that the workers of a task graph take. Used where there is no
 * device, and to check one. Stateless; any thread may call it.
 */
public final class CpuClipBoxes {
    /** Elements of a block: long enough to pay for a task, short enough for many of them. */
    private static final int BLOCK = 1 << 14;

    private static final int MOST = 1 << 27;

    private CpuClipBoxes() {}

    /**
     * The results.
     *
     * @param effective four floats for each element
     * @param links for each element the index of the BEGIN around it, for an END that of its BEGIN, or {@link
     *     BracketMatch#NONE}
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Result(float[] effective, int[] links) {}

    /**
     * Computes clip boxes; what goes in and comes out is as {@link ClipArguments} has it.
     *
     * @param tasks whose workers help
     * @param end what the box of an END is
     * @param viewport what is on the stack before the first element
     * @param operations an operation for each element
     * @param boxes four floats for each element
     * @throws IllegalArgumentException if there are not four floats for each element, or more than 2^27 elements
     */
    public static Result compute(TaskGraph tasks, ClipEnd end, ClipBox viewport, int[] operations, float[] boxes) {
        int count = operations.length;
        if (count > MOST || boxes.length != (long) count * ClipKeys.WORDS) {
            throw new IllegalArgumentException("clip boxes: " + boxes.length + " floats are not four for each of "
                    + count + " elements, of which 2^27 are the most");
        }
        IntBuffer sources = bits(boxes);
        IntBuffer given = IntBuffer.wrap(operations);
        IntBuffer brackets = IntBuffer.allocate((count + 15) / 16);
        tasks.parallelFor("turn operations into brackets", brackets.capacity(), BLOCK, (from, to, slot) -> {
            for (int word = from; word < to; word++) {
                brackets.put(word, ClipBlocks.brackets(given, 16 * word, Math.min(16, count - 16 * word)));
            }
        });
        int[] pairs = CpuBracketMatch.match(tasks, BracketInput.BITS, brackets.array(), 2 * count);
        int[] links = new int[count];
        tasks.parallelFor("turn links of brackets into those of clips", count, BLOCK, (from, to, slot) -> {
            for (int e = from; e < to; e++) {
                links[e] = pairs[2 * e] == BracketMatch.NONE ? BracketMatch.NONE : pairs[2 * e] >>> 1;
            }
        });
        int sections = (count + BLOCK - 1) / BLOCK;
        ClipBlocks blocks = new ClipBlocks(
                count,
                BLOCK,
                given,
                0,
                sources,
                0,
                IntBuffer.wrap(links),
                0,
                IntBuffer.allocate(count * ClipKeys.WORDS),
                IntBuffer.allocate(count),
                IntBuffer.allocate(sections));
        tasks.parallelFor("cut boxes in blocks", sections, 1, (from, to, slot) -> {
            for (int section = from; section < to; section++) {
                blocks.cutInside(section);
            }
        });
        IntBuffer nodes = IntBuffer.allocate(sections * ClipBlocks.NODE_WORDS);
        for (int section = 0; section < sections; section++) {
            // A block's next one is before it, and at its root already.
            blocks.plant(section, nodes);
            ClipBlocks.jump(section, 1, nodes, nodes);
        }
        IntBuffer effective = IntBuffer.allocate(count * ClipKeys.WORDS);
        int[] outermost = ClipKeys.of(viewport);
        tasks.parallelFor("cut boxes of blocks", count, BLOCK, (from, to, slot) -> {
            for (int e = from; e < to; e++) {
                blocks.apply(e, end, outermost, nodes, effective, 0);
            }
        });
        return new Result(floats(effective), links);
    }

    private static IntBuffer bits(float[] floats) {
        IntBuffer bits = IntBuffer.allocate(floats.length);
        for (int i = 0; i < floats.length; i++) {
            bits.put(i, Float.floatToRawIntBits(floats[i]));
        }
        return bits;
    }

    private static float[] floats(IntBuffer bits) {
        float[] floats = new float[bits.capacity()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = Float.intBitsToFloat(bits.get(i));
        }
        return floats;
    }
}
