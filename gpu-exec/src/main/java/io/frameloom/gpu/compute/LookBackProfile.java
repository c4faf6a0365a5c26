package io.frameloom.gpu.compute;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BoundResource.BufferRange;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.Submission;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.List;

/**
 * How the tiles of a scan of {@link ScanVariant#LOOK_BACK} looked back, to tell what binds it: looks in vain are waiting,
 * looks that pass tiles are the way to the nearest tile that knew everything before it. Immutable.
 *
 * @param tiles number of tiles
 * @param turns looks of a subgroup, all lanes at once, of all tiles; a look in vain is one
 * @param vain those that found the nearest tile not published yet
 * @param passed tiles whose totals were added up
 * @param reduced tiles that were summed up for others, because they had not been published after some looks
 * @param mostTurns most looks of one tile
 */
public record LookBackProfile(long tiles, long turns, long vain, long passed, long reduced, long mostTurns) {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final BarrierBatch FULL =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));

    /**
     * Counts the last of some executions of an exclusive sum of zeros, in one list, without a host in between. Counting adds
     * a few instructions to each look and a store to each tile.
     *
     * @param type what is summed up, not {@link ElementType#F32}
     * @param segmented whether the scan is one in segments, of which there is one
     * @param length number of elements, at least 1
     * @param runs executions, so many that the clock of an idle device has come up
     * @throws IllegalArgumentException if the device has no subgroups that look back
     * @throws IllegalStateException if the device does not finish within two minutes
     */
    public static LookBackProfile of(GpuDevice device, ElementType type, boolean segmented, long length, int runs) {
        return of(device, type, segmented, ScanOptions.of(ScanVariant.LOOK_BACK), length, runs);
    }

    static LookBackProfile of(
            GpuDevice device, ElementType type, boolean segmented, ScanOptions options, long length, int runs) {
        ScanOperator sum = ScanOperator.sum(type);
        ScanShape shape = ScanShape.lookBack(
                sum, segmented, options, device.capabilities().limits().compute());
        if (shape.lanes() == 0) {
            throw new IllegalArgumentException(
                    "device '" + device.capabilities().name()
                            + "' looks back by threads of a workgroup, whose looks are not counted; take one with subgroups");
        }
        StorageLimits limits = StorageLimits.of(device.capabilities());
        LookBackTrial trial = LookBackTrial.COUNTING;
        GpuQueue queue = device.queues().get(0);
        long bytes = length * type.bytes();
        long headBytes = (length + Integer.SIZE - 1) / Integer.SIZE * Integer.BYTES;
        try (PrefixScan scan = PrefixScan.create(device, sum, segmented, options, limits, trial);
                FrameContext frame = device.createFrameContext("look-back profile");
                Buffer input = storage(device, "input", bytes);
                Buffer output = storage(device, "output", bytes);
                Buffer heads = storage(device, "heads", headBytes);
                Buffer scratch = storage(device, "scratch", scan.scratchBytes(length));
                Buffer counted =
                        device.createBuffer("counted", BufferDescription.readback(scan.scratchBytes(length)))) {
            ScanArguments arguments = new ScanArguments(
                    ScanKind.EXCLUSIVE,
                    length,
                    whole(input),
                    whole(output),
                    whole(scratch),
                    segmented ? whole(heads) : null);
            CommandList list = frame.beginCommands(queue, "look-back profile");
            list.fillBuffer(input, 0, bytes, 0);
            list.fillBuffer(heads, 0, headBytes, 0);
            for (int run = 0; run < runs; run++) {
                list.barrier(FULL);
                scan.record(list, arguments);
            }
            list.barrier(FULL);
            list.copyBuffer(scratch, 0, counted, 0, counted.description().bytes());
            list.barrier(FULL);
            list.end();
            long value = queue.submit(new Submission("look-back profile", List.of(list), List.of()))
                    .value();
            if (!queue.timeline().await(value, LONG)) {
                throw new IllegalStateException(
                        "device '" + device.capabilities().name() + "' did not finish a profile of " + length
                                + " elements within " + LONG);
            }
            long tiles = (length + shape.tile() - 1) / shape.tile();
            long window = limits.window(type.bytes(), shape.tile());
            long first = (length + window - 1) / window;
            return read(
                    counted.mapped().order(ByteOrder.nativeOrder()).asIntBuffer(),
                    (int) tiles,
                    (int) first,
                    shape.statusParts(),
                    trial.wordsOfTile(shape));
        }
    }

    private static LookBackProfile read(IntBuffer words, int tiles, int first, int parts, int wordsOfTile) {
        long[] sums = new long[LookBackTrial.COUNTS];
        long most = 0;
        for (int tile = 0; tile < tiles; tile++) {
            int at = first + tile * wordsOfTile + parts;
            for (int count = 0; count < sums.length; count++) {
                sums[count] += words.get(at + count);
            }
            most = Math.max(most, words.get(at));
        }
        return new LookBackProfile(tiles, sums[0], sums[1], sums[2], sums[3], most);
    }

    private static Buffer storage(GpuDevice device, String name, long bytes) {
        return device.createBuffer(
                name, BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
    }

    private static BufferRange whole(Buffer buffer) {
        return new BufferRange(buffer, 0, buffer.description().bytes());
    }
}
