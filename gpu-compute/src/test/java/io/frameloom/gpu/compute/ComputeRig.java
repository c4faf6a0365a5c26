package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A device for tests of primitives: outputs are poisoned, have canaries around them, and the hazard checker watches. On
 * Vulkan the validation layer does, too, which finds a barrier that is missing between two dispatches.
 */
final class ComputeRig implements AutoCloseable {
    static final int POISON = 0x7777_7777;
    /** Newer lavapipe compiles the largest of these shaders for about a minute, when they first run. */
    private static final Duration LONG = Duration.ofMinutes(5);

    /** The backends that must agree. */
    enum Backend {
        /** A Vulkan driver with the validation layer; skipped where there is none. */
        VULKAN,
        /** The virtual GPU. */
        VIRTUAL;

        /**
         * As {@link TestEffort#share}, where Vulkan takes the first half of an even number of shares and the virtual
         * GPU the second one. Without a Vulkan driver the virtual GPU takes both.
         */
        static <T> List<T> share(List<T> all, int share, int shares) {
            int half = shares / 2;
            return vulkanIsThere() ? TestEffort.share(all, share, shares) : TestEffort.share(all, share % half, half);
        }

        /** Whether a case is this backend's where the usual run has one backend to each. */
        boolean takes(Backend dealt) {
            return this == dealt || TestEffort.isThorough() || !vulkanIsThere();
        }

        static boolean vulkanIsThere() {
            return Driver.UNAVAILABLE.isEmpty();
        }
    }

    /** A primitive on two ranges: what it uses, and its commands. */
    interface Primitive {
        List<ResourceUse> uses(BufferRange input, BufferRange output);

        void record(CommandList list, BufferRange input, BufferRange output);
    }

    final Backend backend;
    final GpuDevice device;
    final TaskGraph tasks = TaskGraph.builder().name("compute").workers(2).build();
    /** Stands before the lists that are recorded. */
    UnaryOperator<CommandList> lists = UnaryOperator.identity();

    private final HazardChecker hazards = new HazardChecker();
    private final FrameContext frame;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();

    ComputeRig(Backend backend) {
        this.backend = backend;
        DeviceOptions options =
                new DeviceOptions(tasks, "compute tests", backend == Backend.VULKAN, hazards, SharedPrograms.CACHE);
        if (backend == Backend.VULKAN) {
            if (!Driver.UNAVAILABLE.isEmpty()) {
                tasks.close();
            }
            assumeTrue(Driver.UNAVAILABLE.isEmpty(), Driver.UNAVAILABLE);
            device = VulkanDevices.open("", options);
        } else {
            device =
                    VirtualDevice.open(new VirtualGpuOptions(1, 7).withOrder(VirtualGpuOptions.Order.REVERSE), options);
        }
        frame = device.createFrameContext("frame");
    }

    /** What the library answers, asked once in a JVM: it creates an instance for it each time. */
    private static final class Driver {
        static final String UNAVAILABLE = VulkanDevices.unavailableReason();
    }

    <T extends AutoCloseable> T own(T thing) {
        owned.push(thing);
        return thing;
    }

    GpuQueue queue() {
        return device.queues().get(0);
    }

    Buffer buffer(String name, long bytes, BufferUsage first, BufferUsage... more) {
        return own(device.createBuffer(name, BufferDescription.device(Math.max(1, bytes), first, more)));
    }

    Buffer storage(String name, long bytes) {
        return buffer(name, bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    }

    /**
     * Returns a range of words in mapped storage memory, {@code offset} words from the beginning. A later {@link #run} fails
     * if it writes there.
     */
    BufferRange upload(int[] words, int offset) {
        return own(GuardedMemory.input(this, words, offset)).range;
    }

    /** Returns poisoned scratch memory. A later {@link #run} fails if it writes beside it. */
    BufferRange scratch(long bytes) {
        return own(GuardedMemory.scratch(this, bytes)).range;
    }

    /**
     * Runs a primitive several times without clearing anything in between but its output, which is poisoned before each
     * run, and returns what all runs wrote alike. Fails if one wrote something else, if a word beside the output or the
     * scratch memory changed, or one of what was uploaded.
     *
     * @param offset words before the output, beside the canaries
     */
    int[] run(BufferRange input, int outputWords, int offset, int times, Primitive primitive) {
        int before = GuardedMemory.CANARY_WORDS + offset;
        int words = before + outputWords + GuardedMemory.CANARY_WORDS;
        try (Buffer output = device.createBuffer(
                        "output",
                        BufferDescription.device(
                                4L * words, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
                Buffer readback = device.createBuffer("readback", BufferDescription.readback(4L * words * times))) {
            BufferRange range = new BufferRange(output, 4L * before, 4L * outputWords);
            execute(list -> {
                for (int time = 0; time < times; time++) {
                    fill(list, output);
                    full(list);
                    list.beginPass("primitive", primitive.uses(input, range));
                    primitive.record(list, input, range);
                    list.endPass();
                    full(list);
                    copy(list, output, readback, 4L * words * time);
                }
            });
            int[] all = words(readback);
            int[] result = Arrays.copyOfRange(all, before, before + outputWords);
            for (int time = 0; time < times; time++) {
                String run = " in run " + (time + 1) + " of " + times;
                int begin = time * words;
                int end = begin + before + outputWords;
                assertThat(Arrays.copyOfRange(all, begin, begin + before))
                        .as("before the output" + run)
                        .containsOnly(POISON);
                assertThat(Arrays.copyOfRange(all, end, begin + words))
                        .as("behind the output" + run)
                        .containsOnly(POISON);
                assertThat(ScanCases.difference(Arrays.copyOfRange(all, begin + before, end), result))
                        .as("what differs from the first run" + run)
                        .isEmpty();
            }
            for (AutoCloseable thing : owned) {
                if (thing instanceof GuardedMemory guarded) {
                    guarded.check();
                }
            }
            return result;
        }
    }

    /** Copies a storage range back. */
    int[] read(BufferRange range) {
        try (Buffer readback = device.createBuffer("readback", BufferDescription.readback(range.bytes()))) {
            execute(list -> {
                list.beginPass(
                        "read",
                        List.of(
                                new ResourceUse.OfBuffer(
                                        range.buffer(), range.offset(), range.bytes(), Access.COPY_SRC, false),
                                use(readback, Access.COPY_DST)));
                list.copyBuffer(range.buffer(), range.offset(), readback, 0, range.bytes());
                list.endPass();
                full(list);
            });
            return words(readback);
        }
    }

    private static int[] words(Buffer readback) {
        int[] words = new int[(int) readback.description().bytes() / 4];
        readback.mapped().asIntBuffer().get(words);
        return words;
    }

    static void fill(CommandList list, Buffer buffer) {
        list.beginPass("poison", List.of(use(buffer, Access.COPY_DST)));
        list.fillBuffer(buffer, 0, buffer.description().bytes() / 4 * 4, POISON);
        list.endPass();
    }

    private static void copy(CommandList list, Buffer from, Buffer to, long at) {
        long bytes = from.description().bytes();
        list.beginPass(
                "read",
                List.of(use(from, Access.COPY_SRC), new ResourceUse.OfBuffer(to, at, bytes, Access.COPY_DST, true)));
        list.copyBuffer(from, 0, to, at, bytes);
        list.endPass();
        full(list);
    }

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, access == Access.COPY_DST);
    }

    /** Everything before happens before everything after. */
    static void full(CommandList list) {
        list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
    }

    /** Records one list, submits it and waits for it. */
    void execute(Consumer<CommandList> recorder) {
        CommandList list = frame.beginCommands(queue(), "list");
        recorder.accept(lists.apply(list));
        list.end();
        long value = queue().submit(new Submission("submission", List.of(list), List.of()))
                .value();
        assertThat(queue().timeline().await(value, LONG)).isTrue();
        frame.reset();
    }

    /** Closes what was made since {@code mark} things were there; see {@link #mark}. */
    void release(int mark) {
        while (owned.size() > mark) {
            close(owned.pop());
        }
    }

    int mark() {
        return owned.size();
    }

    @Override
    public void close() {
        try {
            release(0);
            frame.close();
            device.close();
        } finally {
            tasks.close();
        }
        assertThat(device.validationMessages()).isEmpty();
        assertThat(hazards.hazards()).isEmpty();
    }

    private static void close(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Exception failure) {
            throw new IllegalStateException(thing + " cannot be closed", failure);
        }
    }
}
