package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sums of floats that are rounded: the same bits in every run on a device with the same options. */
class FloatSumsTest {
    private static final int SIZE = 50_001;

    private static int[] fractions(int size, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] words = new int[size];
        for (int i = 0; i < size; i++) {
            words[i] = Float.floatToRawIntBits((float) random.nextDouble(-1, 1.5));
        }
        return words;
    }

    private static int[] sums(ComputeRig.Backend backend, ScanOptions options, int[] input, int offset, int times) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ScanOperator sum = ScanOperator.sum(ElementType.F32);
            PrefixScan scan = rig.own(PrefixScan.create(rig.device, sum, options));
            return new ScanCases.Run(ScanKind.INCLUSIVE, input, null, offset, offset, times).on(rig, scan);
        }
    }

    /** Another device object, other offsets and another number of runs before. */
    @ParameterizedTest
    @EnumSource
    void areTheSameInEveryRun(ComputeRig.Backend backend) {
        int[] input = fractions(SIZE, 5);
        for (ScanOptions options : new ScanOptions[] {ScanOptions.DEFAULT, ScanOptions.DEFAULT.withoutSubgroups()}) {
            int[] first = sums(backend, options, input, 0, 1);
            for (int run = 1; run < 3; run++) {
                assertThat(ScanCases.difference(sums(backend, options, input, run, run), first))
                        .as("run %d, %s", run, options)
                        .isEmpty();
            }
            double exact = 0;
            double worst = 0;
            for (int i = 0; i < SIZE; i++) {
                exact += Float.intBitsToFloat(input[i]);
                worst = Math.max(worst, Math.abs(Float.intBitsToFloat(first[i]) - exact));
            }
            assertThat(worst).as("error of a sum, which is up to %f", exact).isBetween(1e-9, 1.0);
        }
    }

    /** The inputs are such that another order would show. */
    @ParameterizedTest
    @EnumSource
    void dependOnTheOrder(ComputeRig.Backend backend) {
        int[] input = fractions(SIZE, 5);
        int[] small = sums(backend, ScanOptions.DEFAULT.withTile(64, 4), input, 0, 1);
        int[] oneByOne = ScanCases.sequential(ScanOperator.sum(ElementType.F32), ScanKind.INCLUSIVE, input, null);
        assertThat(ScanCases.difference(small, oneByOne)).isNotEmpty();
    }
}
