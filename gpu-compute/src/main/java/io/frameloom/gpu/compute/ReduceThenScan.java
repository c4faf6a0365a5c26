package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel.Invocation;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.resource.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The scan that reduces first: tiles to their totals, level by level, then scans them from the top level down. After
 * Merrill and Garland, who compare it with the single-pass form of {@link LookBackScan}. Its pipelines are closed by
 * their owner. Recorded by any thread, by several at a time.
 */
final class ReduceThenScan {
    private final ScanShape shape;
    private final StorageLimits limits;
    private final ComputePipeline reduceElements;
    private final ComputePipeline scanElements;
    private final ComputePipeline reduceTotals;
    private final ComputePipeline scanTotals;

    ReduceThenScan(ScanShape shape, StorageLimits limits, ComputeShaders shaders) {
        this.shape = shape;
        this.limits = limits;
        reduceElements = compile(shaders, true, true);
        scanElements = compile(shaders, true, false);
        reduceTotals = shape.segmented() ? compile(shaders, false, true) : reduceElements;
        scanTotals = shape.segmented() ? compile(shaders, false, false) : scanElements;
    }

    private ComputePipeline compile(ComputeShaders shaders, boolean leaf, boolean reduce) {
        String name = "scan-" + shape.operator().name() + (shape.segmented() ? "-segmented" : "")
                + (leaf ? "" : "-totals") + (reduce ? "-reduce" : "");
        return shaders.compile(
                name,
                "scan.comp",
                shape.defines(leaf, reduce),
                ShaderIncludes.of(shape.includes()),
                invocation -> dispatch(invocation, leaf, reduce));
    }

    /**
     * Does the work of a dispatch on the virtual GPU, tile by tile.
     *
     * @param leaf whether the elements are the user's
     * @param reduce whether tiles are summed up, not scanned
     */
    private void dispatch(Invocation invocation, boolean leaf, boolean reduce) {
        ByteBuffer push = invocation.pushConstants();
        ScanTiles tiles = new ScanTiles(shape, leaf, reduce, invocation, 16);
        ByteBuffer totals = invocation.bytes("ScanTotals");
        boolean carried = push.getInt(24) != 0;
        int count = Math.min(invocation.groupsX() * invocation.groupsY(), tiles.count());
        for (int tile = 0; tile < count; tile++) {
            int at = push.getInt(12) + tile * shape.words(false);
            if (reduce) {
                int[] total = tiles.sum(tile);
                for (int w = 0; w < total.length; w++) {
                    totals.putInt((at + w) * Integer.BYTES, total[w]);
                }
            } else {
                int[] before = tiles.nothing();
                for (int w = 0; carried && w < shape.words(); w++) {
                    before[w] = ScanTiles.word(totals, at + w);
                }
                tiles.scan(tile, before);
            }
        }
    }

    long scratchBytes(long length) {
        return levels(length).scratchBytes();
    }

    private Levels levels(long length) {
        return Levels.of(length, shape.tile(), shape.words(false) * Integer.BYTES, limits);
    }

    /** Records a scan of at least one element, of arguments that have been checked. */
    void record(CommandList list, ScanArguments arguments) {
        Recording recording = new Recording(list, arguments);
        int top = recording.levels.top();
        for (int level = 0; level < top; level++) {
            recording.reduce(level);
            recording.dispatches.barrier();
        }
        for (int level = top; level >= 0; level--) {
            recording.scan(level);
            if (level > 0) {
                recording.dispatches.barrier();
            }
        }
    }

    private final class Recording {
        private final ScanArguments arguments;
        private final Levels levels;
        private final Dispatches dispatches;

        Recording(CommandList list, ScanArguments arguments) {
            this.arguments = arguments;
            this.levels = levels(arguments.length());
            this.dispatches = new Dispatches(list, limits);
        }

        void reduce(int level) {
            dispatches.pipeline(level == 0 ? reduceElements : reduceTotals);
            forWindows(level, (first, count) -> {
                int input = bindElements("ScanInput", level, arguments.input(), first, count);
                int totals = bindTotals(level + 1, first, count);
                int heads = bindHeads(level, first, count);
                dispatches.dispatch(tiles(count), (int) count, input, 0, totals, heads, 0, 0);
            });
        }

        void scan(int level) {
            boolean carried = level < levels.top();
            boolean exclusive = level > 0 || arguments.kind() == ScanKind.EXCLUSIVE;
            dispatches.pipeline(level == 0 ? scanElements : scanTotals);
            forWindows(level, (first, count) -> {
                if (level == 0 && first > 0 && arguments.isInPlace()) {
                    // The bindings of two windows may share the bytes that an alignment has more; validation judges
                    // them.
                    dispatches.barrier();
                }
                int input = bindElements("ScanInput", level, arguments.input(), first, count);
                int output = bindElements("ScanOutput", level, arguments.output(), first, count);
                int totals = carried ? bindTotals(level + 1, first, count) : bindNoTotals(level, count);
                int heads = bindHeads(level, first, count);
                dispatches.dispatch(
                        tiles(count), (int) count, input, output, totals, heads, exclusive ? 1 : 0, carried ? 1 : 0);
            });
        }

        private void forWindows(int level, Dispatches.Window body) {
            Dispatches.forWindows(levels.counts()[level], limits.window(bytes(level), shape.tile()), body);
        }

        private int bytes(int level) {
            return shape.words(level == 0) * Integer.BYTES;
        }

        private long tiles(long count) {
            return (count + shape.tile() - 1) / shape.tile();
        }

        private int bindElements(String name, int level, BufferRange leaf, long first, long count) {
            Buffer buffer = level == 0 ? leaf.buffer() : arguments.scratch().buffer();
            long start = level == 0 ? leaf.offset() : arguments.scratch().offset() + levels.offsets()[level];
            return dispatches.bind(name, buffer, start + first * bytes(level), count * bytes(level));
        }

        /** Binds the totals or carries, on the level above, of the tiles of a window. */
        private int bindTotals(int above, long first, long count) {
            return bindElements("ScanTotals", above, arguments.scratch(), first / shape.tile(), tiles(count));
        }

        /** Binds something that a dispatch without carries does not read. */
        private int bindNoTotals(int level, long count) {
            return bindElements("ScanTotals", level, arguments.input(), 0, count);
        }

        private int bindHeads(int level, long first, long count) {
            return level > 0 ? 0 : dispatches.bindHeads(arguments.heads(), first, count);
        }
    }

    /**
     * The levels of a scan: level 0 is the user's elements; each further one holds the totals of the tiles of the one
     * before, in scratch memory, until one tile is enough.
     *
     * @param counts elements by level
     * @param offsets first byte in the scratch memory by level; 0 for level 0
     * @param scratchBytes size of the scratch memory
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Levels(long[] counts, long[] offsets, long scratchBytes) {
        /** Enough for any length that a scan takes, less than 2^58 elements: tiles have at least 128. */
        private static final int MOST = 9;

        static Levels of(long length, int tile, int totalBytes, StorageLimits limits) {
            long[] counts = new long[MOST];
            long[] offsets = new long[MOST];
            counts[0] = length;
            int levels = 1;
            long bytes = 0;
            while (counts[levels - 1] > tile) {
                counts[levels] = (counts[levels - 1] + tile - 1) / tile;
                offsets[levels] = bytes;
                bytes = limits.aligned(bytes + counts[levels] * totalBytes);
                levels++;
            }
            return new Levels(
                    Arrays.copyOf(counts, levels),
                    Arrays.copyOf(offsets, levels),
                    Math.max(bytes, limits.aligned(totalBytes)));
        }

        int top() {
            return counts.length - 1;
        }
    }
}
