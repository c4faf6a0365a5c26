package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.testing.TestEffort;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Scans with look-back on both backends against a sequential one, also where tiles are stuck or missing. */
class LookBackScanIT {
    /** Elements of a tile of one-word elements in shared memory, in workgroups of 256. */
    private static final int TILE = 4096;

    private static final List<LookBackTrial> TRIALS = List.of(
            LookBackTrial.NONE,
            LookBackTrial.HALF_STUCK,
            new LookBackTrial("tile % 8u == 0u", false, 16),
            new LookBackTrial("tile != 9u", false, 1),
            new LookBackTrial("true", false, 1),
            new LookBackTrial("", true, 16),
            // Whatever is not there at once is computed by whoever needs it.
            new LookBackTrial("", true, 1),
            new LookBackTrial("tile % 2u == 0u", true, 4));

    private static final Duration LONG = Duration.ofSeconds(100);

    /** Small tiles in registers, so that there are many. */
    private static final ScanOptions REGISTERS =
            ScanOptions.of(ScanVariant.LOOK_BACK).withTile(128, 4);

    private static final ScanOptions SHARED =
            ScanOptions.of(ScanVariant.LOOK_BACK).withoutSubgroups();

    private static Stream<Arguments> forms() {
        return Stream.of(ComputeRig.Backend.values())
                .flatMap(backend -> Stream.of(REGISTERS, SHARED).map(options -> Arguments.of(backend, options)));
    }

    /** In the usual run in registers on one device and in shared memory on the other. */
    private static Stream<Arguments> oneOnEach() {
        return TestEffort.isThorough() || !ComputeRig.Backend.vulkanIsThere()
                ? forms()
                : Stream.of(
                        Arguments.of(ComputeRig.Backend.VULKAN, REGISTERS),
                        Arguments.of(ComputeRig.Backend.VIRTUAL, SHARED));
    }

    /** The number of a form, by which the usual run deals cases out to forms. */
    private static int share(ComputeRig.Backend backend, ScanOptions options) {
        return 2 * backend.ordinal() + (options.equals(REGISTERS) ? 0 : 1);
    }

    /** What applications get: a shape of its own, with larger tiles. */
    private static final ScanOptions SHIPPED = ScanOptions.of(ScanVariant.LOOK_BACK);

    private static int tile(ComputeRig rig, ScanOptions options, ScanOperator operator, boolean segmented) {
        DeviceLimits.Compute limits = rig.device.capabilities().limits().compute();
        return ScanShape.lookBack(operator, segmented, options, limits).tile();
    }

    private static PrefixScan scan(
            ComputeRig rig, ScanOptions options, ScanOperator operator, boolean segmented, LookBackTrial trial) {
        StorageLimits limits = StorageLimits.of(rig.device.capabilities());
        return rig.own(PrefixScan.create(rig.device, operator, segmented, options, limits, trial));
    }

    /** In the usual run one of the large ones on each device. */
    @ParameterizedTest
    @MethodSource("oneOnEach")
    void everySize(ComputeRig.Backend backend, ScanOptions options) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan = scan(rig, options, ScanOperator.sum(ElementType.U32), false, LookBackTrial.NONE);
            assertThat(scan.variant()).isEqualTo(ScanVariant.LOOK_BACK);
            int tile = tile(rig, options, scan.operator(), false);
            List<Integer> sizes = new ArrayList<>(List.of(0, 1, 31, 257, tile - 1, tile, tile + 1));
            sizes.addAll(List.of(2 * tile - 1, 2 * tile + 1, TILE - 1, TILE, TILE + 1, 2 * TILE - 1, 2 * TILE + 1));
            List<Integer> large = List.of(128 * TILE, 256 * TILE + 1, 257 * TILE - 1);
            sizes.addAll(TestEffort.share(large, share(backend, options) % large.size(), large.size()));
            for (int size : sizes) {
                ScanKind kind = size % 2 == 0 ? ScanKind.EXCLUSIVE : ScanKind.INCLUSIVE;
                int[] input = ScanCases.random(scan.operator(), size, size);
                assertThat(new ScanCases.Run(kind, input, null, size % 3, size % 5, 3).difference(rig, scan))
                        .as("%d elements, %s", size, kind)
                        .isEmpty();
            }
        }
    }

    /** No tile stuck on one device and each second on the other; in a thorough run also each eighth, and all but one. */
    private static Stream<Arguments> blocked() {
        return Stream.of(ComputeRig.Backend.values())
                .flatMap(backend ->
                        ComputeRig.Backend.share(TRIALS.subList(0, TestEffort.of(2, 4)), backend.ordinal(), 2).stream()
                                .map(trial -> Arguments.of(backend, trial)));
    }

    @ParameterizedTest
    @MethodSource("blocked")
    void theEdgesOfShippedTiles(ComputeRig.Backend backend, LookBackTrial trial) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan plain = scan(rig, SHIPPED, ScanOperator.sum(ElementType.U32), false, trial);
            PrefixScan segmented = scan(rig, SHIPPED, ScanCases.BICYCLIC, true, trial);
            int tile = tile(rig, SHIPPED, plain.operator(), false);
            int pairs = tile(rig, SHIPPED, segmented.operator(), true);
            for (int beside : new int[] {-1, 0, 1}) {
                for (int tiles : new int[] {1, 2, 11}) {
                    ScanChecks.agree(rig, plain, segmented, tiles * tile + beside, tiles * pairs + beside, 3000, trial);
                }
            }
        }
    }

    /** In the usual run each trial in one form. Nobody publishes for the stuck tiles but who needs them; with all stuck, everybody needs all. */
    @ParameterizedTest
    @MethodSource("forms")
    void stuckAndMissingTiles(ComputeRig.Backend backend, ScanOptions options) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (LookBackTrial trial : ComputeRig.Backend.share(TRIALS, share(backend, options), 4)) {
                int mark = rig.mark();
                PrefixScan plain = scan(rig, options, ScanOperator.sum(ElementType.U32), false, trial);
                PrefixScan segmented = scan(rig, options, ScanCases.BICYCLIC, true, trial);
                for (int size : new int[] {TILE, 8 * TILE, 40 * TILE + 3}) {
                    ScanChecks.agree(rig, plain, segmented, size, size / 4, 3000, trial);
                }
                rig.release(mark);
            }
        }
    }

    /** In the usual run each operator in one form. */
    @ParameterizedTest
    @MethodSource("forms")
    void everyOperator(ComputeRig.Backend backend, ScanOptions options) {
        boolean registers = options.equals(REGISTERS);
        List<ScanOperator> operators = List.of(
                ScanOperator.sum(ElementType.U64),
                ScanOperator.max(ElementType.F32),
                ScanCases.MATRIX,
                ScanCases.BICYCLIC,
                ScanCases.ENDS);
        try (ComputeRig rig = new ComputeRig(backend)) {
            for (ScanOperator operator : ComputeRig.Backend.share(operators, share(backend, options), 4)) {
                operator(rig, options, operator, registers);
                if (TestEffort.isThorough()) {
                    operator(rig, options, operator, !registers);
                }
            }
        }
    }

    private static void operator(ComputeRig rig, ScanOptions options, ScanOperator operator, boolean segmented) {
        int mark = rig.mark();
        PrefixScan scan = scan(rig, options, operator, segmented, LookBackTrial.HALF_STUCK);
        int size = 9 * TILE + 77;
        int[] input = ScanCases.random(operator, size, 9);
        int[] heads = segmented ? ScanCases.heads(size, 5000, 2) : null;
        for (ScanKind kind : ScanKind.values()) {
            assertThat(new ScanCases.Run(kind, input, heads, 3, 5, 1).difference(rig, scan))
                    .as("%s, %s, segmented: %s", operator, kind, segmented)
                    .isEmpty();
        }
        rig.release(mark);
    }

    /** The smallest fall from tile to tile, so that each needs all before it. */
    @ParameterizedTest
    @EnumSource
    void minimaOfSignedWords(ComputeRig.Backend backend) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan = scan(rig, REGISTERS, ScanOperator.min(ElementType.I32), false, LookBackTrial.HALF_STUCK);
            int[] input = ScanCases.random(scan.operator(), 9 * TILE + 77, 3);
            for (int i = 0; i < input.length; i++) {
                input[i] = (input[i] >>> 8) - 300 * i;
            }
            for (ScanKind kind : ScanKind.values()) {
                assertThat(new ScanCases.Run(kind, input, null, 3, 5, 1).difference(rig, scan))
                        .as("%s", kind)
                        .isEmpty();
            }
        }
    }

    /** An operator may call its things as the shaders once called theirs. */
    @ParameterizedTest
    @MethodSource("oneOnEach")
    void namesOfAnOperatorAreItsOwn(ComputeRig.Backend backend, ScanOptions options) {
        StringBuilder glsl = new StringBuilder();
        for (String name : List.of(
                "NONE",
                "TOTAL",
                "PREFIX",
                "MISSING",
                "PARTS",
                "PATIENCE",
                "MOST_PATIENCE",
                "LANES",
                "THREADS",
                "TILE",
                "STATE",
                "COMPONENT_UINT",
                "COMPONENT_INT",
                "COMPONENT_FLOAT")) {
            glsl.append("const uint ").append(name).append(" = 0u;\n");
        }
        glsl.append("uint combine(uint a, uint b) { return a + b + NONE + COMPONENT_UINT; }\n");
        ScanOperator operator = ScanOperator.of(
                "names", ElementType.U32, new int[1], glsl.toString(), (l, i, r, j, v, k) -> v[k] = l[i] + r[j]);
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan = scan(rig, options, operator, true, LookBackTrial.NONE);
            int[] input = ScanCases.random(operator, 5_000, 1);
            int[] heads = ScanCases.heads(5_000, 99, 1);
            assertThat(new ScanCases.Run(ScanKind.INCLUSIVE, input, heads, 0, 0, 1).difference(rig, scan))
                    .isEmpty();
        }
    }

    /** Values that would look like states if they ran into them. */
    @ParameterizedTest
    @MethodSource("oneOnEach")
    void valuesOfAllBits(ComputeRig.Backend backend, ScanOptions options) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan = scan(rig, options, ScanOperator.max(ElementType.U32), false, LookBackTrial.HALF_STUCK);
            for (int value : new int[] {0, 0xFFFF, 0x1_0000, 0x3_FFFF, 0xFFFF_0000, -1}) {
                int[] input = new int[6 * TILE];
                input[7] = value;
                assertThat(ScanCases.Run.of(ScanKind.INCLUSIVE, input).difference(rig, scan))
                        .as("%x", value)
                        .isEmpty();
            }
        }
    }

    /** Eighths, half, all but one and all of the tiles, those at the edges of windows among them. */
    @ParameterizedTest
    @MethodSource("oneOnEach")
    void stuckAndMissingTilesAcrossWindows(ComputeRig.Backend backend, ScanOptions options) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            int alignment = rig.device.capabilities().storageAlignment();
            for (LookBackTrial trial : TestEffort.share(TRIALS, 3 - share(backend, options), 8)) {
                int mark = rig.mark();
                StorageLimits limits = new StorageLimits(alignment + 5 * TILE * 4L, alignment, 3, 65_535);
                ScanOperator sum = ScanOperator.sum(ElementType.U32);
                PrefixScan plain = rig.own(PrefixScan.create(rig.device, sum, false, options, limits, trial));
                PrefixScan segmented =
                        rig.own(PrefixScan.create(rig.device, ScanCases.BICYCLIC, true, options, limits, trial));
                int size = 12 * TILE + 3;
                ScanChecks.agree(rig, plain, segmented, size, size, 20_000, trial);
                rig.release(mark);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("oneOnEach")
    void windowsAndRowsOfGroups(ComputeRig.Backend backend, ScanOptions options) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            ScanChecks.windowsAndRowsOfGroups(rig, options, LookBackTrial.NONE, TILE, 30);
        }
    }

    /** What tiles publish lies in one binding, unlike what is scanned. */
    @Test
    void moreThanABindingOfPublishedTilesIsRefused() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            int alignment = rig.device.capabilities().storageAlignment();
            StorageLimits limits = new StorageLimits(4096, alignment, 1, 1);
            ScanOperator sum = ScanOperator.sum(ElementType.U32);
            PrefixScan scan = rig.own(PrefixScan.create(rig.device, sum, false, REGISTERS, limits, LookBackTrial.NONE));
            // Windows of one tile of 512 elements: a ticket and two words for each are 12 bytes.
            int most = 4096 / 12 * 512;
            int[] input = ScanCases.random(sum, most, 4);
            assertThat(ScanCases.Run.of(ScanKind.EXCLUSIVE, input).difference(rig, scan))
                    .isEmpty();
            BufferRange from = rig.upload(new int[most + 1], 0);
            BufferRange to = new BufferRange(rig.storage("output", from.bytes()), 0, from.bytes());
            BufferRange scratch = rig.scratch(scan.scratchBytes(most + 1));
            ScanArguments more = new ScanArguments(ScanKind.EXCLUSIVE, most + 1, from, to, scratch);
            CommandList untouched = (CommandList) Proxy.newProxyInstance(
                    CommandList.class.getClassLoader(), new Class<?>[] {CommandList.class}, (proxy, method, given) -> {
                        throw new AssertionError("it records " + method.getName());
                    });
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> scan.record(untouched, more))
                    .withMessageContainingAll(
                            "prefix scan 'sum-u32' of " + (most + 1) + " elements cannot look back",
                            "its 342 tiles publish takes 4104 bytes",
                            "has 4096",
                            "withTile",
                            "REDUCE_THEN_SCAN");
            assertThatIllegalArgumentException().isThrownBy(() -> scan.uses(more));
            // In place it does not look back.
            assertThat(scan.uses(new ScanArguments(ScanKind.EXCLUSIVE, most + 1, to, to, scratch)))
                    .hasSize(2);
        }
    }

    /** One that has chosen by itself to look back has the other form, which takes any length. */
    @Test
    void moreThanABindingOfPublishedTilesIsReducedWhereNobodyAskedToLookBack() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            int alignment = rig.device.capabilities().storageAlignment();
            StorageLimits limits = new StorageLimits(4096, alignment, 1, 1);
            ScanOperator sum = ScanOperator.sum(ElementType.U32);
            ScanOptions auto =
                    ScanOptions.of(ScanVariant.AUTO).withTile(REGISTERS.threads(), REGISTERS.itemsPerThread());
            PrefixScan scan = rig.own(PrefixScan.create(rig.device, sum, false, auto, limits, LookBackTrial.NONE));
            PrefixScan reducing = rig.own(PrefixScan.create(rig.device, sum, false, auto, limits, null));
            assertThat(scan.variant()).isEqualTo(ScanVariant.LOOK_BACK);
            int most = 4096 / 12 * 512;
            for (int length : new int[] {most, most + 1}) {
                assertThat(ScanCases.Run.of(ScanKind.EXCLUSIVE, ScanCases.random(sum, length, 4))
                                .difference(rig, scan))
                        .as("%d elements", length)
                        .isEmpty();
            }
            assertThat(scan.scratchBytes(most)).isGreaterThan(reducing.scratchBytes(most));
            assertThat(scan.scratchBytes(most + 1)).isEqualTo(reducing.scratchBytes(most + 1));
        }
    }

    /** What a stuck tile's place needs is read a second time, so in place it must be done the other way. */
    @ParameterizedTest
    @MethodSource("oneOnEach")
    void inPlaceItReducesAndThenScans(ComputeRig.Backend backend, ScanOptions options) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            PrefixScan scan = scan(rig, options, ScanOperator.sum(ElementType.U32), false, LookBackTrial.HALF_STUCK);
            ScanArguments arguments = ScanChecks.inPlace(rig, scan, 9 * TILE + 9, null);
            DispatchOrder order = DispatchOrder.of(rig.queue(), list -> scan.record(list, arguments));
            assertThat(order.dispatches()).isGreaterThan(2);
        }
    }

    @Test
    void oneDispatchBehindOneThatClears() {
        ScanOptions options = ScanOptions.of(ScanVariant.LOOK_BACK);
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            PrefixScan scan = scan(rig, options, ScanOperator.sum(ElementType.U32), false, LookBackTrial.NONE);
            int length = 5_000_000;
            BufferRange input = new BufferRange(rig.storage("input", 4L * length), 0, 4L * length);
            BufferRange output = new BufferRange(rig.storage("output", 4L * length), 0, 4L * length);
            long bytes = scan.scratchBytes(length);
            BufferRange scratch = new BufferRange(rig.storage("scratch", bytes), 0, bytes);
            DispatchOrder order = DispatchOrder.of(
                    rig.queue(),
                    list -> scan.record(list, new ScanArguments(ScanKind.INCLUSIVE, length, input, output, scratch)));
            assertThat(order.conflicts()).isEmpty();
            assertThat(order.dispatches()).isEqualTo(2);
            assertThat(order.barriers()).isEqualTo(1);
        }
    }

    private static ScanVariant auto(ComputeRig rig, ScanOperator operator, ScanOptions options) {
        return rig.own(PrefixScan.create(rig.device, operator, options)).variant();
    }

    @Test
    void autoLooksBackOnASoftwareDriverThatPasses() {
        ScanOptions options = ScanOptions.of(ScanVariant.AUTO);
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            assumeTrue(rig.device.capabilities().kind() == DeviceKind.CPU, "a GPU with its own memory");
            ScanOperator sum = ScanOperator.sum(ElementType.U32);
            for (boolean segmented : new boolean[] {false, true}) {
                assertThat(LookBackSelfTest.passes(
                                rig.device, sum, segmented, options, (timeline, value) -> timeline.await(value, LONG)))
                        .isTrue();
            }
            PrefixScan scan = rig.own(PrefixScan.createSegmented(rig.device, sum, ScanOptions.of(ScanVariant.AUTO)));
            assertThat(scan.variant()).isEqualTo(ScanVariant.LOOK_BACK);
            int[] input = ScanCases.random(sum, 3 * TILE, 1);
            int[] heads = ScanCases.heads(3 * TILE, 700, 1);
            assertThat(new ScanCases.Run(ScanKind.INCLUSIVE, input, heads, 0, 0, 1).difference(rig, scan))
                    .isEmpty();
            assertThat(auto(rig, ScanOperator.min(ElementType.F32), options)).isEqualTo(ScanVariant.LOOK_BACK);
            assertThat(auto(rig, ScanOperator.sum(ElementType.F32), options)).isEqualTo(ScanVariant.REDUCE_THEN_SCAN);
            assertThat(auto(rig, sum, options.withoutSubgroups())).isEqualTo(ScanVariant.REDUCE_THEN_SCAN);
        }
    }

    @Test
    void autoReducesAndThenScansOnASoftwareDriverThatDoesNot() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            ScanOptions options = ScanOptions.of(ScanVariant.AUTO);
            ScanOperator sum = ScanOperator.sum(ElementType.U32);
            LookBackSelfTest.decide(rig.device, LookBackSelfTest.kind(rig.device, sum, false, options), false);
            assertThat(auto(rig, sum, options)).isEqualTo(ScanVariant.REDUCE_THEN_SCAN);
        }
    }

    @Test
    void autoReducesAndThenScansElsewhere() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            assertThat(auto(rig, ScanOperator.sum(ElementType.U32), ScanOptions.of(ScanVariant.AUTO)))
                    .isEqualTo(ScanVariant.REDUCE_THEN_SCAN);
        }
    }

    /** Whoever computes a missing total must get the bits that its own workgroup would. */
    @Test
    void sumsOfFloatsDoNotLookBack() {
        ScanOperator own = ScanOperator.of(
                "product",
                ElementType.F32,
                new int[] {Float.floatToRawIntBits(1)},
                "float combine(float a, float b)" + " { return a * b; }",
                (l, i, r, j, t, k) ->
                        t[k] = Float.floatToRawIntBits(Float.intBitsToFloat(l[i]) * Float.intBitsToFloat(r[j])));
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VIRTUAL)) {
            for (ScanOperator operator : List.of(own, ScanOperator.sum(ElementType.F32))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(
                                () -> PrefixScan.create(rig.device, operator, ScanOptions.of(ScanVariant.LOOK_BACK)))
                        .withMessageContaining(operator.name())
                        .withMessageContaining("REDUCE_THEN_SCAN");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("oneOnEach")
    void randomLengthsAndTrials(ComputeRig.Backend backend, ScanOptions options) {
        try (ComputeRig rig = new ComputeRig(backend)) {
            SplittableRandom random = new SplittableRandom(21);
            for (int i = 0; i < TestEffort.of(3, 6); i++) {
                int mark = rig.mark();
                LookBackTrial trial = TRIALS.get(random.nextInt(TRIALS.size()));
                PrefixScan scan = scan(rig, options, ScanOperator.sum(ElementType.U32), false, trial);
                int size = random.nextInt(60 * TILE);
                int[] input = ScanCases.random(scan.operator(), size, i);
                assertThat(new ScanCases.Run(ScanKind.values()[i % 2], input, null, 0, 0, 1).difference(rig, scan))
                        .as("%d elements, %s", size, trial)
                        .isEmpty();
                rig.release(mark);
            }
        }
    }
}
