package io.frameloom.benchmarks.alternatives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.BackLinks;
import io.frameloom.testing.TestEffort;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The baseline gives the links of a sequential stack. */
final class StackMonoid2021Test {
    private static final int MOST = 20_000;
    private static final BarrierBatch FULL = new BarrierBatch(List.of(), List.of(), List.of(GlobalBarrier.FULL));

    private TaskGraph tasks;
    private GpuDevice device;
    private FrameContext frame;
    private Buffer input;
    private Buffer result;
    private int inVain;
    private int checks;

    @BeforeEach
    void open() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        tasks = TaskGraph.builder().name("baseline").workers(1).build();
        device = VulkanDevices.open("", new DeviceOptions(tasks, "baseline", true, null));
        frame = device.createFrameContext("baseline");
        input = device.createBuffer("input", BufferDescription.upload(4L * MOST, BufferUsage.STORAGE));
        result = device.createBuffer("result", BufferDescription.readback(4L * MOST + 4));
    }

    @AfterEach
    void close() {
        if (device == null) {
            return;
        }
        input.close();
        result.close();
        frame.close();
        device.close();
        tasks.close();
        assertThat(device.validationMessages()).isEmpty();
    }

    @Test
    void linksAreThoseOfAStack() {
        for (int partition : new int[] {16, 256}) {
            try (StackMonoid2021 match = new StackMonoid2021(device, partition)) {
                for (int length : new int[] {1, 2, partition - 1, partition, partition + 1, 7 * partition + 3, MOST}) {
                    check(match, partition, length);
                }
            }
        }
    }

    /**
     * Whatever part of the partitions publishes nothing, the others get on, and links stay those of a stack. In the usual
     * run every second part is waited for without patience, and the others with some.
     */
    @Test
    void noWorkgroupNeedsAnother() {
        int partition = 16;
        int patience = 0;
        List<String> all =
                List.of("false", "true", "p % 2u == 1u", "p % 8u == 0u", "p != 9u", "p > 40u", "p % 3u < 2u");
        for (String stuck : TestEffort.share(all, 0, 2)) {
            List<Integer> patiences = TestEffort.isThorough() ? List.of(0, 2) : List.of(patience);
            patience = 2 - patience;
            for (int each : patiences) {
                inVain = 0;
                try (StackMonoid2021 match =
                        new StackMonoid2021(device, partition, Map.of("PATIENCE", each + "u", "STUCK", stuck))) {
                    for (int length : new int[] {partition + 1, 7 * partition + 3, 3_000}) {
                        check(match, partition, length);
                    }
                }
                if (!stuck.equals("false")) {
                    assertThat(inVain).as("waits in vain, stuck if %s", stuck).isPositive();
                }
            }
        }
    }

    /** In a usual run each length has a third of the inputs, the next one another third. */
    private void check(StackMonoid2021 match, int partition, int length) {
        SplittableRandom random = new SplittableRandom(5);
        List<IntPredicate> inputs = List.of(
                i -> random.nextBoolean(),
                i -> random.nextInt(10) < 3,
                i -> random.nextInt(10) < 7,
                i -> true,
                i -> false,
                i -> i < length / 2,
                i -> i >= length / 2,
                i -> i % 2 == 0,
                i -> i % (4 * partition) < 2 * partition + 3 && i < length * 3 / 4,
                // Partitions that fill their slices by themselves, on deep stacks.
                i -> i / partition % 3 != 2,
                // Two opens left by each partition, its first and its last, then a drain over all of them.
                i -> i < length / 2 && (i % partition == 0 || i % 2 == 1),
                i -> opensInChains(i, length, partition));
        for (IntPredicate opens : TestEffort.share(inputs, checks++ % 3, 3)) {
            check(match, length, opens);
        }
    }

    /** Partitions that nearly fill a stack of their size by turns with such that nearly empty it: long chains of links. */
    private static boolean opensInChains(int i, int length, int partition) {
        return i < length - length / 8 && (i / partition % 2 == 0 ? i % partition >= 1 : i % partition < 2);
    }

    @Test
    void theInputOfChainsMakesThem() {
        assertThat(BackLinks.count(1 << 18, i -> opensInChains(i, 1 << 18, 256), 256))
                .isEqualTo(new BackLinks(48_768, 128));
        BackLinks tried = BackLinks.count(MOST, i -> opensInChains(i, MOST, 256), 256);
        assertThat(tried.links()).isGreaterThan(500);
        assertThat(tried.longestChain()).isGreaterThan(30);
    }

    @Test
    void partitionsArePowersOfTwo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StackMonoid2021(device, 96))
                .withMessageContaining("96");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StackMonoid2021(device, 1 << 20))
                .withMessageContaining("1048576");
    }

    private void check(StackMonoid2021 match, int length, IntPredicate opens) {
        IntBuffer words = input.mapped().order(ByteOrder.nativeOrder()).asIntBuffer();
        int[] expected = new int[length];
        int[] stack = new int[length];
        int depth = 0;
        for (int i = 0; i < length; i++) {
            boolean open = opens.test(i);
            words.put(i, open ? 1 << i % 32 : 0);
            expected[i] = depth == 0 ? StackMonoid2021.NONE : stack[depth - 1];
            if (open) {
                stack[depth++] = i;
            } else if (depth > 0) {
                depth--;
            }
        }
        int[] links = run(match, length);
        for (int i = 0; i < length; i++) {
            if (links[i] != expected[i]) {
                assertThat(links[i]).as("link %d of %d", i, length).isEqualTo(expected[i]);
            }
        }
    }

    private int[] run(StackMonoid2021 match, int length) {
        try (Buffer links = storage(4L * length);
                Buffer slices = storage(match.sliceBytes(length));
                Buffer states = storage(match.stateBytes(length))) {
            GpuQueue queue = device.queues().get(0);
            CommandList list = frame.beginCommands(queue, "baseline");
            for (Buffer buffer : new Buffer[] {links, slices, states}) {
                list.fillBuffer(buffer, 0, buffer.description().bytes(), 0x7777_7777);
            }
            list.barrier(FULL);
            match.record(list, length, input, links, slices, states);
            list.barrier(FULL);
            list.copyBuffer(links, 0, result, 0, 4L * length);
            list.copyBuffer(states, 0, result, 4L * MOST, 4);
            list.barrier(FULL);
            list.end();
            long value = queue.submit(new Submission("baseline", List.of(list), List.of()))
                    .value();
            assertThat(queue.timeline().await(value, Duration.ofSeconds(60))).isTrue();
            frame.reset();
        }
        inVain += result.mapped().order(ByteOrder.nativeOrder()).getInt(4 * MOST);
        int[] all = new int[length];
        result.mapped().order(ByteOrder.nativeOrder()).asIntBuffer().get(all);
        return all;
    }

    private Buffer storage(long bytes) {
        return device.createBuffer(
                "storage",
                BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
    }
}
