package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random scans and compactions; a failure names the seed and the shortest beginning that fails, too. */
@Timeout(120)
class ScanFuzzTest {
    private static final int SEEDS = 12;
    private static final int MOST = 50_000;

    /** Returns the length of the shortest beginning that fails, found by halving, and how it does. */
    private static String shortest(int length, IntFunction<String> check) {
        int right = 0;
        int wrong = length;
        while (wrong - right > 1) {
            int middle = (right + wrong) >>> 1;
            if (check.apply(middle).isEmpty()) {
                right = middle;
            } else {
                wrong = middle;
            }
        }
        return wrong + " elements: " + check.apply(wrong);
    }

    private static void holds(int seed, int length, IntFunction<String> check) {
        assertThat(check.apply(length))
                .as(() -> "seed " + seed + ", shortest beginning that fails: " + shortest(length, check))
                .isEmpty();
    }

    @Test
    void theShortestFailureIsFound() {
        assertThat(shortest(1000, length -> length < 77 ? "" : "wrong")).isEqualTo("77 elements: wrong");
        assertThat(shortest(1000, length -> length < 1000 ? "" : "wrong")).isEqualTo("1000 elements: wrong");
    }

    private record Case(
            ScanOperator operator,
            boolean segmented,
            ScanOptions options,
            @Nullable LookBackTrial trial) {
        static Case of(SplittableRandom random) {
            List<ScanOperator> operators = List.of(
                    ScanOperator.sum(ElementType.U32),
                    ScanOperator.max(ElementType.F32),
                    ScanOperator.sum(ElementType.U64),
                    ScanCases.BICYCLIC,
                    ScanCases.ENDS);
            ScanOptions options = ScanOptions.DEFAULT.withTile(32 << random.nextInt(4), 4 << random.nextInt(2));
            int modulus = 1 + random.nextInt(9);
            LookBackTrial trial = new LookBackTrial(
                    "tile % " + modulus + "u == 0u",
                    tile -> tile % modulus == 0,
                    random.nextBoolean(),
                    random.nextInt(5));
            return new Case(
                    operators.get(random.nextInt(operators.size())),
                    random.nextBoolean(),
                    random.nextInt(3) == 0 ? options.withoutSubgroups() : options,
                    random.nextBoolean() ? trial : null);
        }
    }

    @ParameterizedTest
    @EnumSource
    void scans(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            StorageLimits limits = StorageLimits.of(rig.device.capabilities());
            for (int seed = 0; seed < SEEDS; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                Case drawn = Case.of(random);
                int mark = rig.mark();
                PrefixScan scan = rig.own(PrefixScan.create(
                        rig.device, drawn.operator, drawn.segmented, drawn.options, limits, drawn.trial));
                int length = 1 + random.nextInt(MOST);
                int words = drawn.operator.type().words();
                int[] input = ScanCases.random(drawn.operator, length, seed);
                int[] heads = ScanCases.heads(length, 1 + random.nextInt(5_000), seed);
                ScanKind kind = ScanKind.values()[random.nextInt(2)];
                holds(seed, length, beginning -> {
                    int[] part = Arrays.copyOf(input, beginning * words);
                    int[] flags = drawn.segmented ? Arrays.copyOf(heads, (beginning + 31) / 32) : null;
                    return ScanCases.difference(
                            new ScanCases.Run(kind, part, flags, 1, 2, 1).on(rig, scan),
                            ScanCases.sequential(drawn.operator, kind, part, flags));
                });
                rig.release(mark);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void compactions(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int alignment = rig.device.capabilities().storageAlignment();
            for (int seed = 0; seed < SEEDS; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                ElementType type = ElementType.values()[random.nextInt(ElementType.values().length)];
                StorageLimits limits =
                        new StorageLimits(alignment + 4096L * (1 + random.nextInt(40)), alignment, 65_535, 65_535);
                int mark = rig.mark();
                StreamCompaction compaction = rig.own(StreamCompaction.create(rig.device, type, limits));
                int length = 1 + random.nextInt(MOST / 2);
                int[] keep = ScanCases.heads(length, 1 + random.nextInt(9), seed);
                holds(seed, length, beginning -> StreamCompactionTest.difference(rig, compaction, beginning, keep));
                rig.release(mark);
            }
        }
    }
}
