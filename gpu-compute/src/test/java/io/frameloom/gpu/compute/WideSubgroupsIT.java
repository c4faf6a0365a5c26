package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.testing.TestEffort;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done in subgroups of 32, several sections to a workgroup, on a driver that has none of that size. */
class WideSubgroupsIT {
    private static final int SECTION = 1024;
    private static final ClipBox VIEWPORT = new ClipBox(0, 0, 1000, 1000);

    /** With and without the Vulkan memory model, which devices with such subgroups mostly have. */
    private static GpuDevice wide(ComputeRig rig, boolean model) {
        assumeTrue(rig.device.capabilities().name().contains("llvmpipe"), "made for lavapipe");
        assertThat(rig.device.capabilities().limits().compute().vulkanMemoryModel())
                .isTrue();
        WideSubgroups wide = new WideSubgroups(rig.device, model);
        rig.lists = wide::list;
        return wide.device();
    }

    private static Stream<Arguments> inputs() {
        return Stream.of(BracketInput.values())
                .flatMap(input -> TestEffort.isThorough()
                        ? Stream.of(Arguments.of(input, false), Arguments.of(input, true))
                        : Stream.of(Arguments.of(input, input == BracketInput.BYTES)));
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void brackets(BracketInput input, boolean model) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            StorageLimits limits = StorageLimits.of(rig.device.capabilities());
            BracketMatch match = rig.own(BracketMatch.create(wide(rig, model), input, true, limits));
            assertThat(match.sectionDefines())
                    .containsEntry("BRACKET_LANES", "32")
                    .containsEntry("GROUP_SECTIONS", "4");
            for (int size : new int[] {1, 33, SECTION, SECTION + 1, 3 * SECTION + 7, 5 * SECTION, 40 * SECTION + 1}) {
                boolean[] opens = BracketCases.mixture(size, size);
                assertThat(ScanCases.difference(
                                BracketCases.run(rig, match, opens, size % 3, size % 5, 2),
                                BracketCases.sequential(opens)))
                        .as("%d elements", size)
                        .isEmpty();
            }
            for (Map.Entry<String, boolean[]> one :
                    BracketCases.adversarial(20_003, SECTION).entrySet()) {
                assertThat(ScanCases.difference(
                                BracketCases.run(rig, match, one.getValue(), 0, 0, 1),
                                BracketCases.sequential(one.getValue())))
                        .as(one.getKey())
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clips(boolean model) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            ClipBoxes clips = rig.own(ClipBoxes.create(wide(rig, model)));
            for (int size : new int[] {1, 512, 513, 7_001, 40_000}) {
                ClipEnd end = ClipEnd.values()[size % 3];
                ClipCases row = ClipCases.nested(BracketCases.mixture(size, size), 0.3, size);
                assertThat(ScanCases.difference(
                                row.run(rig, clips, end, VIEWPORT, size % 5, 2), row.sequential(end, VIEWPORT)))
                        .as("%d elements, %s", size, end)
                        .isEmpty();
            }
        }
    }

    /**
     * Tiles of several such subgroups; with look-back of one, since it looks back while others wait. In the usual run each
     * operator in one memory model, and in each run with or without segments. Of the largest elements in the Vulkan memory
     * model some tiles are always stuck: Mesa 25 compiles the other shader for more than minutes.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void scans(boolean model) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            GpuDevice device = wide(rig, model);
            boolean segmented = model;
            List<ScanOperator> operators =
                    List.of(ScanOperator.sum(ElementType.U32), ScanCases.BICYCLIC, ScanCases.ENDS);
            List<LookBackTrial> all = List.of(LookBackTrial.HALF_STUCK, LookBackTrial.NONE);
            for (ScanOperator operator : TestEffort.share(operators, model ? 1 : 0, 2)) {
                scan(rig, device, operator, segmented, ScanOptions.DEFAULT.withTile(128, 8), null);
                boolean slow = model && operator.equals(ScanCases.ENDS);
                for (LookBackTrial trial : slow ? all.subList(0, 1) : TestEffort.share(all, 0, 2)) {
                    scan(rig, device, operator, segmented, ScanOptions.DEFAULT.withTile(32, 8), trial);
                }
                segmented = !segmented;
            }
        }
    }

    private static void scan(
            ComputeRig rig,
            GpuDevice device,
            ScanOperator operator,
            boolean segmented,
            ScanOptions options,
            @Nullable LookBackTrial trial) {
        DeviceLimits.Compute limits = device.capabilities().limits().compute();
        assertThat(ScanShape.reduceThenScan(operator, segmented, options, limits)
                        .lanes())
                .isEqualTo(32);
        int mark = rig.mark();
        StorageLimits storage = StorageLimits.of(device.capabilities());
        PrefixScan scan = rig.own(PrefixScan.create(device, operator, segmented, options, storage, trial));
        int tile = options.threads() * options.itemsPerThread();
        for (int size : new int[] {1, 33, tile - 1, tile, tile + 1, 9 * tile + 5}) {
            ScanKind kind = ScanKind.values()[size % 2];
            int[] input = ScanCases.random(operator, size, size);
            int[] heads = segmented ? ScanCases.heads(size, 50, 3) : null;
            ScanCases.Run run = new ScanCases.Run(kind, input, heads, size % 4, size % 3, 2);
            assertThat(run.difference(rig, scan))
                    .as("%d elements, %s, %s, %s, segmented %s", size, operator, kind, trial, segmented)
                    .isEmpty();
        }
        rig.release(mark);
    }
}
