package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.ExternalPoint;
import io.frameloom.gpu.ExternalTimeline;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.FrameContext;
import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.MultisampleState;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.RasterState;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TargetBlend;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TimelinePoint;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceDynamicRenderingFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceHostQueryResetFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceMaintenance4Features;
import org.lwjgl.vulkan.VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceSynchronization2Features;
import org.lwjgl.vulkan.VkPhysicalDeviceTimelineSemaphoreFeatures;
import org.lwjgl.vulkan.VkQueue;

/** An engine's device is shared: work in both directions, refusals that name everything, and nothing of it is destroyed. */
@Timeout(60)
class VulkanAdoptionTest {
    private static final TextureDescription SHAPE = TextureDescription.of(
            TestEngine.EXTENT,
            TestEngine.EXTENT,
            Format.R8G8B8A8_UNORM,
            TextureUsage.STORAGE,
            TextureUsage.COPY_SRC,
            TextureUsage.COPY_DST);

    private static final String INVERT = """
            #version 450
            layout(local_size_x = 8, local_size_y = 8) in;
            layout(set = 0, binding = 0, rgba8) uniform image2D Picture;
            void main() {
                ivec2 at = ivec2(gl_GlobalInvocationID.xy);
                imageStore(Picture, at, vec4(1) - imageLoad(Picture, at));
            }
            """;

    private TaskGraph tasks;
    private final HazardChecker checker = new HazardChecker();

    @BeforeEach
    void buildTaskGraph() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("adoption").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        if (tasks != null) {
            tasks.close();
        }
    }

    private DeviceOptions options(boolean messages) {
        return new DeviceOptions(tasks, "unused", messages, checker);
    }

    private VulkanDevice adopt(TestEngine engine) {
        return VulkanDevices.adopt(
                engine.description
                        .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                        .build(),
                options(true));
    }

    /** Whatever the device supports: the engine has not switched it on. */
    @Test
    void pipelinesHaveTheFeaturesThatTheEngineHasSwitchedOn() {
        try (TestEngine engine = new TestEngine();
                VulkanDevice gpu = adopt(engine)) {
            GraphicsPipelineDescription lines = new GraphicsPipelineDescription(
                    "lines",
                    new ShaderSource("lines.vert", ShaderStage.VERTEX, """
                            #version 450
                            void main() { gl_Position = vec4(0); }
                            """),
                    new ShaderSource("lines.frag", ShaderStage.FRAGMENT, """
                            #version 450
                            layout(location = 0) out vec4 color;
                            void main() { color = vec4(1); }
                            """),
                    List.of(),
                    new RasterState(
                            RasterState.Topology.TRIANGLE_STRIP,
                            false,
                            RasterState.PolygonMode.LINE,
                            RasterState.FrontFace.CLOCKWISE,
                            false),
                    GraphicsPipelineDescription.CullMode.NONE,
                    null,
                    null,
                    MultisampleState.of(1),
                    List.of(TargetBlend.REPLACE),
                    List.of(Format.R8G8B8A8_UNORM),
                    null,
                    null,
                    Set.of());
            assertThatThrownBy(() -> gpu.createGraphicsPipeline(lines))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'lines' draws polygons as LINE");
            assertThat(engine.messages()).isEmpty();
        }
    }

    @Test
    void engineAndFrameloomWorkOnOneImageWithoutTheHostInBetween() {
        try (TestEngine engine = new TestEngine()) {
            long image = engine.image();
            TestEngine.HostBuffer pixels = engine.hostBuffer(VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT);
            long semaphore = engine.timelineSemaphore();
            try (VulkanDevice gpu = adopt(engine);
                    FrameContext context = gpu.createFrameContext("frame");
                    ComputePipeline invert = gpu.createComputePipeline(new ComputePipelineDescription(
                            "invert", new ShaderSource("invert.comp", ShaderStage.COMPUTE, INVERT), null));
                    Texture picture = gpu.importTexture("picture", image, SHAPE, TextureLayout.GENERAL)) {
                ExternalTimeline engineTimeline = gpu.importTimeline("engine", semaphore);
                GpuQueue queue = gpu.queues().get(0);
                engine.submit(
                        List.of(),
                        new TestEngine.Value(semaphore, 1),
                        commands -> EngineCommands.clear(commands, image, 1, 0, 0));

                CommandList list = context.beginCommands(queue, "invert");
                list.beginPass(
                        "invert",
                        List.of(new ResourceUse.OfTexture(
                                picture,
                                SubresourceRange.all(SHAPE),
                                Access.STORAGE_READ_WRITE_COMPUTE,
                                false,
                                TextureLayout.GENERAL)));
                list.bindPipeline(invert);
                list.bindStorageTexture("Picture", picture.view());
                list.dispatch(TestEngine.EXTENT / 8, TestEngine.EXTENT / 8, 1);
                list.endPass();
                list.end();
                TimelinePoint inverted = queue.submit(new Submission("invert", List.of(list), List.of())
                        .with(
                                List.of(new ExternalPoint(engineTimeline, 1, PipelineStage.COMPUTE_SHADER.bit())),
                                List.of(ExternalPoint.of(engineTimeline, 2))));

                engine.submit(
                        List.of(
                                new TestEngine.Value(gpu.handles().timeline(queue), inverted.value()),
                                new TestEngine.Value(semaphore, 2)),
                        new TestEngine.Value(semaphore, 3),
                        commands -> EngineCommands.read(commands, gpu.handles().image(picture), pixels.buffer()));
                engine.await(new TestEngine.Value(semaphore, 3));
                assertThat(pixels.word(0)).isEqualTo(0x00FFFF00);
                assertThat(pixels.word(TestEngine.EXTENT * TestEngine.EXTENT - 1))
                        .isEqualTo(0x00FFFF00);
                assertThat(checker.hazards()).isEmpty();
                assertThat(gpu.validationMessages()).isEmpty();
            }
            // The engine's device, image, queue and semaphore live on.
            engine.submit(
                    List.of(),
                    new TestEngine.Value(semaphore, 4),
                    commands -> EngineCommands.clear(commands, image, 0, 0, 1));
            engine.submit(
                    List.of(new TestEngine.Value(semaphore, 4)),
                    new TestEngine.Value(semaphore, 5),
                    commands -> EngineCommands.read(commands, image, pixels.buffer()));
            engine.await(new TestEngine.Value(semaphore, 5));
            assertThat(pixels.word(0)).isEqualTo(0xFFFF0000);
            assertThat(engine.messages()).isEmpty();
        }
    }

    @Test
    void buffersOfTheEngineAreFilledAndOfFrameloomAreRead() {
        TestEngine engine = new TestEngine();
        try (engine) {
            TestEngine.HostBuffer target = engine.hostBuffer(VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT);
            try (VulkanDevice gpu = adopt(engine);
                    FrameContext context = gpu.createFrameContext("frame");
                    Buffer imported = gpu.importBuffer(
                            "engine's",
                            target.buffer(),
                            BufferDescription.device(TestEngine.BYTES, BufferUsage.COPY_DST))) {
                GpuQueue queue = gpu.queues().get(0);
                CommandList list = context.beginCommands(queue, "fill");
                list.fillBuffer(imported, 0, TestEngine.BYTES, 0x1234);
                list.end();
                long value = queue.submit(new Submission("fill", List.of(list), List.of()))
                        .value();
                long semaphore = engine.timelineSemaphore();
                engine.submit(
                        List.of(new TestEngine.Value(gpu.handles().timeline(queue), value)),
                        new TestEngine.Value(semaphore, 1),
                        EngineCommands::toHost);
                engine.await(new TestEngine.Value(semaphore, 1));
                assertThat(target.word(7)).isEqualTo(0x1234);
                assertThat(gpu.handles().buffer(imported)).isEqualTo(target.buffer());
                assertThatThrownBy(imported::mapped).isInstanceOf(IllegalStateException.class);
            }
        }
        // The layer says so when the engine destroys a buffer that is gone.
        assertThat(engine.messages()).isEmpty();
    }

    @Test
    void handlesBelongToTheirDeviceAndEndWithTheirObjects() {
        try (TestEngine engine = new TestEngine();
                VulkanDevice gpu = adopt(engine);
                VulkanDevice other = VulkanDevices.open("", new DeviceOptions(tasks, "other", false, null))) {
            VulkanHandles handles = gpu.handles();
            assertThat(handles.device()).isSameAs(engine.device);
            assertThat(handles.physicalDevice()).isSameAs(engine.physical);
            assertThat(handles.instance()).isSameAs(engine.instance.handle());
            assertThat(handles.queue(gpu.queues().get(0))).isSameAs(engine.queue);
            assertThat(handles.guard(gpu.queues().get(0))).isSameAs(engine.guard);
            Texture texture = gpu.createTexture("ours", SHAPE);
            assertThat(handles.image(texture)).isNotZero();
            assertThat(handles.imageView(texture.view())).isNotZero();
            assertThatThrownBy(() -> other.handles().image(texture)).hasMessageContaining("another device");
            assertThatThrownBy(() -> other.handles().timeline(gpu.queues().get(0)))
                    .hasMessageContaining("another device");
            texture.close();
            assertThatThrownBy(() -> handles.image(texture)).hasMessageContaining("'ours' is closed");
            ExternalTimeline foreign = gpu.importTimeline("foreign", engine.timelineSemaphore());
            assertThatThrownBy(() -> other.queues()
                            .get(0)
                            .submit(new Submission("s", List.of(), List.of())
                                    .with(List.of(ExternalPoint.of(foreign, 1)), List.of())))
                    .hasMessageContaining("'foreign'")
                    .hasMessageContaining("another device");
            assertThatThrownBy(() -> ExternalPoint.of(foreign, 0)).hasMessageContaining("begin at 1");
            assertThatThrownBy(() -> gpu.importTimeline("none", 0)).hasMessageContaining("VK_NULL_HANDLE");
            assertThatThrownBy(() -> gpu.importTexture("none", 0, SHAPE, TextureLayout.GENERAL))
                    .hasMessageContaining("texture 'none'");
            assertThatThrownBy(() -> gpu.importBuffer("mapped", 1, BufferDescription.readback(4)))
                    .hasMessageContaining("READBACK");
        }
    }

    /** Plays a driver that sees whether the engine's lock is held. */
    private static final class GuardWitness extends ForwardingDriver {
        private final ReentrantLock guard;
        private final List<Boolean> held = new ArrayList<>();

        GuardWitness(ReentrantLock guard) {
            this.guard = guard;
        }

        @Override
        public int submit(VkQueue queue, org.lwjgl.vulkan.VkSubmitInfo2.Buffer submission, long fence) {
            held.add(guard.isHeldByCurrentThread());
            return super.submit(queue, submission, fence);
        }

        @Override
        public int waitIdle(VkQueue queue) {
            throw new AssertionError("an engine's device is not ours to wait for: it would use all its queues");
        }
    }

    /** Plays a driver whose first waits for a fence fail, and notes whether its device was asked to be idle. */
    private static final class FailingWaits extends ForwardingDriver {
        private int left;
        private int waits;
        private boolean idled;

        FailingWaits(int failures) {
            left = failures;
        }

        @Override
        public int waitFence(VkDevice device, long fence, long timeoutNanos) {
            waits++;
            left--;
            return left >= 0 ? VK13.VK_ERROR_OUT_OF_HOST_MEMORY : super.waitFence(device, fence, timeoutNanos);
        }

        @Override
        public int waitIdle(VkQueue queue) {
            idled = true;
            return super.waitIdle(queue);
        }
    }

    @Test
    void aClockThatCannotBeMeasuredWaitsForNothingOfTheEngines() {
        DeviceSeams seams = new DeviceSeams(
                new FailingWaits(2), Set.of(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME));
        FailingWaits driver = (FailingWaits) seams.driver();
        try (TestEngine engine = new TestEngine()) {
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(() -> VulkanDevices.adopt(description, options(false), seams))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("wait for the calibration")
                    .hasMessageContaining("VK_ERROR_OUT_OF_HOST_MEMORY");
            assertThat(driver.idled).isFalse();
            assertThat(driver.waits).isEqualTo(3);
            assertThat(engine.guard.tryLock()).isTrue();
            engine.guard.unlock();
        }
    }

    @Test
    void theEnginesLockIsHeldAroundEveryUseOfItsQueue() {
        try (TestEngine engine = new TestEngine()) {
            GuardWitness witness = new GuardWitness((ReentrantLock) engine.guard);
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            try (VulkanDevice gpu =
                    VulkanDevices.adopt(description, options(false), new DeviceSeams(witness, Set.of()))) {
                GpuQueue queue = gpu.queues().get(0);
                queue.submit(new Submission("one", List.of(), List.of()));
                engine.guard.lock();
                try {
                    queue.submit(new Submission("within the engine's own lock", List.of(), List.of()));
                } finally {
                    engine.guard.unlock();
                }
            }
            // The first are calibrations of the clock, where the engine has not switched the extension on.
            assertThat(witness.held).hasSizeGreaterThanOrEqualTo(2).containsOnly(true);
        }
    }

    /** Plays a driver that looks at what is handed to it. */
    private static final class SubmissionWitness extends ForwardingDriver {
        private final List<List<Long>> waits = new ArrayList<>();
        private final List<List<Long>> signals = new ArrayList<>();

        @Override
        public int submit(VkQueue queue, org.lwjgl.vulkan.VkSubmitInfo2.Buffer submission, long fence) {
            waits.clear();
            signals.clear();
            var waited = submission.get(0).pWaitSemaphoreInfos();
            for (int i = 0; waited != null && i < waited.remaining(); i++) {
                waits.add(words(waited.get(i)));
            }
            var signalled = submission.get(0).pSignalSemaphoreInfos();
            for (int i = 0; signalled != null && i < signalled.remaining(); i++) {
                signals.add(words(signalled.get(i)));
            }
            return super.submit(queue, submission, fence);
        }

        private static List<Long> words(org.lwjgl.vulkan.VkSemaphoreSubmitInfo info) {
            return List.of(info.semaphore(), info.value(), info.stageMask());
        }
    }

    @Test
    void pointsOfTheEngineReachTheDriverWithTheirStages() {
        try (TestEngine engine = new TestEngine()) {
            long semaphore = engine.timelineSemaphore();
            SubmissionWitness witness = new SubmissionWitness();
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            try (VulkanDevice gpu =
                    VulkanDevices.adopt(description, options(false), new DeviceSeams(witness, Set.of()))) {
                engine.submit(List.of(), new TestEngine.Value(semaphore, 3), commands -> {});
                ExternalTimeline timeline = gpu.importTimeline("engine", semaphore);
                gpu.queues()
                        .get(0)
                        .submit(new Submission("both", List.of(), List.of())
                                .with(
                                        List.of(new ExternalPoint(timeline, 3, PipelineStage.COPY.bit())),
                                        List.of(new ExternalPoint(timeline, 4, PipelineStage.COMPUTE_SHADER.bit()))));
                assertThat(witness.waits)
                        .containsExactly(List.of(semaphore, 3L, VK13.VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT));
                assertThat(witness.signals)
                        .containsExactly(
                                List.of(
                                        gpu.handles().timeline(gpu.queues().get(0)),
                                        1L,
                                        VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT),
                                List.of(semaphore, 4L, VK13.VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT));
                engine.await(new TestEngine.Value(semaphore, 4));
            }
        }
    }

    @Test
    void onlyFeaturesThatAreOnCount() {
        try (TestEngine engine = new TestEngine();
                VulkanDevice gpu = adopt(engine)) {
            assertThat(gpu.capabilities().maxAnisotropy()).isEqualTo(1);
            assertThat(gpu.capabilities().limits().drawing().multiDrawIndirect())
                    .isFalse();
        }
    }

    @Test
    void featuresMayBeOnThroughStructuresOfTheirOwn() {
        // A chain holds but addresses.
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var chain = org.lwjgl.vulkan.VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            chain.pNext(VkPhysicalDeviceTimelineSemaphoreFeatures.calloc(stack)
                    .sType$Default()
                    .timelineSemaphore(true));
            chain.pNext(VkPhysicalDeviceHostQueryResetFeatures.calloc(stack)
                    .sType$Default()
                    .hostQueryReset(true));
            chain.pNext(VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures.calloc(stack)
                    .sType$Default()
                    .separateDepthStencilLayouts(true));
            chain.pNext(VkPhysicalDeviceSynchronization2Features.calloc(stack)
                    .sType$Default()
                    .synchronization2(true));
            chain.pNext(VkPhysicalDeviceDynamicRenderingFeatures.calloc(stack)
                    .sType$Default()
                    .dynamicRendering(true));
            assertThat(DeviceFeatures.read(0, chain.address()).missing()).containsExactly("maintenance4");
            chain.pNext(VkPhysicalDeviceMaintenance4Features.calloc(stack)
                    .sType$Default()
                    .maintenance4(true));
            assertThat(DeviceFeatures.read(0, chain.address()).missing()).isEmpty();
        }
    }

    @Test
    void everythingThatIsWrongIsNamedAtOnceAndNothingIsCreated() {
        try (TestEngine engine = new TestEngine(info -> {})) {
            AdoptedDevice description = engine.description
                    .queue(QueueKind.COMPUTE, engine.queue, 77, engine.guard)
                    .queue(QueueKind.COPY, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(() -> VulkanDevices.adopt(description, options(true)))
                    .isInstanceOfSatisfying(
                            AdoptionException.class,
                            failure -> assertThat(failure.problems())
                                    .hasSize(9)
                                    .allSatisfy(problem -> assertThat(failure).hasMessageContaining(problem)))
                    .hasMessageContaining("timelineSemaphore")
                    .hasMessageContaining("hostQueryReset")
                    .hasMessageContaining("separateDepthStencilLayouts")
                    .hasMessageContaining("synchronization2")
                    .hasMessageContaining("dynamicRendering")
                    .hasMessageContaining("maintenance4")
                    .hasMessageContaining("no graphics queue")
                    .hasMessageContaining("family 77")
                    .hasMessageContaining("'compute' and 'copy' are the same VkQueue");
            assertThat(engine.messages()).isEmpty();
        }
    }

    @Test
    void anAdoptionThatFailsHalfwayLeavesNothing() {
        TestEngine engine = new TestEngine();
        try (engine) {
            ForwardingDriver failing = new ForwardingDriver() {
                @Override
                public int submit(VkQueue queue, org.lwjgl.vulkan.VkSubmitInfo2.Buffer submission, long fence) {
                    return VK13.VK_ERROR_OUT_OF_HOST_MEMORY;
                }
            };
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(
                            () -> VulkanDevices.adopt(description, options(true), new DeviceSeams(failing, Set.of())))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("calibration");
            assertThat(((ReentrantLock) engine.guard).isLocked()).isFalse();
        }
        // The layer reports what is left when the engine destroys its device.
        assertThat(engine.messages()).isEmpty();
    }

    @Test
    void queuesOfAnotherDeviceAreRefused() {
        try (TestEngine engine = new TestEngine();
                TestEngine other = new TestEngine()) {
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, other.queue, TestEngine.FAMILY, other.guard)
                    .build();
            assertThatThrownBy(() -> VulkanDevices.adopt(description, options(false)))
                    .isInstanceOf(AdoptionException.class)
                    .hasMessageContaining("queue 'graphics' is of another VkDevice");
        }
    }

    @Test
    void queuesThatTheDeviceWasNotCreatedWithAreRefused() {
        try (TestEngine engine = new TestEngine()) {
            // As if it had been got from another family: its handle is none of this one's.
            VkQueue stray = new VkQueue(engine.queue.address() + 64, engine.device);
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, stray, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(() -> VulkanDevices.adopt(description, options(false)))
                    .isInstanceOf(AdoptionException.class)
                    .hasMessageContaining("queue 'graphics' is said to be of family 0, but is none of the queues");
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what callers outside of null-checked code do
    void nothingIsTheWrongQueue() {
        try (TestEngine engine = new TestEngine()) {
            assertThatThrownBy(() -> engine.description.queue(QueueKind.COPY, null, 0, engine.guard))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("queue 'copy' is null");
            assertThatThrownBy(() -> engine.description.queue(QueueKind.COPY, engine.queue, 0, null))
                    .hasMessageContaining("guard of adopted queue 'copy 2'");
            assertThatThrownBy(() -> AdoptedDevice.of(null)).hasMessageContaining("VkDevice to adopt");
        }
    }

    @Test
    void anOldInstanceIsRefusedWithoutBeingAsked() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            VkInstanceCreateInfo info = VkInstanceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pApplicationInfo(
                            VkApplicationInfo.calloc(stack).sType$Default().apiVersion(VK13.VK_API_VERSION_1_0));
            TestEngine.done(VK13.vkCreateInstance(info, null, out));
            VkInstance instance = new VkInstance(out.get(0), info);
            try {
                TestEngine.done(VK13.vkEnumeratePhysicalDevices(instance, stack.ints(1), out));
                VkPhysicalDevice physical = new VkPhysicalDevice(out.get(0), instance);
                VkDeviceQueueCreateInfo.Buffer queues = VkDeviceQueueCreateInfo.calloc(1, stack);
                queues.get(0).sType$Default().pQueuePriorities(stack.floats(1));
                VkDeviceCreateInfo deviceInfo =
                        VkDeviceCreateInfo.calloc(stack).sType$Default().pQueueCreateInfos(queues);
                TestEngine.done(VK13.vkCreateDevice(physical, deviceInfo, null, out));
                VkDevice device = new VkDevice(out.get(0), physical, deviceInfo);
                VK13.vkGetDeviceQueue(device, 0, 0, out);
                AdoptedDevice description = AdoptedDevice.of(device)
                        .createdWith(deviceInfo)
                        .ownQueue(QueueKind.COPY, new VkQueue(out.get(0), device), 99)
                        .sharedWith(98)
                        .build();
                assertThatThrownBy(() -> VulkanDevices.adopt(description, options(true)))
                        .isInstanceOf(AdoptionException.class)
                        .hasMessageContaining("the instance was created for Vulkan 1.0")
                        .hasMessageContaining("VK_EXT_debug_utils")
                        .hasMessageContaining("no graphics queue")
                        .hasMessageContaining("queue 'copy' is said to be of family 99, the device has 1")
                        .hasMessageContaining("shared with family 98, the device has 1");
                VK13.vkDestroyDevice(device, null);
            } finally {
                VK13.vkDestroyInstance(instance, null);
            }
        }
    }
}
