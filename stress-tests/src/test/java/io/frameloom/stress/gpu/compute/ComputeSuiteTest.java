package io.frameloom.stress.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.BoundResource.BufferRange;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.compute.ScanVariant;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Small sizes of {@code ./frameloom stress --gpu-compute}, and that it sees what is wrong. */
@Timeout(180)
class ComputeSuiteTest {
    /** Six scans, nine matchings, a compaction and three of clip boxes. */
    private static final int WORKS = 19;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private void onADevice(String selector, Consumer<GpuDevice> body) {
        try (TaskGraph tasks = TaskGraph.builder().name("compute").workers(1).build();
                GpuDevice device = GpuDevices.open(
                        DeviceSelector.parse(selector), new DeviceOptions(tasks, "compute", false, null))) {
            body.accept(device);
        }
    }

    private ComputeSuite suite(GpuDevice device) {
        return new ComputeSuite(device, new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    private String told() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private void everythingIsRight(GpuDevice device, Long... sizes) {
        boolean right = suite(device).run(EnumSet.allOf(ComputeSuite.Kind.class), List.of(sizes), 3);
        assertThat(right).as(told()).isTrue();
        assertThat(told()).contains("gpu compute: " + WORKS * sizes.length + " right, 0 wrong, 0 left out");
    }

    @Test
    void everythingIsRightOnADriver() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        onADevice("auto", device -> everythingIsRight(device, 1L, 70_001L));
    }

    @Test
    void everythingIsRightOnTheVirtualGpu() {
        onADevice("virtual", device -> everythingIsRight(device, 1025L));
    }

    /** A scan behind which one word is overwritten. */
    private record Faulty(LongWork right, Fault fault) implements LongWork {
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
                    LongWork scan = new LongScan(device, LongScan.Kind.U32, ScanVariant.LOOK_BACK)) {
                suite(device).check(stand, new Faulty(scan, fault), 5_000, 3);
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
                .contains("(run 1 of 3)");
        assertThat(told(overwrite("output", bytes -> -4)))
                .contains("WRONG", "before the sums: word 66 of 67 is 0x00000005, not 0x77777777");
        assertThat(told(overwrite("output", bytes -> bytes))).contains("WRONG", "behind the sums: word 0 of 67");
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
                .contains("WRONG", "sums: word 0 of 5000", "(run 3 of 3)");
    }

    @Test
    void lengthsEndWithTheMemoryOfTheDevice() {
        onADevice("virtual", device -> {
            try (ComputeStand stand = new ComputeStand(device);
                    LongWork clips = new LongClips(device, Nest.RANDOM)) {
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
    void optionsAreNumbersAndNames() {
        assertThat(GpuComputeMain.sizes("7,2^27,2^27+513")).containsExactly(7L, 1L << 27, (1L << 27) + 513);
        assertThat(GpuComputeMain.kinds("clip,scan")).containsExactly(ComputeSuite.Kind.SCAN, ComputeSuite.Kind.CLIP);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GpuComputeMain.sizes("2^40"))
                .withMessageContaining("from 1 to 29");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GpuComputeMain.sizes("0"))
                .withMessageContaining("from 1 to");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GpuComputeMain.kinds("scans"))
                .withMessageContaining("'scans' is none of");
    }
}
