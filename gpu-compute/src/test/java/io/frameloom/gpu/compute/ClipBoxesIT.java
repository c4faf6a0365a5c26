package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clip boxes of both backends against a stack, bit for bit. */
class ClipBoxesIT {
    private static final int PARTITION = ClipBoxes.PARTITION;
    /** In a drain of so many clips, each of two brackets, each END of a partition ends a clip of another partition. */
    static final int MOST_OWNERS = 2 * 1076 * PARTITION + 1;

    private static final ClipBox VIEWPORT = new ClipBox(-100, -50.5f, 900, 700);
    private static final ClipBox OUTSIDE = new ClipBox(5000, 5000, 6000, 6000);

    private static ClipBoxes clips(ComputeRig rig) {
        StorageLimits limits = StorageLimits.of(rig.device.capabilities());
        return rig.own(ClipBoxes.create(rig.device, limits, BracketMatch.createForPairs(rig.device, true, limits)));
    }

    private static String check(ComputeRig rig, ClipBoxes clips, ClipCases row, ClipEnd end, int offset) {
        return ScanCases.difference(row.run(rig, clips, end, VIEWPORT, offset, 1), row.sequential(end, VIEWPORT));
    }

    @ParameterizedTest
    @EnumSource
    void everySizeThreeTimesWithoutClearing(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ClipBoxes clips = clips(rig);
            for (int size : new int[] {
                0,
                1,
                2,
                7,
                15,
                16,
                17,
                31,
                32,
                33,
                127,
                128,
                129,
                255,
                256,
                PARTITION - 1,
                PARTITION,
                PARTITION + 1,
                2 * PARTITION - 1,
                2 * PARTITION + 1,
                128 * 16 - 1,
                128 * 16 + 1,
                128 * PARTITION + 1
            }) {
                ClipEnd end = ClipEnd.values()[size % 3];
                ClipCases row = ClipCases.nested(BracketCases.mixture(size, size), 0.3, size);
                assertThat(ScanCases.difference(
                                row.run(rig, clips, end, VIEWPORT, size % 5, 3), row.sequential(end, VIEWPORT)))
                        .as("%d elements, %s", size, end)
                        .isEmpty();
            }
        }
    }

    /** In the usual run each nest on one device. */
    @ParameterizedTest
    @EnumSource
    void adversarialNests(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ClipBoxes clips = clips(rig);
            Map<String, boolean[]> cases = BracketCases.adversarial(40_003, PARTITION);
            int number = 0;
            for (Map.Entry<String, boolean[]> one :
                    ComputeRig.Backend.share(List.copyOf(cases.entrySet()), backend.ordinal(), 2)) {
                number++;
                ClipEnd end = ClipEnd.values()[number % 3];
                ClipCases row = ClipCases.nested(one.getValue(), number % 2 * 0.4, number);
                assertThat(check(rig, clips, row, end, number / 3 % 2))
                        .as("%s, %s", one.getKey(), end)
                        .isEmpty();
            }
        }
    }

    /** Seeds of random mixtures; a failure names the seed and the shortest beginning that fails, too. */
    @ParameterizedTest
    @EnumSource
    void mixturesInEveryMode(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ClipBoxes clips = clips(rig);
            for (int seed = 0; seed < TestEffort.of(6, 12); seed++) {
                int number = seed;
                ClipCases row = ClipCases.nested(BracketCases.mixture(1 + seed * 3_571, seed), seed * 0.08, seed);
                for (ClipEnd end : ClipEnd.values()) {
                    assertThat(check(rig, clips, row, end, seed % 2))
                            .as(() -> "seed " + number + ", " + end + ", shortest beginning that fails: "
                                    + shortest(rig, clips, row, end, number % 2))
                            .isEmpty();
                }
            }
        }
    }

    /** Returns how long the shortest beginning is that fails, found by halving. */
    private static int shortest(ComputeRig rig, ClipBoxes clips, ClipCases row, ClipEnd end, int offset) {
        int right = 0;
        int wrong = row.length();
        while (wrong - right > 1) {
            int middle = (right + wrong) >>> 1;
            if (check(rig, clips, row.beginning(middle), end, offset).isEmpty()) {
                right = middle;
            } else {
                wrong = middle;
            }
        }
        return wrong;
    }

    /** Only draws, no draws, and viewports that let everything, nothing and some of it through. */
    @ParameterizedTest
    @EnumSource
    void drawsAndViewports(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ClipBoxes clips = clips(rig);
            for (double draws : new double[] {0, 1}) {
                for (ClipBox viewport : new ClipBox[] {
                    VIEWPORT,
                    OUTSIDE,
                    ClipBox.UNBOUNDED,
                    new ClipBox(-0f, -0f, -0f, -0f),
                    new ClipBox(3, 3, 1, 1),
                    new ClipBox(
                            Float.NEGATIVE_INFINITY,
                            Float.NEGATIVE_INFINITY,
                            Float.POSITIVE_INFINITY,
                            Float.POSITIVE_INFINITY)
                }) {
                    ClipCases row = ClipCases.nested(BracketCases.random(3_000, 0.5, 9), draws, 4);
                    assertThat(ScanCases.difference(
                                    row.run(rig, clips, ClipEnd.AFTER_POP, viewport, 1, 1),
                                    row.sequential(ClipEnd.AFTER_POP, viewport)))
                            .as("draws %s in %s", draws, viewport)
                            .isEmpty();
                }
            }
        }
    }

    /**
     * Two thousand partitions that hang on each other, and as many groups as fit a row and more; in the usual run each nest
     * on one device.
     */
    @ParameterizedTest
    @EnumSource
    void deepForests(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int length = (1 << 20) + 1;
            StorageLimits limits =
                    new StorageLimits(1 << 27, rig.device.capabilities().storageAlignment(), 500, 65_535);
            ClipBoxes clips = rig.own(
                    ClipBoxes.create(rig.device, limits, BracketMatch.createForPairs(rig.device, true, limits)));
            if (backend.takes(ComputeRig.Backend.VULKAN)) {
                ClipCases mountain = ClipCases.nested(BracketCases.of(length, i -> i < length / 2), 0, 1);
                assertThat(check(rig, clips, mountain, ClipEnd.BEFORE_POP, ClipCases.ALIGNED))
                        .as("mountain")
                        .isEmpty();
            }
            if (backend.takes(ComputeRig.Backend.VIRTUAL)) {
                ClipCases mixture = ClipCases.nested(BracketCases.mixture(length, 3), 0.2, 2);
                assertThat(check(rig, clips, mixture, ClipEnd.AFTER_POP, 0))
                        .as("mixture")
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clipsOfAsManyPartitionsAsAPartitionEnds(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ClipCases drain = ClipCases.nested(BracketCases.drain(MOST_OWNERS, PARTITION), 0, 1);
            assertThat(check(rig, clips(rig), drain, ClipEnd.BEFORE_POP, 0)).isEmpty();
        }
    }

    /**
     * Bindings far smaller than the device's: what cuts an element, and what a BEGIN is in, lie in windows before.
     * In the usual run each row has another mode at each length, and is on one device at a time.
     */
    @ParameterizedTest
    @EnumSource
    void windows(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int window = ClipBoxes.WINDOW_STEP;
            int alignment = rig.device.capabilities().storageAlignment();
            StorageLimits limits = new StorageLimits(alignment + 16L * window, alignment, 65_535, 65_535);
            ClipBoxes clips = rig.own(
                    ClipBoxes.create(rig.device, limits, BracketMatch.createForPairs(rig.device, true, limits)));
            int turn = 0;
            int share = backend.ordinal();
            for (int length : new int[] {window, window + 1, 4 * window + 77}) {
                assertThat(length).isLessThanOrEqualTo((int) clips.maxLength());
                int half = length / 2;
                List<ClipCases> rows = List.of(
                        // The last END closes the first BEGIN; with one BEGIN more it stands on one.
                        ClipCases.nested(BracketCases.of(length, i -> i < half), 0, 1),
                        ClipCases.nested(BracketCases.of(length, i -> i <= half), 0, 2),
                        ClipCases.nested(BracketCases.of(length, i -> i < half || i % 7 == 0), 0.3, 3),
                        ClipCases.nested(BracketCases.mixture(length, 4), 0.2, 4));
                for (ClipCases row : ComputeRig.Backend.share(rows, share++ % 2, 2)) {
                    for (ClipEnd end : TestEffort.share(List.of(ClipEnd.values()), turn++ % 3, 3)) {
                        assertThat(ScanCases.difference(
                                        row.run(rig, clips, end, VIEWPORT, 3, 2), row.sequential(end, VIEWPORT)))
                                .as("row %d of %d elements, %s", rows.indexOf(row), length, end)
                                .isEmpty();
                    }
                }
            }
        }
    }

    /** Boxes at multiples of 16 bytes are read and written as a whole, others word by word. */
    @ParameterizedTest
    @EnumSource
    void theFormFollowsWhereBoxesLie(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ClipBoxes clips = clips(rig);
            int alignment = rig.device.capabilities().storageAlignment();
            StorageLimits small = new StorageLimits(alignment + 16L * ClipBoxes.WINDOW_STEP, alignment, 65_535, 65_535);
            ClipBoxes windowed =
                    rig.own(ClipBoxes.create(rig.device, small, BracketMatch.createForPairs(rig.device, true, small)));
            for (int offset = 0; offset < 8; offset++) {
                boolean aligned = offset % 4 == ClipCases.ALIGNED;
                assertThat(forms(rig, clips, 3 * PARTITION + 7, offset))
                        .containsExactly(aligned ? "clip-apply-aligned" : "clip-apply");
            }
            assertThat(forms(rig, windowed, ClipBoxes.WINDOW_STEP + 1, ClipCases.ALIGNED))
                    .containsExactly("clip-apply-inside", "clip-apply-inside");
        }
    }

    /** Checks a row; returns the pipelines of the dispatches that wrote its boxes. */
    private static List<String> forms(ComputeRig rig, ClipBoxes clips, int length, int offset) {
        List<String> forms = new ArrayList<>();
        rig.lists = ChosenDispatches.by(pipeline -> {
            if (pipeline.startsWith("clip-apply")) {
                forms.add(pipeline);
            }
            return true;
        });
        ClipCases row = ClipCases.nested(BracketCases.mixture(length, offset), 0.3, offset);
        assertThat(check(rig, clips, row, ClipEnd.OWN_BOX, offset))
                .as("%d elements, offset %d", length, offset)
                .isEmpty();
        return forms;
    }

    @Test
    void barriersOfWindows() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            StorageLimits limits = new StorageLimits(256 + 16L * ClipBoxes.WINDOW_STEP, 256, 65_535, 65_535);
            ClipBoxes clips = rig.own(
                    ClipBoxes.create(rig.device, limits, BracketMatch.createForPairs(rig.device, true, limits)));
            int length = 2 * ClipBoxes.WINDOW_STEP + 9;
            ClipArguments arguments = ClipBoxesBadInputTest.arguments(rig, clips, length);
            DispatchOrder order = DispatchOrder.of(rig.queue(), list -> clips.record(list, arguments));
            assertThat(order.conflicts()).isEmpty();
            // Windows of brackets, of the matching, of cuts, of plants; jumps over 129 partitions; elements; pairs.
            assertThat(order.dispatches()).isEqualTo(3 + 6 + 3 + 3 + 3 + 3 + 6);
        }
    }

    /** Clips that widen inwards, so that every partition needs what the first one says. */
    @ParameterizedTest
    @EnumSource
    void theOutermostClipReachesTheInnermost(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int count = 67 * PARTITION + 7;
            int[] operations = new int[count];
            float[] boxes = new float[4 * count];
            for (int i = 0; i < count; i++) {
                operations[i] = ClipBoxes.BEGIN;
                for (int w = 0; w < 4; w++) {
                    boxes[4 * i + w] = w < 2 ? -1 - i : 1 + i;
                }
            }
            ClipCases row = new ClipCases(operations, boxes);
            assertThat(check(rig, clips(rig), row, ClipEnd.AFTER_POP, ClipCases.ALIGNED))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatDevicesGetEqualsTheProcessors(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ClipBoxes clips = rig.own(ClipBoxes.create(rig.device));
            ClipCases row = ClipCases.nested(BracketCases.mixture(200_001, 4), 0.5, 6);
            CpuClipBoxes.Result result =
                    CpuClipBoxes.compute(rig.tasks, ClipEnd.OWN_BOX, VIEWPORT, row.operations(), row.boxes());
            assertThat(ScanCases.difference(
                            row.run(rig, clips, ClipEnd.OWN_BOX, VIEWPORT, 2, 1), CpuClipBoxesTest.words(result)))
                    .isEmpty();
        }
    }

    @Test
    void barriers() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            ClipBoxes clips = rig.own(ClipBoxes.create(rig.device));
            int length = 5 * PARTITION;
            ClipArguments arguments = ClipBoxesBadInputTest.arguments(rig, clips, length);
            DispatchOrder order = DispatchOrder.of(rig.queue(), list -> clips.record(list, arguments));
            assertThat(order.conflicts()).isEmpty();
            // Brackets, four of the matching, cut, plant, a jump over five partitions, apply.
            assertThat(order.dispatches()).isEqualTo(9);
            assertThat(order.barriers()).isEqualTo(8);
        }
    }
}
