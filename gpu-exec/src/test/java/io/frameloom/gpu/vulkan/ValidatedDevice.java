package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.VulkanInstance;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkLayerProperties;

/**
 * Opens a validated device for each test, closes everything handed to {@link #own}, and fails the test on any message of
 * the validation layer, those of closing included.
 */
public final class ValidatedDevice implements BeforeEachCallback, AfterEachCallback {
    public static final Duration LONG = Duration.ofSeconds(30);

    private final @Nullable SubmissionObserver observer;
    private final DeviceSeams seams;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private boolean expectMessages;
    private @Nullable TaskGraph tasks;
    private @Nullable DriverDevice device;

    public ValidatedDevice() {
        this(null, DeviceSeams.none());
    }

    public ValidatedDevice(@Nullable SubmissionObserver observer, DeviceSeams seams) {
        this.observer = observer;
        this.seams = seams;
    }

    /**
     * Skips the test where no usable device has all of the given capabilities, saying so. A device that is opened with
     * them required is one that has them: there may be several drivers.
     */
    public static void assumeDriver(Capability... needed) {
        assumeTrue(unavailableReason().isEmpty(), unavailableReason());
        List<Capability> all = List.of(needed);
        assumeTrue(
                all.isEmpty()
                        || VulkanDevices.list().stream()
                                .anyMatch(device ->
                                        device.usable() && device.capabilities().containsAll(all)),
                () -> "no device has " + all);
    }

    /** Skips the test where no device has the extension; one that is opened with it has it then. */
    static void assumeExtension(String extension) {
        try (VulkanInstance instance = VulkanInstance.create("extensions", false, Set.of())) {
            assumeTrue(
                    instance.adapters().stream()
                            .anyMatch(adapter -> adapter.extensions().contains(extension)),
                    () -> "no device has " + extension);
        }
    }

    /** Returns whether there are a driver and a validation layer of a version of Vulkan or a later one. */
    public static boolean layerSince(int version) {
        if (!unavailableReason().isEmpty()) {
            return false;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            IntBuffer count = stack.mallocInt(1);
            VK13.vkEnumerateInstanceLayerProperties(count, null);
            VkLayerProperties.Buffer layers = VkLayerProperties.malloc(count.get(0), stack);
            VK13.vkEnumerateInstanceLayerProperties(count, layers);
            return layers.stream()
                    .anyMatch(layer -> layer.layerNameString().equals("VK_LAYER_KHRONOS_validation")
                            && layer.specVersion() >= version);
        }
    }

    /** What the library answers, asked once in a JVM: it creates an instance for it each time. */
    public static String unavailableReason() {
        return Answer.UNAVAILABLE;
    }

    private static final class Answer {
        static final String UNAVAILABLE = VulkanDevices.unavailableReason();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        assumeDriver();
        tasks = TaskGraph.builder().name("gpu-test").workers(2).build();
        device = SeamedDevices.open("", new DeviceOptions(tasks, "gpu-exec tests", true, observer), seams);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        VulkanDevice opened = device;
        TaskGraph graph = tasks;
        if (opened == null || graph == null) {
            return;
        }
        try {
            while (!owned.isEmpty()) {
                owned.pop().close();
            }
            opened.close();
        } finally {
            graph.close();
        }
        if (!expectMessages) {
            assertThat(opened.validationMessages()).isEmpty();
        }
    }

    /** The test looks at the messages itself. */
    void expectMessages() {
        expectMessages = true;
    }

    List<ValidationMessage> messages() {
        return device().validationMessages();
    }

    public DriverDevice device() {
        if (device == null) {
            throw new IllegalStateException("the device is opened before each test");
        }
        return device;
    }

    public TaskGraph tasks() {
        if (tasks == null) {
            throw new IllegalStateException("the task graph is built before each test");
        }
        return tasks;
    }

    public GpuQueue graphics() {
        return device().queues().get(0);
    }

    /** Closes {@code object} before the device, newest first. */
    public <T extends AutoCloseable> T own(T object) {
        owned.push(object);
        return object;
    }

    /** Records one list and submits it to the graphics queue. */
    public TimelinePoint submit(FrameContext context, String label, Consumer<CommandList> recorder) {
        CommandList list = context.beginCommands(graphics(), label);
        recorder.accept(list);
        list.end();
        return graphics().submit(new Submission(label, List.of(list), List.of()));
    }

    /** Records one list, submits it to the graphics queue and waits for it. */
    void execute(String label, Consumer<CommandList> recorder) {
        try (FrameContext context = device().createFrameContext(label)) {
            TimelinePoint point = submit(context, label, recorder);
            assertThat(graphics().timeline().await(point.value(), LONG)).isTrue();
        }
    }

    /** Returns the words of a mapped buffer. */
    public static int[] words(Buffer buffer) {
        int[] words = new int[(int) (buffer.description().bytes() / Integer.BYTES)];
        buffer.mapped().asIntBuffer().get(words);
        return words;
    }

    /** A barrier of all memory from one access to another. */
    public static BarrierBatch memory(
            PipelineStage from, MemoryAccess written, PipelineStage to, MemoryAccess read, MemoryAccess... alsoTo) {
        return new BarrierBatch(
                List.of(),
                List.of(),
                List.of(new GlobalBarrier(
                        new Scope(from.bit(), written.bit(), to.bit(), read.bit() | MemoryAccess.mask(alsoTo)))));
    }

    /** A barrier of everything before to everything after, with a layout transition of a whole texture. */
    static BarrierBatch transition(Texture texture, TextureLayout from, TextureLayout to) {
        return transition(texture, SubresourceRange.all(texture.description()), from, to);
    }

    static BarrierBatch transition(Texture texture, SubresourceRange range, TextureLayout from, TextureLayout to) {
        Scope scope = new Scope(
                PipelineStage.ALL_COMMANDS.bit(),
                from == TextureLayout.UNDEFINED ? MemoryAccess.NONE : MemoryAccess.MEMORY_WRITE.bit(),
                PipelineStage.ALL_COMMANDS.bit(),
                MemoryAccess.MEMORY_READ.bit() | MemoryAccess.MEMORY_WRITE.bit());
        return new BarrierBatch(
                List.of(new TextureBarrier(texture, range, scope, from, to, null)), List.of(), List.of());
    }
}
