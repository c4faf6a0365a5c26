package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Matchings of both backends against a sequential one, bit for bit. */
@Timeout(120)
class BracketMatchTest {
    /** Threads of a workgroup: few, so that short inputs have many partitions, and those that devices get. */
    private static final int[] THREADS = {8, 64, 128};

    private static BracketMatch match(ComputeRig rig, BracketInput input, int threads) {
        return rig.own(BracketMatch.create(rig.device, input, threads, StorageLimits.of(rig.device.capabilities())));
    }

    private static String check(ComputeRig rig, BracketMatch match, boolean[] opens) {
        return ScanCases.difference(BracketCases.run(rig, match, opens, 0, 0, 1), BracketCases.sequential(opens));
    }

    @Test
    void theExampleOfThePost() {
        boolean[] opens = new boolean[18];
        String row = "((()((())(()()))))";
        for (int i = 0; i < opens.length; i++) {
            opens[i] = row.charAt(i) == '(';
        }
        assertThat(BracketCases.sequential(opens))
                .containsExactly(-1, 0, 1, 2, 1, 4, 5, 6, 5, 4, 9, 10, 9, 11 + 1, 9, 4, 1, 0);
    }

    @ParameterizedTest
    @EnumSource
    void everySize(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (int threads : THREADS) {
                int p = threads * 32;
                BracketMatch match = match(rig, BracketInput.WORDS, threads);
                for (int size : new int[] {
                    0,
                    1,
                    2,
                    7,
                    8,
                    9,
                    31,
                    32,
                    33,
                    p - 33,
                    p - 1,
                    p,
                    p + 1,
                    2 * p - 1,
                    2 * p + 1,
                    128 * p / 4 - 1,
                    128 * p / 4,
                    128 * p / 4 + 1
                }) {
                    boolean[] opens = BracketCases.mixture(size, size);
                    assertThat(ScanCases.difference(
                                    BracketCases.run(rig, match, opens, size % 3, size % 5, 3),
                                    BracketCases.sequential(opens)))
                            .as("%d elements, %d threads", size, threads)
                            .isEmpty();
                }
            }
        }
    }

    /** With partitions of 256 elements: hundreds of them, and trees of more than one dispatch. */
    @ParameterizedTest
    @EnumSource
    void adversarialInputs(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            adversarial(rig, 8, 150_001);
        }
    }

    @ParameterizedTest
    @EnumSource
    void adversarialInputsOfLargePartitions(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            adversarial(rig, 128, 100_003);
        }
    }

    private static void adversarial(ComputeRig rig, int threads, int length) {
        BracketMatch match = match(rig, BracketInput.BITS, threads);
        Map<String, boolean[]> cases = BracketCases.adversarial(length, threads * 32);
        cases.forEach(
                (name, opens) -> assertThat(check(rig, match, opens)).as(name).isEmpty());
    }

    /** More partitions than one tile of the scan of depths, and three dispatches for the tree. */
    @ParameterizedTest
    @EnumSource
    void manyPartitions(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            BracketMatch match = match(rig, BracketInput.BITS, 8);
            int length = 128 * 128 * 256 + 257;
            assertThat(check(rig, match, BracketCases.of(length, i -> i < length / 2)))
                    .as("mountain")
                    .isEmpty();
            assertThat(check(rig, match, BracketCases.mixture(length, 5)))
                    .as("mixture")
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyInput(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (BracketInput input : BracketInput.values()) {
                BracketMatch match = match(rig, input, 64);
                for (int length : new int[] {1, 3, 2049, 70_003}) {
                    boolean[] opens = BracketCases.mixture(length, 11);
                    assertThat(ScanCases.difference(
                                    BracketCases.run(rig, match, opens, 5, 3, 1), BracketCases.sequential(opens)))
                            .as("%d %s", length, input)
                            .isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsOfGroups(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            StorageLimits limits =
                    new StorageLimits(1 << 27, rig.device.capabilities().storageAlignment(), 7, 65_535);
            BracketMatch match = rig.own(BracketMatch.create(rig.device, BracketInput.WORDS, 8, limits));
            assertThat(check(rig, match, BracketCases.mixture(9 * 256, 1))).isEmpty();
            assertThat(check(rig, match, BracketCases.random(300 * 256 + 1, 0.5, 2)))
                    .isEmpty();
        }
    }

    /** Seeds of random mixtures; a failure names the seed and the shortest beginning that fails, too. */
    @ParameterizedTest
    @EnumSource
    void mixtures(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            BracketMatch match = match(rig, BracketInput.BITS, 8);
            for (int seed = 0; seed < 30; seed++) {
                boolean[] opens = BracketCases.mixture(1 + (seed * 7919) % 40_000, seed);
                String difference = check(rig, match, opens);
                assertThat(difference)
                        .as(() -> "shortest beginning that fails: " + shortest(rig, match, opens))
                        .isEmpty();
            }
        }
    }

    /** Returns how long the shortest beginning is whose last link is wrong, found by halving. */
    private static int shortest(ComputeRig rig, BracketMatch match, boolean[] opens) {
        int right = 0;
        int wrong = opens.length;
        while (wrong - right > 1) {
            int middle = (right + wrong) >>> 1;
            if (check(rig, match, Arrays.copyOf(opens, middle)).isEmpty()) {
                right = middle;
            } else {
                wrong = middle;
            }
        }
        return wrong;
    }

    @ParameterizedTest
    @EnumSource
    void whatDevicesGetEqualsTheProcessors(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            BracketMatch match = rig.own(BracketMatch.create(rig.device, BracketInput.BYTES));
            boolean[] opens = BracketCases.mixture((1 << 20) + 1, 4);
            int[] links = CpuBracketMatch.match(
                    rig.tasks, BracketInput.BYTES, BracketCases.pack(BracketInput.BYTES, opens), opens.length);
            assertThat(ScanCases.difference(BracketCases.run(rig, match, opens, 1, 1, 1), links))
                    .isEmpty();
        }
    }
}
