package io.frameloom.stress.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.StuckTiles;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ClassDigest;
import io.frameloom.testing.TestEffort;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Small sizes of {@code ./frameloom stress --gpu-compute}, and that it sees what is wrong. */
@Timeout(180)
class ComputeSuiteTest {
    /** Fifteen scans, fifteen matchings, a compaction and three of clip boxes. */
    private static final int LONG_WORKS = 34;

    /** Clip boxes of nine nests in three modes. */
    private static final int SHORT_WORKS = 27;

    /** Those that are both. */
    private static final int BOTH = 3;

    private static final List<Placement> RUNS = Placement.byTurns(List.of(Placement.values()), 3);

    /** One for all tests and the next run of them: optimised code of scans that look back takes a second each. */
    private static final TaskGraph COMPILING =
            TaskGraph.builder().name("compiling").workers(1).build();

    private static final ProgramCache PROGRAMS = ProgramCache.open(
            TestEffort.isThorough()
                    ? ProgramCacheOptions.inMemory()
                    : ProgramCacheOptions.in(
                            Path.of("target", "programs", ClassDigest.ofPackage(ShaderCompiler.class))),
            COMPILING);

    @AfterAll
    static void forgetPrograms() {
        PROGRAMS.close();
        COMPILING.close();
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private void onADevice(String selector, Consumer<GpuDevice> body) {
        try (TaskGraph tasks = TaskGraph.builder().name("compute").workers(1).build();
                GpuDevice device = GpuDevices.open(
                        DeviceSelector.parse(selector), new DeviceOptions(tasks, "compute", false, null, PROGRAMS))) {
            body.accept(device);
        }
    }

    private ComputeSuite suite(GpuDevice device) {
        return new ComputeSuite(device, new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    private String told() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static ComputePlan everything(Pattern only, long size) {
        return new ComputePlan(
                EnumSet.allOf(ComputeSuite.Kind.class),
                List.of(size),
                RUNS,
                Set.of(),
                EnumSet.of(StuckTiles.NONE),
                only);
    }

    private void isRight(GpuDevice device, ComputePlan plan, int works) {
        assertThat(suite(device).run(plan)).as(told()).isTrue();
        assertThat(told())
                .contains("gpu compute: " + works + " right, 0 wrong, 0 left out", "3 runs (2 unaligned, 1 aligned)");
    }

    /** In the usual run every sixteenth work: they are compiled for most of the time. */
    private void everythingIsRight(String selector, long size, int share) {
        List<String> works = TestEffort.share(ComputeSuite.names(everything(ComputePlan.ALL, size)), share, 16);
        String only = works.stream().map(Pattern::quote).collect(Collectors.joining("|", "^(?:", ")$"));
        onADevice(selector, device -> isRight(device, everything(Pattern.compile(only), size), works.size()));
    }

    @Test
    void everythingIsRightOnADriver() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        everythingIsRight("auto", 70_001, 2);
    }

    @Test
    void everythingIsRightOnTheVirtualGpu() {
        everythingIsRight("virtual", 1025, 6);
    }

    @Test
    void worksAreAsManyAsTheseKindsHave() {
        assertThat(ComputeSuite.names(everything(ComputePlan.ALL, 1025)))
                .hasSize(LONG_WORKS + SHORT_WORKS - BOTH)
                .doesNotHaveDuplicates();
    }

    private static ComputePlan scans(Set<StuckTiles> stuck, String only, Long... sizes) {
        return new ComputePlan(
                EnumSet.of(ComputeSuite.Kind.SCAN), List.of(sizes), RUNS, Set.of(), stuck, Pattern.compile(only));
    }

    private void sumsWithStuckTilesAreRight(GpuDevice device) {
        assertThat(suite(device).run(scans(Set.of(), "sum-u32, .*stuck", 70_001L)))
                .as(told())
                .isTrue();
        assertThat(told())
                .contains(
                        "look-back, tiles stuck: eighth, 70001 elements",
                        "look-back, tiles stuck: half, 70001 elements",
                        "look-back, tiles stuck: all but one, 70001 elements",
                        "gpu compute: 3 right, 0 wrong, 0 left out");
    }

    @Test
    void sumsWithStuckTilesAreRightOnADriver() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        onADevice("auto", this::sumsWithStuckTilesAreRight);
    }

    @Test
    void sumsWithStuckTilesAreRightOnTheVirtualGpu() {
        onADevice("virtual", this::sumsWithStuckTilesAreRight);
    }

    @Test
    void onlyWhatIsAskedForIsChecked() {
        List<String> unasked = ComputeSuite.names(scans(Set.of(), "bicyclic in segments", 1_000L));
        assertThat(unasked)
                .containsExactly(
                        "scan of bicyclic in segments, reduce, then scan",
                        "scan of bicyclic in segments, look-back",
                        "scan of bicyclic in segments, look-back, tiles stuck: eighth",
                        "scan of bicyclic in segments, look-back, tiles stuck: half",
                        "scan of bicyclic in segments, look-back, tiles stuck: all but one");
        assertThat(ComputeSuite.names(scans(EnumSet.of(StuckTiles.HALF), "sum-u32 in segments, look", 1_000L)))
                .containsExactly("scan of sum-u32 in segments, look-back, tiles stuck: half");
        assertThat(ComputeSuite.names(scans(Set.of(), "match", 1_000L))).isEmpty();
    }

    /** Unless the plan names some of them, each way is checked at a short length, and usual ones at all. */
    @Test
    void theWaysThatAPlanNamesHaveAllLengths() {
        List<Long> lengths = List.of(1L << 27, 1L << 28);
        ComputePlan plan = scans(Set.of(), "", 1L << 27, 1L << 28);
        assertThat(plan.lengths(Set.of(), StuckTiles.HALF, false)).containsExactly(1L << 24);
        assertThat(plan.lengths(Set.of(), StuckTiles.HALF, true)).containsExactly(1L << 24, 1L << 27, 1L << 28);
        assertThat(plan.lengths(Set.of(StuckTiles.HALF), StuckTiles.HALF, false))
                .containsExactlyElementsOf(lengths);
        assertThat(plan.lengths(Set.of(StuckTiles.HALF), StuckTiles.EIGHTH, true))
                .isEmpty();
    }

    /** A scan behind which one word is overwritten. */
    private static class Faulty implements LongWork {
        private final LongWork right;
        private final Fault fault;

        Faulty(LongWork right, Fault fault) {
            this.right = right;
            this.fault = fault;
        }

        interface Fault {
            void record(CommandList list, BufferRange input, BufferRange output, BufferRange scratch);
        }

        @Override
        public String name() {
            return "fault";
        }

        @Override
        public long maxLength() {
            return right.maxLength();
        }

        @Override
        public List<Input> inputs(long length) {
            return right.inputs(length);
        }

        @Override
        public List<Output> outputs(long length) {
            return right.outputs(length);
        }

        @Override
        public long scratchBytes(long length) {
            return right.scratchBytes(length);
        }

        @Override
        public void record(
                CommandList list,
                long length,
                List<BufferRange> inputs,
                List<BufferRange> outputs,
                BufferRange scratch) {
            right.record(list, length, inputs, outputs, scratch);
            list.barrier(new BarrierBatch(List.of(), List.of(), List.of(GlobalBarrier.FULL)));
            fault.record(list, inputs.get(0), outputs.get(0), scratch);
        }

        @Override
        public void close() {
            right.close();
        }
    }

    private String told(Faulty.Fault fault) {
        out.reset();
        onADevice("virtual", device -> {
            try (ComputeStand stand = new ComputeStand(device);
                    LongWork scan = LongScan.lookingBack(device, LongScan.Kind.U32, StuckTiles.NONE)) {
                suite(device).check(stand, new Faulty(scan, fault), 5_000, RUNS);
            }
        });
        return told();
    }

    private static Faulty.Fault overwrite(String role, LongUnaryOperator byteOfRange) {
        return (list, input, output, scratch) -> {
            BufferRange range = role.equals("input") ? input : role.equals("output") ? output : scratch;
            long at = range.offset() + byteOfRange.applyAsLong(range.bytes());
            list.fillBuffer(range.buffer(), at, 4, 5);
        };
    }

    @Test
    void whatIsWrittenWhereItMustNotBeIsTold() {
        assertThat(told(overwrite("scratch", bytes -> 0))).startsWith("right  fault, 5000 elements, 3 runs");
        assertThat(told(overwrite("output", bytes -> bytes - 4)))
                .startsWith("WRONG  fault, 5000 elements: sums: word 4999 of 5000 is 0x00000005, not 0x")
                .contains("(run 1 of 3, unaligned)");
        assertThat(told(overwrite("output", bytes -> -4)))
                .contains("WRONG", "before the sums: word 66 of 67 is 0x00000005, not 0x77777777");
        assertThat(told(overwrite("output", bytes -> bytes))).contains("WRONG", "behind the sums: word 0 of 68");
        assertThat(told(overwrite("scratch", bytes -> -4))).contains("WRONG", "before the scratch memory");
        assertThat(told(overwrite("scratch", bytes -> bytes))).contains("WRONG", "behind the scratch memory");
    }

    @Test
    void anInputThatIsWrittenIsTold() {
        // The last element is in no sum before it, so no run is wrong.
        assertThat(told(overwrite("input", bytes -> bytes - 4)))
                .contains("WRONG", "elements: word 4999 of 5000", "it is only to be read");
    }

    @Test
    void aLaterRunThatIsWrongIsTold() {
        int[] runs = new int[1];
        assertThat(told((list, input, output, scratch) -> {
                    if (++runs[0] == 3) {
                        list.fillBuffer(output.buffer(), output.offset(), 4, 5);
                    }
                }))
                .contains("WRONG", "sums: word 0 of 5000", "(run 3 of 3, unaligned)");
    }

    /** Inputs and outputs lie elsewhere in every second run, so nothing that is wrong there alone is missed. */
    @Test
    void bothPlacementsAreChecked() {
        assertThat(told((list, input, output, scratch) -> {
                    if (output.offset() % 16 == 0) {
                        assertThat(input.offset() % 32).isEqualTo(16);
                        list.fillBuffer(output.buffer(), output.offset() + output.bytes(), 4, 5);
                    }
                }))
                .contains("WRONG", "behind the sums: word 0 of 67", "(run 2 of 3, aligned)");
        assertThat(told((list, input, output, scratch) -> {
                    if (output.offset() % 16 == 0) {
                        list.fillBuffer(input.buffer(), input.offset() + 4 * 4_999, 4, 5);
                    }
                }))
                .contains("WRONG", "elements: word 4999 of 5000", "only to be read", "(run 2 of 3, aligned)");
    }

    /** Its output is that of the run before, if nobody poisons it: as of a scan whose tickets are not reset. */
    @Test
    void aLaterRunThatWritesNothingIsTold() {
        for (List<Placement> placements :
                List.of(RUNS, List.of(Placement.ALIGNED, Placement.ALIGNED, Placement.ALIGNED))) {
            out.reset();
            onADevice("virtual", device -> {
                int[] runs = new int[1];
                try (ComputeStand stand = new ComputeStand(device);
                        LongWork scan = LongScan.lookingBack(device, LongScan.Kind.U32, StuckTiles.NONE)) {
                    LongWork idle = new Faulty(scan, (list, input, output, scratch) -> {}) {
                        @Override
                        public void record(
                                CommandList list,
                                long length,
                                List<BufferRange> inputs,
                                List<BufferRange> outputs,
                                BufferRange scratch) {
                            if (++runs[0] < 3) {
                                super.record(list, length, inputs, outputs, scratch);
                            }
                        }
                    };
                    suite(device).check(stand, idle, 5_000, placements);
                }
            });
            assertThat(told()).contains("WRONG", "is 0x77777777, not 0x", "(run 3 of 3, " + placements.get(2) + ")");
        }
    }

    @Test
    void lengthsEndWithTheMemoryOfTheDevice() {
        onADevice("virtual", device -> {
            try (ComputeStand stand = new ComputeStand(device);
                    LongWork clips = new LongClips(device, Nest.RANDOM, ClipEnd.OWN_BOX)) {
                ComputeCheck check = new ComputeCheck(stand);
                long most = device.capabilities().limits().memory().maxAllocationBytes();
                long longest = check.longest(clips, 1L << 40);
                assertThat(longest).isPositive().isLessThanOrEqualTo(clips.maxLength());
                assertThat(clips.scratchBytes(longest)).isLessThanOrEqualTo(most);
                assertThat(check.longest(clips, 1000)).isEqualTo(1000);
            }
        });
    }

    @Test
    void theLastLineSaysWhichLengthsWereNotTested() {
        onADevice("virtual", device -> {
            ComputeSuite suite = suite(device);
            try (ComputeStand stand = new ComputeStand(device);
                    LongWork scan = LongScan.lookingBack(device, LongScan.Kind.U32, StuckTiles.NONE)) {
                LongWork bounded = new Faulty(scan, (list, input, output, scratch) -> {}) {
                    @Override
                    public long maxLength() {
                        return 2_000;
                    }
                };
                suite.check(stand, bounded, 1_000, RUNS);
                assertThat(suite.summary()).isEqualTo("gpu compute: 1 right, 0 wrong, 0 left out");
                suite.check(stand, bounded, 5_000, RUNS);
                assertThat(suite.summary())
                        .isEqualTo("gpu compute: 2 right, 0 wrong, 0 left out;"
                                + " not tested: fault of 5000 elements, but of 2000");
                int[] asked = new int[1];
                LongWork hungry = new Faulty(scan, (list, input, output, scratch) -> {}) {
                    @Override
                    public List<Input> inputs(long length) {
                        // At first it is only asked how much there would be.
                        if (++asked[0] > 1) {
                            throw new GpuOutOfMemoryException("no memory is left");
                        }
                        return super.inputs(length);
                    }
                };
                suite.check(stand, hungry, 3_000, RUNS);
                assertThat(suite.summary())
                        .startsWith("gpu compute: 2 right, 0 wrong, 1 left out;")
                        .endsWith("; fault, 3000 elements");
            }
        });
    }

    @Test
    void optionsAreNumbersAndNames() {
        assertThat(GpuComputeMain.sizes("7,2^27,2^27+513")).containsExactly(7L, 1L << 27, (1L << 27) + 513);
        assertThat(GpuComputeMain.listed("clip,scan", ComputeSuite.Kind.class))
                .containsExactly(ComputeSuite.Kind.SCAN, ComputeSuite.Kind.CLIP);
        assertThat(GpuComputeMain.listed("own_box", ClipEnd.class)).containsExactly(ClipEnd.OWN_BOX);
        assertThat(GpuComputeMain.listed("none,all_but_one", StuckTiles.class))
                .containsExactly(StuckTiles.NONE, StuckTiles.ALL_BUT_ONE);
        assertThat(GpuComputeMain.placements("both")).containsExactly(Placement.UNALIGNED, Placement.ALIGNED);
        assertThat(GpuComputeMain.placements("aligned")).containsExactly(Placement.ALIGNED);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GpuComputeMain.placements("askew"))
                .withMessageContaining("'askew' is none of unaligned, aligned");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GpuComputeMain.sizes("2^40"))
                .withMessageContaining("from 1 to 29");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GpuComputeMain.sizes("0"))
                .withMessageContaining("from 1 to");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GpuComputeMain.listed("scans", ComputeSuite.Kind.class))
                .withMessageContaining("'scans' is none of");
    }
}
