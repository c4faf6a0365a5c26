package io.frameloom.gpu.compute;

import io.frameloom.gpu.CpuKernel;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The scan shader for the virtual GPU: one dispatch, tile by tile. */
final class ScanKernel implements CpuKernel {
    private final ScanShape shape;
    private final boolean leaf;
    private final boolean reduce;

    ScanKernel(ScanShape shape, boolean leaf, boolean reduce) {
        this.shape = shape;
        this.leaf = leaf;
        this.reduce = reduce;
    }

    @Override
    public void dispatch(Invocation invocation) {
        Tiles tiles = new Tiles(invocation);
        for (int tile = 0; tile < tiles.count; tile++) {
            if (reduce) {
                tiles.reduce(tile);
            } else {
                tiles.scan(tile);
            }
        }
    }

    /** The buffers and constants of one dispatch. */
    private final class Tiles {
        private final int elements;
        private final int count;
        private final ByteBuffer input;
        private final int inputBase;
        private final ByteBuffer output;
        private final int outputBase;
        private final ByteBuffer totals;
        private final int totalsBase;
        private final ByteBuffer heads;
        private final int headsBase;
        private final boolean exclusive;
        private final boolean carried;
        private final CpuOperator operator = shape.operator().cpu();
        private final int[] identity = shape.operator().identity();
        private final int words = shape.words();
        private final int stride = shape.words(leaf);
        private final int totalStride = shape.words(false);
        private final int[] value = new int[words];
        private final int[] running = new int[words];

        Tiles(Invocation invocation) {
            ByteBuffer push = invocation.pushConstants();
            elements = push.getInt(0);
            inputBase = push.getInt(4);
            outputBase = push.getInt(8);
            totalsBase = push.getInt(12);
            headsBase = push.getInt(16);
            exclusive = push.getInt(20) != 0;
            carried = push.getInt(24) != 0;
            count = Math.min(invocation.groupsX() * invocation.groupsY(), (elements + shape.tile() - 1) / shape.tile());
            input = invocation.bytes("ScanInput");
            totals = invocation.bytes("ScanTotals");
            output = reduce ? totals : invocation.bytes("ScanOutput");
            heads = shape.segmented() && leaf ? invocation.bytes("ScanHeads") : input;
        }

        void reduce(int tile) {
            begin();
            int head = 0;
            for (int e = tile * shape.tile(); e < end(tile); e++) {
                int flag = load(e);
                append(flag);
                head |= flag;
            }
            int at = totalsBase + tile * totalStride;
            store(totals, at, running);
            if (shape.segmented()) {
                totals.putInt((at + words) * Integer.BYTES, head);
            }
        }

        void scan(int tile) {
            begin();
            if (carried) {
                for (int w = 0; w < words; w++) {
                    running[w] = word(totals, totalsBase + tile * totalStride + w);
                }
            }
            for (int e = tile * shape.tile(); e < end(tile); e++) {
                int flag = load(e);
                int at = outputBase + e * stride;
                if (exclusive) {
                    store(output, at, leaf && flag != 0 ? identity : running);
                }
                append(flag);
                if (!exclusive) {
                    store(output, at, running);
                }
            }
        }

        private void begin() {
            System.arraycopy(identity, 0, running, 0, words);
        }

        private int end(int tile) {
            return Math.min(elements, (tile + 1) * shape.tile());
        }

        private void append(int flag) {
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

        private static int word(ByteBuffer bytes, int at) {
            return bytes.getInt(at * Integer.BYTES);
        }

        private void store(ByteBuffer bytes, int at, int[] element) {
            for (int w = 0; w < words; w++) {
                bytes.putInt((at + w) * Integer.BYTES, element[w]);
            }
        }
    }

    @Override
    public String toString() {
        return "scan kernel of " + shape + Arrays.asList(leaf ? "leaf" : "totals", reduce ? "reduce" : "scan");
    }
}
