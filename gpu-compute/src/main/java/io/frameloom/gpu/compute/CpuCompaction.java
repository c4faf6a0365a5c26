package io.frameloom.gpu.compute;

import io.frameloom.taskgraph.TaskGraph;

/**
 * {@link StreamCompaction} on the processor, cut into blocks that the workers of a task graph take. Used where there is
 * no device, and to check one. Stateless; any thread may call it.
 */
public final class CpuCompaction {
    /** Words of {@code keep} of a block: long enough to pay for a task, short enough for many of them. */
    private static final int BLOCK = 1 << 11;

    private CpuCompaction() {}

    /**
     * Returns the elements that stay, in their order.
     *
     * @param tasks whose workers help
     * @param type what the elements are; only its number of words matters
     * @param elements words of the elements, a whole number of them
     * @param keep which of them stay, as {@link CompactArguments#keep} has it
     * @return words of those that stay, and nothing else
     * @throws IllegalArgumentException if there is no whole number of elements or {@code keep} is too short
     */
    public static int[] compact(TaskGraph tasks, ElementType type, int[] elements, int[] keep) {
        int words = type.words();
        if (elements.length % words != 0) {
            throw new IllegalArgumentException(
                    "stream compaction: " + elements.length + " words are no whole number of elements of " + words);
        }
        int count = elements.length / words;
        int keepWords = (int) ((count + 31L) / Integer.SIZE);
        if (keep.length < keepWords) {
            throw new IllegalArgumentException("stream compaction: " + count + " elements need " + keepWords
                    + " words of what stays, got " + keep.length);
        }
        int blocks = (keepWords + BLOCK - 1) / BLOCK;
        int[] places = new int[blocks];
        tasks.parallelFor("count what stays", blocks, 1, (from, to, slot) -> {
            for (int block = from; block < to; block++) {
                for (int w = block * BLOCK; w < Math.min(keepWords, (block + 1) * BLOCK); w++) {
                    places[block] += Integer.bitCount(staying(keep, w, count));
                }
            }
        });
        int staying = 0;
        for (int block = 0; block < blocks; block++) {
            int own = places[block];
            places[block] = staying;
            staying += own;
        }
        int[] output = new int[staying * words];
        tasks.parallelFor("move what stays", blocks, 1, (from, to, slot) -> {
            for (int block = from; block < to; block++) {
                int place = places[block] * words;
                for (int w = block * BLOCK; w < Math.min(keepWords, (block + 1) * BLOCK); w++) {
                    place = move(elements, w * Integer.SIZE, staying(keep, w, count), words, output, place);
                }
            }
        });
        return output;
    }

    /** Returns a word of the elements that stay; bits after the last element are ignored. */
    private static int staying(int[] keep, int word, int count) {
        int elements = count - word * Integer.SIZE;
        return elements >= Integer.SIZE ? keep[word] : keep[word] & ((1 << elements) - 1);
    }

    /** Moves the elements of a word of bits; returns the place after them. */
    private static int move(int[] elements, int first, int bits, int words, int[] output, int place) {
        int to = place;
        for (int left = bits; left != 0; left &= left - 1) {
            int from = (first + Integer.numberOfTrailingZeros(left)) * words;
            for (int w = 0; w < words; w++) {
                output[to++] = elements[from + w];
            }
        }
        return to;
    }
}
