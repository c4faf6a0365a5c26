package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceLimits;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every primitive on the driver as the environment of this process sets it up. The first argument is its size of subgroups,
 * the second whether all inputs are tried.
 */
final class DriverMatrix {
    private static final int SECTION = 1024;
    private static final int TILE = 2048;
    private static final ClipBox VIEWPORT = new ClipBox(0, 0, 1000, 1000);

    private DriverMatrix() {}

    public static void main(String[] arguments) {
        int lanes = Integer.parseInt(arguments[0]);
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            DeviceLimits.Compute limits = rig.device.capabilities().limits().compute();
            assertThat(limits.subgroupSize()).as("size of subgroups").isEqualTo(lanes);
            scans(rig);
            brackets(rig);
            compactions(rig);
            clips(rig);
            if (Boolean.parseBoolean(arguments[1])) {
                reducedAndScanned(rig);
                patterns(rig);
                adversarialClips(rig);
            }
        }
        System.out.println("all right with subgroups of " + lanes);
    }

    private static void scans(ComputeRig rig) {
        ScanOptions shared = ScanOptions.of(ScanVariant.LOOK_BACK).withoutSubgroups();
        ScanOptions registers = ScanOptions.of(ScanVariant.LOOK_BACK).withTile(128, 4);
        for (ScanOptions options : List.of(registers, shared)) {
            for (LookBackTrial trial : List.of(
                    LookBackTrial.NONE,
                    LookBackTrial.HALF_STUCK,
                    new LookBackTrial("tile % 8u == 0u", false, 4),
                    new LookBackTrial("tile != 9u", false, 1),
                    new LookBackTrial("", true, 1))) {
                scan(rig, ScanOperator.sum(ElementType.U32), false, options, trial);
            }
            scan(rig, ScanCases.BICYCLIC, true, options, LookBackTrial.HALF_STUCK);
            scan(rig, ScanCases.BICYCLIC, true, options, null);
        }
    }

    /** Every operator at one size, and plain sums at all. */
    private static void reducedAndScanned(ComputeRig rig) {
        scan(rig, ScanOperator.sum(ElementType.U32), false, ScanOptions.DEFAULT, null);
        for (ScanOperator operator : ScanCases.operators()) {
            int mark = rig.mark();
            PrefixScan scan = rig.own(PrefixScan.create(rig.device, operator));
            int[] input = ScanCases.random(operator, 3 * TILE + 77, 9);
            assertThat(new ScanCases.Run(ScanKind.INCLUSIVE, input, null, 3, 5, 1).difference(rig, scan))
                    .as("%s, reduced and scanned", operator)
                    .isEmpty();
            rig.release(mark);
        }
    }

    private static void patterns(ComputeRig rig) {
        DeviceLimits.Compute limits = rig.device.capabilities().limits().compute();
        ScanOperator sum = ScanOperator.sum(ElementType.U32);
        ScanOptions lookBack = ScanOptions.of(ScanVariant.LOOK_BACK);
        patterns(rig, ScanOptions.DEFAULT, ScanShape.reduceThenScan(sum, false, ScanOptions.DEFAULT, limits));
        patterns(rig, lookBack, ScanShape.lookBack(sum, false, lookBack, limits));
    }

    private static void patterns(ComputeRig rig, ScanOptions options, ScanShape shape) {
        int mark = rig.mark();
        PrefixScan scan = rig.own(PrefixScan.create(rig.device, shape.operator(), options));
        List<int[]> patterns = ScanCases.patterns(shape.tile());
        for (int[] pattern : patterns) {
            assertThat(ScanCases.Run.of(ScanKind.INCLUSIVE, pattern).difference(rig, scan))
                    .as("pattern %d, %s", patterns.indexOf(pattern), options)
                    .isEmpty();
        }
        rig.release(mark);
    }

    /** A null trial reduces and then scans. */
    private static void scan(
            ComputeRig rig,
            ScanOperator operator,
            boolean segmented,
            ScanOptions options,
            @Nullable LookBackTrial trial) {
        StorageLimits limits = StorageLimits.of(rig.device.capabilities());
        int mark = rig.mark();
        PrefixScan scan = rig.own(PrefixScan.create(rig.device, operator, segmented, options, limits, trial));
        for (int size : new int[] {TILE + 1, 40 * TILE + 3}) {
            int[] input = ScanCases.random(operator, size, 4);
            int[] heads = segmented ? ScanCases.heads(size, 700, 3) : null;
            ScanCases.Run run = new ScanCases.Run(ScanKind.EXCLUSIVE, input, heads, 1, 2, 1);
            assertThat(run.difference(rig, scan))
                    .as("%d elements, %s, %s, %s, segmented %s", size, operator, options, trial, segmented)
                    .isEmpty();
        }
        rig.release(mark);
    }

    private static void brackets(ComputeRig rig) {
        for (BracketInput input : BracketInput.values()) {
            int mark = rig.mark();
            BracketMatch match = rig.own(BracketMatch.create(rig.device, input));
            brackets(rig, match, "mixture", BracketCases.mixture(33 * SECTION + 1, 5));
            if (input == BracketInput.BYTES) {
                BracketCases.adversarial(40_003, SECTION).forEach((name, opens) -> brackets(rig, match, name, opens));
            }
            rig.release(mark);
        }
    }

    private static void brackets(ComputeRig rig, BracketMatch match, String name, boolean[] opens) {
        assertThat(ScanCases.difference(BracketCases.run(rig, match, opens, 1, 2, 1), BracketCases.sequential(opens)))
                .as("brackets as %s, %s", match.input(), name)
                .isEmpty();
    }

    private static void compactions(ComputeRig rig) {
        for (ElementType type : List.of(ElementType.U32, ElementType.U32X3)) {
            StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, type));
            for (int every : new int[] {1, 3, 1000}) {
                int length = 9 * TILE + 7;
                int[] elements = new int[length * type.words()];
                Arrays.setAll(elements, i -> i * 7 + 1);
                int[] keep = ScanCases.heads(length, every, 2);
                assertThat(StreamCompactionTest.difference(rig, compaction, elements, keep, 1, 2))
                        .as("compaction of %s, one of %d stays", type, every)
                        .isEmpty();
            }
        }
    }

    private static void clips(ComputeRig rig) {
        ClipBoxes clips = rig.own(ClipBoxes.create(rig.device));
        for (ClipEnd end : ClipEnd.values()) {
            clips(rig, clips, end, "mixture", BracketCases.mixture(20_001, 3), 0.3);
        }
    }

    private static void adversarialClips(ComputeRig rig) {
        ClipBoxes clips = rig.own(ClipBoxes.create(rig.device));
        BracketCases.adversarial(10_003, ClipBoxes.PARTITION)
                .forEach((name, opens) -> clips(rig, clips, ClipEnd.BEFORE_POP, name, opens, 0.1));
    }

    private static void clips(
            ComputeRig rig, ClipBoxes clips, ClipEnd end, String name, boolean[] opens, double draws) {
        ClipCases row = ClipCases.nested(opens, draws, 3);
        assertThat(ScanCases.difference(row.run(rig, clips, end, VIEWPORT, 1, 2), row.sequential(end, VIEWPORT)))
                .as("clips, %s, %s", name, end)
                .isEmpty();
    }
}
