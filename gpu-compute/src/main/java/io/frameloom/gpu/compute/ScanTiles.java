package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.CpuKernel.Invocation;
import java.nio.ByteBuffer;

/** The work of the scan shaders on a tile, for the virtual GPU: sums it up, or scans it from the sum before it. */
final class ScanTiles {
    private final ByteBuffer input;
    private final int inputBase;
    private final ByteBuffer output;
    private final int outputBase;
    private final ByteBuffer heads;
    private final int headsBase;
    private final boolean exclusive;
    private final int elements;
    private final ScanShape shape;
    private final boolean leaf;
    private final CpuOperator operator;
    private final int[] identity;
    private final int words;
    private final int stride;
    private final int[] value;

    /**
     * The tiles of a dispatch. Its push constants begin with the number of elements, the word of the first element and
     * that of the first result.
     *
     * @param leaf whether the elements are the user's
     * @param reduce whether nothing is scanned, so that there is no output
     * @param headsAt byte of the push constants that have the bit of the first flag, and then whether the scan is
     *     exclusive
     */
    ScanTiles(ScanShape shape, boolean leaf, boolean reduce, Invocation invocation, int headsAt) {
        this.shape = shape;
        this.leaf = leaf;
        ByteBuffer push = invocation.pushConstants();
        elements = push.getInt(0);
        exclusive = push.getInt(headsAt + Integer.BYTES) != 0;
        input = invocation.bytes("ScanInput");
        output = reduce ? input : invocation.bytes("ScanOutput");
        heads = shape.segmented() && leaf ? invocation.bytes("ScanHeads") : input;
        inputBase = push.getInt(4);
        outputBase = push.getInt(8);
        headsBase = push.getInt(headsAt);
        operator = shape.operator().cpu();
        identity = shape.operator().identity();
        words = shape.words();
        stride = shape.words(leaf);
        value = new int[words];
    }

    /** Returns the number of tiles. */
    int count() {
        return (elements + shape.tile() - 1) / shape.tile();
    }

    /** Returns the sum of a tile, with the flag after it if there are segments. */
    int[] sum(int tile) {
        int[] total = new int[shape.words(false)];
        int[] running = identity.clone();
        int head = 0;
        for (int e = tile * shape.tile(); e < end(tile); e++) {
            int flag = load(e);
            append(running, flag);
            head |= flag;
        }
        System.arraycopy(running, 0, total, 0, words);
        if (shape.segmented()) {
            total[words] = head;
        }
        return total;
    }

    /** Combines two sums. */
    int[] join(int[] left, int[] right) {
        int[] joined = right.clone();
        if (!shape.segmented() || right[words] == 0) {
            operator.combine(left, 0, right, 0, joined, 0);
            if (shape.segmented()) {
                joined[words] = left[words];
            }
        }
        return joined;
    }

    /** Returns the sum of nothing. */
    int[] nothing() {
        int[] sum = new int[shape.words(false)];
        System.arraycopy(identity, 0, sum, 0, words);
        return sum;
    }

    /** Scans a tile from the sum of everything before it. */
    void scan(int tile, int[] before) {
        int[] running = new int[words];
        System.arraycopy(before, 0, running, 0, words);
        for (int e = tile * shape.tile(); e < end(tile); e++) {
            int flag = load(e);
            if (exclusive) {
                store(e, leaf && flag != 0 ? identity : running);
            }
            append(running, flag);
            if (!exclusive) {
                store(e, running);
            }
        }
    }

    private int end(int tile) {
        return Math.min(elements, (tile + 1) * shape.tile());
    }

    private void append(int[] running, int flag) {
        if (flag != 0) {
            System.arraycopy(value, 0, running, 0, words);
        } else {
            operator.combine(running, 0, value, 0, running, 0);
        }
    }

    /** Loads an element into {@code value} and returns whether a segment begins with it. */
    private int load(int element) {
        int at = inputBase + element * stride;
        for (int w = 0; w < words; w++) {
            value[w] = word(input, at + w);
        }
        if (!shape.segmented()) {
            return 0;
        }
        int bit = headsBase + element;
        return leaf ? word(heads, bit >>> 5) >>> (bit & 31) & 1 : word(input, at + words);
    }

    private void store(int element, int[] result) {
        for (int w = 0; w < words; w++) {
            output.putInt((outputBase + element * stride + w) * Integer.BYTES, result[w]);
        }
    }

    static int word(ByteBuffer bytes, int at) {
        return bytes.getInt(at * Integer.BYTES);
    }
}
