package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.testing.BackLinks;
import io.frameloom.testing.TestEffort;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Matchings of both backends against a sequential one, bit for bit. */
class BracketMatchIT {
    private static final int SECTION = 1024;

    /** In a drain of so many brackets each close of a section closes an open of another section. */
    private static final int MOST_OWNERS = 2 * 1076 * SECTION + 1;

    /** With subgroups, where the device has them, and without. */
    private static final boolean[] SUBGROUPS = {true, false};

    private static BracketMatch match(ComputeRig rig, BracketInput input, boolean subgroups) {
        return rig.own(BracketMatch.create(rig.device, input, subgroups, StorageLimits.of(rig.device.capabilities())));
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

    /** What everything is compared with is held against another definition of the same. */
    @Test
    void theOracleFindsPreviousSmallerValues() {
        BracketCases.adversarial(20_003, SECTION)
                .forEach((name, opens) -> assertThat(ScanCases.difference(
                                BracketCases.sequential(opens), BracketCases.previousSmaller(opens)))
                        .as(name)
                        .isEmpty());
        for (int seed = 0; seed < 30; seed++) {
            boolean[] opens = BracketCases.mixture(5_000, seed);
            assertThat(ScanCases.difference(BracketCases.sequential(opens), BracketCases.previousSmaller(opens)))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    /** Names say what inputs are: chains of links are there, and of each partition one open stays. */
    @Test
    void inputsAreWhatTheirNamesSay() {
        boolean[] chains = BracketCases.adversary(1 << 18, 256);
        assertThat(BackLinks.count(chains.length, i -> chains[i], 256)).isEqualTo(new BackLinks(48_768, 128));
        boolean[] shorter = BracketCases.adversary(100_003, SECTION);
        assertThat(BackLinks.count(shorter.length, i -> shorter[i], SECTION).longestChain())
                .isEqualTo(42);
        boolean[] drained = BracketCases.drain(8 * SECTION, SECTION);
        int[] links = BracketCases.sequential(drained);
        for (int closed = 0; closed < 4; closed++) {
            int section = 3 - closed;
            assertThat(links[4 * SECTION + closed]).isEqualTo(section * SECTION + section % 2);
        }
        assertThat(links[4 * SECTION + 4]).isEqualTo(BracketMatch.NONE);
        assertThat(BracketCases.mostOwners(BracketCases.drain(MOST_OWNERS, SECTION), SECTION))
                .isEqualTo(SECTION);
        assertThat(BracketCases.mostOwners(
                        BracketCases.drain(ClipBoxesIT.MOST_OWNERS, ClipBoxes.PARTITION), ClipBoxes.PARTITION))
                .isEqualTo(ClipBoxes.PARTITION);
        boolean[] dyck = BracketCases.dyck(50_000);
        assertThat(BracketCases.sequential(dyck))
                .as("nothing but the first element is on an empty stack")
                .containsOnlyOnce(BracketMatch.NONE);
    }

    @ParameterizedTest
    @EnumSource
    void everySize(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (boolean subgroups : SUBGROUPS) {
                BracketMatch match = match(rig, BracketInput.WORDS, subgroups);
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
                    63,
                    SECTION - 33,
                    SECTION - 1,
                    SECTION,
                    SECTION + 1,
                    2 * SECTION - 1,
                    2 * SECTION + 1,
                    32 * SECTION - 1,
                    32 * SECTION,
                    32 * SECTION + 1
                }) {
                    boolean[] opens = BracketCases.mixture(size, size);
                    assertThat(ScanCases.difference(
                                    BracketCases.run(rig, match, opens, size % 3, size % 5, 3),
                                    BracketCases.sequential(opens)))
                            .as("%d elements, subgroups %s", size, subgroups)
                            .isEmpty();
                }
            }
        }
    }

    /** Trees of three levels; in the usual run each input on one device, every second one as long. */
    @ParameterizedTest
    @EnumSource
    void adversarialInputs(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            adversarial(rig, true, 1_100_003, 2 * backend.ordinal(), 4);
            adversarial(rig, true, 100_003, 2 * backend.ordinal() + 1, 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void adversarialInputsWithoutSubgroups(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            adversarial(rig, false, 100_003, 1 - backend.ordinal(), 2);
        }
    }

    private static void adversarial(ComputeRig rig, boolean subgroups, int length, int share, int shares) {
        BracketMatch match = match(rig, BracketInput.BITS, subgroups);
        Map<String, boolean[]> cases = BracketCases.adversarial(length, SECTION);
        for (Map.Entry<String, boolean[]> each :
                ComputeRig.Backend.share(List.copyOf(cases.entrySet()), share, shares)) {
            assertThat(check(rig, match, each.getValue())).as(each.getKey()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void opensOfAsManySectionsAsASectionCloses(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            BracketMatch match = match(rig, BracketInput.BITS, true);
            assertThat(check(rig, match, BracketCases.drain(MOST_OWNERS, SECTION)))
                    .isEmpty();
        }
    }

    /**
     * More sections than one tile of the scan of depths, and more than one node on top of the tree; in the usual run each
     * input on one device.
     */
    @ParameterizedTest
    @EnumSource
    void manySections(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            BracketMatch match = match(rig, BracketInput.BITS, true);
            int length = 4097 * SECTION + 257;
            // The most that one workgroup scans the depths of.
            int most = 1024 * SECTION;
            Map<String, boolean[]> cases = new LinkedHashMap<>();
            cases.put("mountain", BracketCases.of(length, i -> i < length / 2));
            cases.put("mixture", BracketCases.mixture(length, 5));
            cases.put("mixture of 1024 sections but for one bracket", BracketCases.mixture(most - 1, 6));
            cases.put("mountain of 1024 sections", BracketCases.of(most, i -> i < most / 2));
            for (Map.Entry<String, boolean[]> each :
                    ComputeRig.Backend.share(List.copyOf(cases.entrySet()), backend.ordinal(), 2)) {
                assertThat(check(rig, match, each.getValue())).as(each.getKey()).isEmpty();
            }
        }
    }

    /** In the usual run each size on one device. */
    @ParameterizedTest
    @EnumSource
    void workgroupsOfEverySize(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            DeviceLimits.Compute limits = rig.device.capabilities().limits().compute();
            int most = Math.min(limits.maxInvocations(), limits.maxGroupSize().x());
            List<Integer> sizes = List.of(32, 64, 96, 256, 512, most / 32 * 32);
            for (int threads : ComputeRig.Backend.share(sizes, backend.ordinal(), 2)) {
                BracketMatch match = rig.own(BracketMatch.create(rig.device, BracketInput.WORDS, threads));
                assertThat(match.sectionGroup()).isEqualTo(BracketMatch.sizesSections(rig.device) ? threads / 32 : 1);
                for (int length : new int[] {threads * 32 - 1, threads * 32 + 1, 41 * SECTION + 5}) {
                    assertThat(check(rig, match, BracketCases.mixture(length, threads)))
                            .as("%d brackets, workgroups of %d", length, threads)
                            .isEmpty();
                }
            }
            for (int wrong : new int[] {0, -32, 16, 100, most / 32 * 32 + 32}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> BracketMatch.create(rig.device, BracketInput.WORDS, wrong))
                        .withMessageContainingAll("bracket match", "multiple of 32", "got " + wrong);
            }
        }
    }

    /**
     * Bindings far smaller than the device's: links lead into slices of windows before. In the usual run each kind of input
     * is on one device.
     */
    @ParameterizedTest
    @EnumSource
    void windows(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int window = 64 * SECTION;
            int alignment = rig.device.capabilities().storageAlignment();
            StorageLimits limits = new StorageLimits(alignment + 4L * window, alignment, 65_535, 65_535);
            for (BracketInput input : ComputeRig.Backend.share(List.of(BracketInput.values()), backend.ordinal(), 2)) {
                BracketMatch match = rig.own(BracketMatch.create(rig.device, input, true, limits));
                int length = 4 * window + 77;
                assertThat(DispatchOrder.of(rig.queue(), list -> record(rig, match, list, length))
                                .dispatches())
                        .as("5 windows to pack and 5 to link, a tree, the opens under the words")
                        .isEqualTo(5 + 5 + 1 + 1);
                for (boolean[] opens : new boolean[][] {
                    BracketCases.of(length, i -> i < length / 2),
                    BracketCases.of(length, i -> i < window || i >= 3 * window),
                    BracketCases.mixture(length, 7),
                    BracketCases.mixture(window, 8),
                    BracketCases.mixture(window + 1, 9)
                }) {
                    assertThat(ScanCases.difference(
                                    BracketCases.run(rig, match, opens, 3, 5, 2), BracketCases.sequential(opens)))
                            .as("%s", input)
                            .isEmpty();
                }
            }
        }
    }

    private static void record(ComputeRig rig, BracketMatch match, CommandList list, int length) {
        long bytes = match.scratchBytes(length);
        match.record(
                list,
                new BracketArguments(
                        length,
                        new BufferRange(rig.storage("input", 4L * length), 0, 4L * length),
                        new BufferRange(rig.storage("links", 4L * length), 0, 4L * length),
                        new BufferRange(rig.storage("scratch", bytes), 0, bytes)));
    }

    @ParameterizedTest
    @EnumSource
    void everyInput(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (BracketInput input : BracketInput.values()) {
                BracketMatch match = match(rig, input, true);
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
            BracketMatch match = rig.own(BracketMatch.create(rig.device, BracketInput.WORDS, true, limits));
            assertThat(check(rig, match, BracketCases.mixture(9 * SECTION, 1))).isEmpty();
            assertThat(check(rig, match, BracketCases.random(300 * SECTION + 1, 0.5, 2)))
                    .isEmpty();
        }
    }

    /** Seeds of random mixtures; a failure names the seed and the shortest beginning that fails, too. */
    @ParameterizedTest
    @EnumSource
    void mixtures(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            BracketMatch match = match(rig, BracketInput.BITS, true);
            for (int seed = 0; seed < TestEffort.of(8, 30); seed++) {
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
