package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What scans of every variant are held to. */
final class ScanChecks {
    private ScanChecks() {}

    /**
     * Holds a plain scan of words and a segmented one of pairs against sequential ones, beside the beginnings of buffers
     * and recorded twice.
     *
     * @param elements of the plain scan
     * @param pairs of the segmented one
     * @param every about one in so many pairs begins a segment
     * @param where for messages
     */
    static void agree(
            ComputeRig rig, PrefixScan plain, PrefixScan segmented, int elements, int pairs, int every, Object where) {
        int[] input = ScanCases.random(plain.operator(), elements, 4);
        assertThat(new ScanCases.Run(ScanKind.EXCLUSIVE, input, null, 1, 2, 2).difference(rig, plain))
                .as("%d elements, %s", elements, where)
                .isEmpty();
        int[] words = ScanCases.random(segmented.operator(), pairs, 4);
        int[] heads = ScanCases.heads(pairs, every, 3);
        assertThat(new ScanCases.Run(ScanKind.INCLUSIVE, words, heads, 1, 2, 2).difference(rig, segmented))
                .as("%d pairs, %s", pairs, where)
                .isEmpty();
    }

    /**
     * Bindings and dispatches far smaller than the device's: everything goes through windows and rows of groups. In the
     * usual run each of them is on one backend.
     *
     * @param trial of a scan that looks back, or null
     * @param tile elements of a tile of words
     * @param tiles of the longest scan
     */
    static void windowsAndRowsOfGroups(
            ComputeRig rig, ScanOptions options, @Nullable LookBackTrial trial, int tile, int tiles) {
        int alignment = rig.device.capabilities().storageAlignment();
        ScanOperator sum = ScanOperator.sum(ElementType.U32);
        List<StorageLimits> all = List.of(
                new StorageLimits(alignment + 3L * tile * 4, alignment, 65_535, 65_535),
                new StorageLimits(1 << 27, alignment, 2, 3),
                new StorageLimits(1 << 27, alignment, 7, 65_535));
        for (StorageLimits limits : ComputeRig.Backend.share(all, rig.backend.ordinal(), 2)) {
            int mark = rig.mark();
            PrefixScan plain = rig.own(PrefixScan.create(rig.device, sum, false, options, limits, trial));
            PrefixScan segmented =
                    rig.own(PrefixScan.create(rig.device, ScanCases.BICYCLIC, true, options, limits, trial));
            for (int size : new int[] {3 * tile, 3 * tile + 1, tiles * tile + 3}) {
                agree(rig, plain, segmented, size, size, 20_000, limits);
            }
            rig.release(mark);
        }
    }

    /**
     * Scans elements into the memory that they come from, and returns the arguments.
     *
     * @param heads of a segmented scan, or null
     */
    static ScanArguments inPlace(ComputeRig rig, PrefixScan scan, int elements, int @Nullable [] heads) {
        int[] input = ScanCases.random(scan.operator(), elements, 8);
        BufferRange range = rig.upload(input, 3);
        BufferRange scratch = rig.scratch(scan.scratchBytes(elements));
        BufferRange flags = heads == null ? null : rig.upload(heads, 1);
        ScanArguments arguments = new ScanArguments(ScanKind.EXCLUSIVE, elements, range, range, scratch, flags);
        List<ResourceUse> uses = scan.uses(arguments);
        rig.execute(list -> {
            ComputeRig.full(list);
            list.beginPass("scan", uses);
            scan.record(list, arguments);
            list.endPass();
            ComputeRig.full(list);
        });
        assertThat(ScanCases.difference(
                        rig.read(range), ScanCases.sequential(scan.operator(), ScanKind.EXCLUSIVE, input, heads)))
                .isEmpty();
        return arguments;
    }
}
