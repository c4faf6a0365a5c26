package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceLimits.SubgroupOperation;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Scans of both backends against a sequential one, bit for bit. */
class PrefixScanIT {
    /**
     * Beside the edges of threads, subgroups, tiles and what totals of totals sum up; in the usual run each large one in one
     * form.
     */
    private static List<Integer> sizes(int tile, int form) {
        List<Integer> sizes = new ArrayList<>(List.of(0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 127, 128, 129));
        sizes.addAll(List.of(tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1));
        List<Integer> large = List.of(128 * tile + 1, 128 * tile, 128 * tile - 1, (1 << 20) - 1, (1 << 20) + 1);
        sizes.addAll(ComputeRig.Backend.share(large, form, 4));
        return sizes;
    }

    /** Returns how many elements of an operator are in a tile. */
    private static int tile(ComputeRig rig, ScanOperator operator, Tiles tiles) {
        DeviceLimits.Compute limits = rig.device.capabilities().limits().compute();
        return ScanShape.reduceThenScan(operator, false, tiles.options(), limits)
                .tile();
    }

    /** Returns how many words are in a tile. */
    private static int tile(ComputeRig rig, Tiles tiles) {
        return tile(rig, ScanOperator.sum(ElementType.U32), tiles);
    }

    /** Where tiles lie. */
    enum Tiles {
        /** In registers, summed by subgroups where the device has them. */
        REGISTERS,
        /** In shared memory. */
        SHARED;

        /** The number of a form, by which the usual run deals cases out to forms. */
        int share(ComputeRig.Backend backend) {
            return 2 * backend.ordinal() + ordinal();
        }

        ScanOptions options() {
            return this == REGISTERS ? ScanOptions.DEFAULT : ScanOptions.DEFAULT.withoutSubgroups();
        }
    }

    private static Stream<Arguments> forms() {
        return Stream.of(ComputeRig.Backend.values())
                .flatMap(backend -> Stream.of(Tiles.values()).map(tiles -> Arguments.of(backend, tiles)));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everySize(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan =
                    rig.own(PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32), tiles.options()));
            for (int size : sizes(tile(rig, tiles), tiles.share(backend))) {
                ScanKind kind = size % 2 == 0 ? ScanKind.EXCLUSIVE : ScanKind.INCLUSIVE;
                int[] input = ScanCases.random(scan.operator(), size, size);
                ScanCases.Run run = new ScanCases.Run(kind, input, null, size % 3, size % 5, 3);
                assertThat(run.difference(rig, scan))
                        .as("%d elements, %s", size, kind)
                        .isEmpty();
            }
        }
    }

    /** In the usual run in registers on one device and in shared memory on the other. */
    private static Stream<Arguments> oneOnEach() {
        return TestEffort.isThorough() || !ComputeRig.Backend.vulkanIsThere()
                ? forms()
                : Stream.of(
                        Arguments.of(ComputeRig.Backend.VULKAN, Tiles.REGISTERS),
                        Arguments.of(ComputeRig.Backend.VIRTUAL, Tiles.SHARED));
    }

    /**
     * The square of a tile and one more: totals of totals. In the usual run of words on one device and of matrices on the
     * other.
     */
    @ParameterizedTest
    @MethodSource("oneOnEach")
    void threeLevels(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            List<ScanOperator> operators = List.of(ScanOperator.sum(ElementType.U32), ScanCases.MATRIX);
            for (ScanOperator operator : ComputeRig.Backend.share(operators, backend.ordinal(), 2)) {
                PrefixScan scan = rig.own(PrefixScan.create(rig.device, operator, tiles.options()));
                int tile = tile(rig, operator, tiles);
                int[] input = ScanCases.random(operator, tile * tile + 1, 5);
                ScanKind kind = operator.equals(ScanCases.MATRIX) ? ScanKind.INCLUSIVE : ScanKind.EXCLUSIVE;
                assertThat(ScanCases.Run.of(kind, input).difference(rig, scan))
                        .as("%s", operator)
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("oneOnEach")
    void patterns(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan =
                    rig.own(PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32), tiles.options()));
            List<int[]> patterns = ScanCases.patterns(tile(rig, tiles));
            for (int i = 0; i < patterns.size(); i++) {
                for (ScanKind kind : ScanKind.values()) {
                    assertThat(ScanCases.Run.of(kind, patterns.get(i)).difference(rig, scan))
                            .as("pattern %d, %s", i, kind)
                            .isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyOperator(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            List<ScanOperator> all = ScanCases.operators().stream().toList();
            ComputeRig.Backend.share(all, tiles.share(backend), 4).forEach(operator -> {
                int mark = rig.mark();
                PrefixScan scan = rig.own(PrefixScan.create(rig.device, operator, tiles.options()));
                for (ScanKind kind : ScanKind.values()) {
                    int[] input = ScanCases.random(operator, 3 * tile(rig, operator, tiles) + 77, 9);
                    ScanCases.Run run = new ScanCases.Run(kind, input, null, 3, 5, 1);
                    assertThat(run.difference(rig, scan))
                            .as("%s, %s", operator, kind)
                            .isEmpty();
                }
                rig.release(mark);
            });
        }
    }

    /** Denormal numbers, minus zero and ordinary numbers: extremes are exact, sums may take denormal ones for zero. */
    @ParameterizedTest
    @MethodSource("oneOnEach")
    void denormalFloats(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int[] input = new int[tile(rig, tiles) + 77];
            SplittableRandom random = new SplittableRandom(3);
            for (int i = 0; i < input.length; i++) {
                input[i] = random.nextInt(1 << 10) | (random.nextBoolean() ? 0 : Integer.MIN_VALUE);
            }
            for (ScanOperator extreme : List.of(ScanOperator.min(ElementType.F32), ScanOperator.max(ElementType.F32))) {
                PrefixScan scan = rig.own(PrefixScan.create(rig.device, extreme, tiles.options()));
                assertThat(ScanCases.Run.of(ScanKind.INCLUSIVE, input).difference(rig, scan))
                        .as("%s", extreme)
                        .isEmpty();
                int[] signs = {0, Integer.MIN_VALUE, 0, 1, -1 >>> 9, Integer.MIN_VALUE | 1};
                assertThat(ScanCases.Run.of(ScanKind.INCLUSIVE, signs).difference(rig, scan))
                        .as("%s", extreme)
                        .isEmpty();
            }
            ScanOperator sum = ScanOperator.sum(ElementType.F32);
            PrefixScan scan = rig.own(PrefixScan.create(rig.device, sum, tiles.options()));
            ScanCases.Run run = ScanCases.Run.of(ScanKind.INCLUSIVE, input);
            int[] output = run.on(rig, scan);
            int[] exact = ScanCases.sequential(sum, ScanKind.INCLUSIVE, input, null);
            if (!Arrays.equals(output, exact)) {
                // Sums of so small numbers are never normal, so all of them are zero, of either sign.
                assertThat(Arrays.stream(output).map(bits -> bits & Integer.MAX_VALUE))
                        .containsOnly(0);
            }
        }
    }

    /** What is new among the types is scanned, too. */
    @Test
    void everyTypeHasAnOperator() {
        assertThat(ScanCases.operators().stream().map(ScanOperator::type)).contains(ElementType.values());
    }

    @ParameterizedTest
    @MethodSource("forms")
    void segments(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            List<ScanOperator> operators = List.of(
                    ScanOperator.sum(ElementType.U32),
                    ScanCases.BICYCLIC,
                    ScanCases.MATRIX,
                    ScanCases.ENDS,
                    ScanCases.FLOAT_PAIRS,
                    ScanCases.FLOAT_FOURS);
            for (ScanOperator operator : ComputeRig.Backend.share(operators, tiles.share(backend), 4)) {
                int mark = rig.mark();
                PrefixScan scan = rig.own(PrefixScan.createSegmented(rig.device, operator, tiles.options()));
                for (int size : new int[] {0, 1, 33, 1023, 1024, 1025, 5000, 70_001}) {
                    for (int every : new int[] {1, 7, 3000, Integer.MAX_VALUE}) {
                        ScanKind kind = (size + every) % 2 == 0 ? ScanKind.INCLUSIVE : ScanKind.EXCLUSIVE;
                        int[] heads = ScanCases.heads(size, every, size);
                        ScanCases.Run run =
                                new ScanCases.Run(kind, ScanCases.random(operator, size, every), heads, 1, 2, 1);
                        assertThat(run.difference(rig, scan))
                                .as("%s, %d elements, %d to a segment, %s", operator, size, every, kind)
                                .isEmpty();
                    }
                }
                rig.release(mark);
            }
        }
    }

    /**
     * A segment that goes through several tiles, and totals of totals that begin and do not begin one; in the usual run the
     * short segments on one device and the long ones on the other.
     */
    @ParameterizedTest
    @MethodSource("oneOnEach")
    void segmentsOfThreeLevels(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan =
                    rig.own(PrefixScan.createSegmented(rig.device, ScanOperator.sum(ElementType.U32), tiles.options()));
            int size = 1024 * 1024 + 300_000;
            int[] input = ScanCases.random(scan.operator(), size, 1);
            for (int every : ComputeRig.Backend.share(List.of(5000, 400_000), backend.ordinal(), 2)) {
                int[] heads = ScanCases.heads(size, every, 2);
                assertThat(new ScanCases.Run(ScanKind.EXCLUSIVE, input, heads, 0, 1, 1).difference(rig, scan))
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("oneOnEach")
    void windowsAndRowsOfGroups(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ScanChecks.windowsAndRowsOfGroups(rig, tiles.options(), null, tile(rig, tiles), 25);
        }
    }

    @ParameterizedTest
    @MethodSource("oneOnEach")
    void inPlace(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan =
                    rig.own(PrefixScan.create(rig.device, ScanOperator.sum(ElementType.U32), tiles.options()));
            ScanChecks.inPlace(rig, scan, 5 * tile(rig, tiles) + 9, null);
        }
    }

    /** Both ranges are bound in the same windows. */
    @ParameterizedTest
    @MethodSource("oneOnEach")
    void inPlaceInWindowsAndSegments(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int alignment = rig.device.capabilities().storageAlignment();
            int tile = tile(rig, tiles);
            StorageLimits limits = new StorageLimits(alignment + 3L * tile * 4, alignment, 65_535, 65_535);
            int elements = 7 * tile + 9;
            ScanOptions options = tiles.options();
            ScanOperator sum = ScanOperator.sum(ElementType.U32);
            PrefixScan plain = rig.own(PrefixScan.create(rig.device, sum, false, options, limits, null));
            ScanChecks.inPlace(rig, plain, elements, null);
            PrefixScan segmented =
                    rig.own(PrefixScan.create(rig.device, ScanCases.BICYCLIC, true, options, limits, null));
            ScanChecks.inPlace(rig, segmented, elements, ScanCases.heads(elements, 2 * tile, 5));
        }
    }

    @ParameterizedTest
    @MethodSource("oneOnEach")
    void equalsTheProcessors(ComputeRig.Backend backend, Tiles tiles) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan = rig.own(PrefixScan.createSegmented(rig.device, ScanCases.MATRIX, tiles.options()));
            SplittableRandom random = new SplittableRandom(12);
            for (int i = 0; i < 4; i++) {
                int size = random.nextInt(100_000);
                int[] input = ScanCases.random(scan.operator(), size, i);
                int[] heads = ScanCases.heads(size, 900, i);
                ScanKind kind = ScanKind.values()[i % 2];
                assertThat(ScanCases.difference(
                                new ScanCases.Run(kind, input, heads, 0, 0, 1).on(rig, scan),
                                CpuScan.scan(rig.tasks, scan.operator(), kind, input, heads)))
                        .isEmpty();
            }
        }
    }

    /** Subgroups whose size the shaders are told by the device alone. */
    @ParameterizedTest
    @EnumSource
    void subgroupsOfAnySize(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            StorageLimits limits = StorageLimits.of(rig.device.capabilities());
            for (boolean segmented : ComputeRig.Backend.share(List.of(false, true), backend.ordinal(), 2)) {
                ScanOperator operator = segmented ? ScanCases.ENDS : ScanOperator.sum(ElementType.U32);
                ScanShape shape = new ScanShape(operator, segmented, 128, 8, ScanShape.ANY);
                PrefixScan lookBack =
                        rig.own(new PrefixScan(rig.device, shape, limits, shape, LookBackTrial.HALF_STUCK, false));
                PrefixScan twoPasses = rig.own(new PrefixScan(rig.device, shape, limits, null, null, false));
                int size = 70_001;
                int[] heads = segmented ? ScanCases.heads(size, 900, 3) : null;
                int[] input = ScanCases.random(operator, size, 5);
                ScanCases.Run run = new ScanCases.Run(ScanKind.EXCLUSIVE, input, heads, 1, 2, 2);
                assertThat(run.difference(rig, lookBack)).as("%s", shape).isEmpty();
                assertThat(run.difference(rig, twoPasses)).as("%s", shape).isEmpty();
            }
        }
    }

    /** What a device cannot do with subgroups is done in shared memory. */
    @Test
    void tilesLieInSharedMemoryWhereSubgroupsDoNotFit() {
        Set<SubgroupOperation> all = EnumSet.allOf(SubgroupOperation.class);
        assertThat(lanes(limits(1024, 32, 32, 32, all, true))).isEqualTo(32);
        assertThat(lanes(limits(1024, 16, 8, 32, all, true))).isEqualTo(ScanShape.ANY);
        assertThat(lanes(limits(1024, 2, 2, 2, all, true))).isZero();
        assertThat(lanes(limits(128, 32, 32, 32, all, true))).isZero();
        for (SubgroupOperation needed : ScanShape.NEEDED) {
            Set<SubgroupOperation> fewer = EnumSet.complementOf(EnumSet.of(needed));
            assertThat(lanes(limits(1024, 32, 32, 32, fewer, true)))
                    .as("without %s", needed)
                    .isZero();
        }
        assertThat(lanes(limits(1024, 32, 32, 32, all, false)))
                .as("subgroups with gaps")
                .isZero();
        assertThat(lanes(DeviceLimits.minimum().compute())).isZero();
    }

    private static DeviceLimits.Compute limits(
            int invocations, int usual, int smallest, int largest, Set<SubgroupOperation> operations, boolean full) {
        DeviceLimits.Groups groups = new DeviceLimits.Groups(1024, 1024, 64);
        return new DeviceLimits.Compute(
                groups, groups, invocations, 1 << 15, usual, smallest, largest, operations, false, full);
    }

    private static int lanes(DeviceLimits.Compute limits) {
        return ScanShape.reduceThenScan(ScanOperator.sum(ElementType.U32), false, ScanOptions.DEFAULT, limits)
                .lanes();
    }
}
