package io.frameloom.gpu.compute;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * The scan with look-back: one dispatch after one that clears the published words of tiles. After Merrill and Garland,
 * "Single-pass Parallel Prefix Scan with Decoupled Look-back", and Smith, Levien and Owens, "Decoupled Fallback: A
 * Portable Single-Pass GPU Scan". Its pipelines are closed by their owner.
 *
 * <p>Workgroups take tiles by tickets, or each the tile of its own number ({@link #takesTilesByNumber}), which saves
 * the wait for a ticket. If a device begins such workgroups in another order, the results are the same but take longer,
 * since the first of them sums up the tiles of all before them.
 */
final class LookBackScan {
    private static final int CLEAR_GROUP = 128;

    private final ScanShape shape;
    private final StorageLimits limits;
    private final int wordsOfTile;
    private final ComputePipeline clear;
    private final ComputePipeline scan;

    /**
     * @param tilesByNumber whether a workgroup takes the tile of its number; a trial may ask for it, too
     */
    LookBackScan(
            ScanShape shape, StorageLimits limits, boolean tilesByNumber, LookBackTrial trial, ComputeShaders shaders) {
        this.shape = shape;
        this.limits = limits;
        wordsOfTile = trial.wordsOfTile(shape);
        String name = "scan-" + shape.operator().name() + (shape.segmented() ? "-segmented" : "") + "-look-back";
        clear = shaders.compile(
                name + "-clear", "scan_clear.comp", Map.of(), ShaderIncludes.NONE, LookBackScan::clearStatuses);
        scan = shaders.compile(
                name,
                "scan_look_back.comp",
                trial.defines(shape, tilesByNumber),
                ShaderIncludes.of(shape.includes()),
                this::scanInOrder);
    }

    /**
     * The shader for the virtual GPU: tile after tile. So each needs only the sum up to its own window, which the last
     * tile of the one before has published.
     */
    private void scanInOrder(CpuKernel.Invocation invocation) {
        ByteBuffer push = invocation.pushConstants();
        ScanTiles tiles = new ScanTiles(shape, true, false, invocation, 12);
        int first = push.getInt(24);
        ByteBuffer published = invocation.bytes("ScanStatus");
        int[] before = tiles.nothing();
        for (int w = 0; first > 0 && w < before.length; w++) {
            before[w] = ScanTiles.word(published, push.getInt(28) + (first - 1) * wordsOfTile + w);
        }
        for (int tile = 0; tile < tiles.count(); tile++) {
            tiles.scan(tile, before);
            before = tiles.join(before, tiles.sum(tile));
        }
        int last = first + tiles.count() - 1;
        for (int w = 0; w < before.length; w++) {
            published.putInt((push.getInt(28) + last * wordsOfTile + w) * Integer.BYTES, before[w]);
        }
    }

    /**
     * Returns whether workgroups of a device take tiles by their number. GPUs with their own memory begin workgroups in
     * the order of their numbers, though nothing guarantees it. Software drivers take tickets: some cut loops of as
     * many turns as another order would lead to.
     */
    static boolean takesTilesByNumber(GpuDevice device) {
        return device.capabilities().kind() == DeviceKind.DISCRETE;
    }

    private static void clearStatuses(CpuKernel.Invocation invocation) {
        ByteBuffer words = invocation.bytes("ScanStatus");
        for (int word = 0; word < invocation.pushConstants().getInt(0); word++) {
            words.putInt(word * Integer.BYTES, 0);
        }
    }

    long scratchBytes(long length) {
        return limits.aligned(statusBytes(length));
    }

    /** Returns whether one storage binding holds the published words of the tiles of a length. */
    boolean fits(long length) {
        return statusBytes(length) <= limits.maxRange();
    }

    /** Refuses a length that does not fit. */
    void check(long length) {
        if (!fits(length)) {
            throw new IllegalArgumentException(
                    "prefix scan '" + shape.operator().name() + "' of " + length
                            + " elements cannot look back: what its " + tiles(length) + " tiles publish takes "
                            + statusBytes(length) + " bytes, but a storage binding of this device has "
                            + limits.maxRange()
                            + "; make it with larger tiles (ScanOptions.withTile), or with AUTO or REDUCE_THEN_SCAN");
        }
    }

    /** A ticket counter for each window, then the published words of tiles. */
    private long statusWords(long length) {
        return windows(length) + tiles(length) * wordsOfTile;
    }

    private long statusBytes(long length) {
        return statusWords(length) * Integer.BYTES;
    }

    private long window() {
        return limits.window(shape.operator().type().bytes(), shape.tile());
    }

    private long windows(long length) {
        return (length + window() - 1) / window();
    }

    private long tiles(long length) {
        return (length + shape.tile() - 1) / shape.tile();
    }

    /** Records a scan of at least one element. Arguments and length have been checked and are not in place. */
    void record(CommandList list, ScanArguments arguments) {
        long length = arguments.length();
        BufferRange scratch = arguments.scratch();
        long statusBytes = statusBytes(length);
        Dispatches dispatches = new Dispatches(list, limits);
        dispatches.pipeline(clear);
        dispatches.bind("ScanStatus", scratch, 1, 0, statusBytes);
        long words = statusWords(length);
        dispatches.dispatch((words + CLEAR_GROUP - 1) / CLEAR_GROUP, (int) words);
        dispatches.pipeline(scan);
        dispatches.bind("ScanStatus", scratch, 1, 0, statusBytes);
        int bytes = shape.operator().type().bytes();
        int ticket = 0;
        for (long first = 0; first < length; first += window()) {
            long count = Math.min(window(), length - first);
            dispatches.barrier();
            int input = dispatches.bind("ScanInput", arguments.input(), bytes, first, count);
            int output = dispatches.bind("ScanOutput", arguments.output(), bytes, first, count);
            dispatches.dispatch(
                    tiles(count),
                    (int) count,
                    input,
                    output,
                    dispatches.bindHeads(arguments.heads(), first, count),
                    arguments.kind() == ScanKind.EXCLUSIVE ? 1 : 0,
                    ticket,
                    (int) (first / shape.tile()),
                    (int) windows(length));
            ticket++;
        }
    }
}
