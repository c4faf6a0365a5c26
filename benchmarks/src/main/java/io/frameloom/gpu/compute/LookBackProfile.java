package io.frameloom.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.List;

/**
 * How the tiles of a scan of {@link ScanVariant#LOOK_BACK} looked back, to find out what limits it. Looks in vain are
 * waiting. Looks that pass tiles are the way to the nearest tile that knew everything before it. The virtual GPU looks
 * at nothing. Immutable. In the package of the scans, on the class path, since how a scan counts its looks is no API.
 *
 * @param tiles number of tiles
 * @param turns looks of a subgroup, all lanes at once, of all tiles; a look in vain is one
 * @param vain looks that found the nearest tile not published yet
 * @param passed tiles whose totals were added up
 * @param reduced tiles that were summed up for others, because they had not been published after some looks
 * @param mostTurns most looks of one tile
 */
public record LookBackProfile(long tiles, long turns, long vain, long passed, long reduced, long mostTurns) {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final LookBackProbe.Waiting WAITING = (timeline, value) -> timeline.await(value, LONG);
    private static final BarrierBatch FULL =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));

    /**
     * Counts the last of some executions of an exclusive sum of zeros, in one list, without a host in between. Counting
     * adds a few instructions to each look and a store to each tile.
     *
     * @param type what is summed up, not {@link ElementType#F32}
     * @param segmented whether the scan is one in segments, of which there is one
     * @param length number of elements, at least 1
     * @param runs executions, at least 1; enough to bring up the clock of an idle device
     * @throws IllegalArgumentException if the device has no subgroups that look back, the sum cannot, or a number is
     *     too small
     * @throws IllegalStateException if the device does not finish within two minutes. The profile's objects are closed
     *     then, its commands when the device has finished them
     * @throws DeviceLostException if the device is lost meanwhile
     * @throws GpuOutOfMemoryException if there is too little memory
     */
    public static LookBackProfile of(GpuDevice device, ElementType type, boolean segmented, long length, int runs) {
        return of(device, type, segmented, ScanOptions.of(ScanVariant.LOOK_BACK), length, runs, WAITING);
    }

    static LookBackProfile of(
            GpuDevice device,
            ElementType type,
            boolean segmented,
            ScanOptions options,
            long length,
            int runs,
            LookBackProbe.Waiting waiting) {
        if (length < 1 || runs < 1) {
            throw new IllegalArgumentException(
                    "a profile counts a scan of at least 1 element in at least 1 run, got " + length + " in " + runs);
        }
        ScanOperator sum = ScanOperator.sum(type);
        if (!sum.isExact()) {
            throw new IllegalArgumentException(
                    "sums of " + type + " do not look back: they depend on the order in which"
                            + " they are rounded; take a type of whole numbers");
        }
        ScanShape shape = ScanShape.lookBack(
                sum, segmented, options, device.capabilities().limits().compute());
        if (shape.lanes() == 0) {
            throw new IllegalArgumentException(
                    "device '" + device.capabilities().name()
                            + "' looks back by threads of a workgroup, whose looks are not counted; take one with subgroups");
        }
        StorageLimits limits = StorageLimits.of(device.capabilities());
        LookBackTrial trial = LookBackTrial.COUNTING;
        long bytes = length * type.bytes();
        long headBytes = (length + Integer.SIZE - 1) / Integer.SIZE * Integer.BYTES;
        try (RunObjects objects = new RunObjects(device, "look-back profile")) {
            PrefixScan scan = objects.own(PrefixScan.create(device, sum, segmented, options, limits, trial));
            Buffer input = objects.own(storage(device, "input", bytes));
            Buffer output = objects.own(storage(device, "output", bytes));
            Buffer heads = objects.own(storage(device, "heads", headBytes));
            Buffer scratch = objects.own(storage(device, "scratch", scan.scratchBytes(length)));
            Buffer counted =
                    objects.own(device.createBuffer("counted", BufferDescription.readback(scan.scratchBytes(length))));
            ScanArguments arguments = new ScanArguments(
                    ScanKind.EXCLUSIVE,
                    length,
                    whole(input),
                    whole(output),
                    whole(scratch),
                    segmented ? whole(heads) : null);
            CommandList list = objects.begin();
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
            if (!waiting.await(device.queues().get(0).timeline(), objects.submit(list))) {
                throw new IllegalStateException(
                        "device '" + device.capabilities().name() + "' did not finish a profile of " + length
                                + " elements within " + LONG.toMinutes() + " minutes");
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
