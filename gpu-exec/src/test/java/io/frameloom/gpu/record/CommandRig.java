package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK10;

/** A device of either backend with what tests of its commands need; on Vulkan under the validation layer. */
final class CommandRig implements AutoCloseable {
    private static final int VULKAN_OF_LOCAL_READ = VK10.VK_MAKE_VERSION(1, 3, 276);
    private static final Duration LONG = Duration.ofSeconds(30);

    /** The backends that must agree. */
    enum Backend {
        /** A Vulkan driver with the validation layer; skipped where there is none. */
        VULKAN,
        /** The virtual GPU. */
        VIRTUAL
    }

    final GpuDevice device;
    final FrameContext frame;
    private final TaskGraph tasks =
            TaskGraph.builder().name("commands").workers(1).build();
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();

    CommandRig(Backend backend) {
        this(backend, true);
    }

    /** With or without the validation layer. */
    CommandRig(Backend backend, boolean validated) {
        this(backend, validated, null);
    }

    /** With or without the validation layer and somebody who is told of submissions. */
    CommandRig(Backend backend, boolean validated, @Nullable SubmissionObserver observer) {
        this(backend, validated, observer, true);
    }

    /** With or without the checks of command lists as well. */
    CommandRig(Backend backend, boolean validated, @Nullable SubmissionObserver observer, boolean checks) {
        this(
                backend,
                tasks -> new DeviceOptions(tasks, "command tests", validated, observer).withChecks(checks),
                Set.of());
    }

    /** With capabilities; skipped where no driver has them. */
    CommandRig(Backend backend, @Nullable SubmissionObserver observer, Set<Capability> required) {
        this(backend, tasks -> new DeviceOptions(tasks, "command tests", true, observer), required);
    }

    private CommandRig(Backend backend, Function<TaskGraph, DeviceOptions> plain, Set<Capability> required) {
        DeviceOptions options = plain.apply(tasks).require(required.toArray(new Capability[0]));
        if (backend == Backend.VULKAN) {
            String reason = ValidatedDevice.unavailableReason();
            if (reason.isEmpty()
                    && VulkanDevices.list().stream()
                            .noneMatch(any -> any.capabilities().containsAll(required))) {
                reason = "no device has " + Capability.list(required);
            }
            if (!reason.isEmpty()) {
                tasks.close();
            }
            assumeTrue(reason.isEmpty(), reason);
            device = VulkanDevices.open("", options);
        } else {
            device = VirtualDevice.open(new VirtualGpuOptions(3, 7), options);
        }
        frame = device.createFrameContext("frame");
    }

    /** With the capability of reading on tiles, and with a validation layer that knows it; skipped without a device. */
    static CommandRig ofLocalReads(Backend backend, @Nullable SubmissionObserver observer, Capability... more) {
        Set<Capability> required = EnumSet.of(Capability.DYNAMIC_RENDERING_LOCAL_READ, more);
        boolean validated = ValidatedDevice.layerSince(VULKAN_OF_LOCAL_READ);
        return new CommandRig(
                backend, tasks -> new DeviceOptions(tasks, "command tests", validated, observer), required);
    }

    /** Returns whether there is a Vulkan driver and its validation layer. */
    static boolean layerInstalled() {
        return ValidatedDevice.layerSince(0);
    }

    GpuQueue queue() {
        return device.queues().get(0);
    }

    <T extends AutoCloseable> T own(T thing) {
        owned.push(thing);
        return thing;
    }

    Buffer upload(byte[] bytes, BufferUsage... more) {
        Buffer buffer =
                own(device.createBuffer("upload", BufferDescription.upload(bytes.length, BufferUsage.COPY_SRC, more)));
        buffer.mapped().put(bytes);
        return buffer;
    }

    Buffer upload(int[] words, BufferUsage... more) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * 4).order(ByteOrder.nativeOrder());
        bytes.asIntBuffer().put(words);
        return upload(bytes.array(), more);
    }

    Buffer readback(long bytes) {
        return own(device.createBuffer("readback", BufferDescription.readback(bytes)));
    }

    Buffer buffer(String name, long bytes, BufferUsage first, BufferUsage... more) {
        return own(device.createBuffer(name, BufferDescription.device(bytes, first, more)));
    }

    Texture texture(String name, TextureDescription description) {
        return own(device.createTexture(name, description));
    }

    ComputePipeline compute(String name, String glsl, CpuKernel kernel) {
        return own(device.createComputePipeline(new ComputePipelineDescription(
                name, new ShaderSource(name + ".comp", ShaderStage.COMPUTE, glsl), kernel)));
    }

    /** Records one list, submits it and waits for it. */
    void execute(Consumer<CommandList> recorder) {
        CommandList list = frame.beginCommands(queue(), "list");
        recorder.accept(list);
        list.end();
        long value = queue().submit(new Submission("submission", List.of(list), List.of()))
                .value();
        assertThat(queue().timeline().await(value, LONG)).isTrue();
        frame.reset();
    }

    static byte[] bytes(Buffer readback) {
        byte[] bytes = new byte[(int) readback.description().bytes()];
        readback.mapped().get(bytes);
        return bytes;
    }

    static int[] words(Buffer readback) {
        int[] words = new int[(int) readback.description().bytes() / 4];
        readback.mapped().asIntBuffer().get(words);
        return words;
    }

    /** Everything before happens before everything after. */
    static void full(CommandList list) {
        list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
    }

    /** Everything before happens before everything after, with a layout transition. */
    static void transition(CommandList list, Texture texture, TextureLayout from, TextureLayout to) {
        transition(list, texture, SubresourceRange.all(texture.description()), from, to);
    }

    static void transition(
            CommandList list, Texture texture, SubresourceRange range, TextureLayout from, TextureLayout to) {
        BarrierBatch.Scope scope = new BarrierBatch.Scope(
                PipelineStage.ALL_COMMANDS.bit(),
                from == TextureLayout.UNDEFINED ? MemoryAccess.NONE : MemoryAccess.MEMORY_WRITE.bit(),
                PipelineStage.ALL_COMMANDS.bit(),
                MemoryAccess.MEMORY_READ.bit() | MemoryAccess.MEMORY_WRITE.bit());
        list.barrier(new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(texture, range, scope, from, to, null)), List.of(), List.of()));
    }

    @Override
    public void close() {
        try {
            while (!owned.isEmpty()) {
                close(owned.pop());
            }
            frame.close();
            device.close();
        } finally {
            tasks.close();
        }
        assertThat(device.validationMessages()).isEmpty();
    }

    private static void close(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Exception failure) {
            throw new IllegalStateException(thing + " cannot be closed", failure);
        }
    }
}
