package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.MultisampleState;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.TargetBlend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.driver.DeviceFeatures;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;

/** An engine's device is shared: work goes in both directions, and nothing of it is destroyed. */
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

    private DeviceOptions options() {
        return new DeviceOptions(tasks, "unused", true, checker);
    }

    /** Whatever the device supports: the engine has not switched it on. */
    @Test
    void pipelinesHaveTheFeaturesThatTheEngineHasSwitchedOn() {
        try (TestEngine engine = new TestEngine();
                VulkanDevice gpu = engine.adopt(options())) {
            GraphicsPipelineDescription lines = new GraphicsPipelineDescription(
                    "lines",
                    new ShaderSource("lines.vert", ShaderStage.VERTEX, """
                            #version 450
                            void main() { gl_Position = vec4(0); }
                            """),
                    null,
                    null,
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
                    Set.of(),
                    1,
                    0,
                    -1);
            assertThatThrownBy(() -> gpu.createGraphicsPipeline(lines))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'lines' draws polygons as LINE");
            assertThat(engine.messages()).isEmpty();
        }
    }

    /** Without both, no pipeline can ask for them, and the largest subgroup is not told. */
    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void subgroupsAreFullWhereTheEngineHasSwitchedOnWhatAsksForThat(boolean sizes, boolean full) {
        try (VulkanDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "features", false, null))) {
            VkPhysicalDeviceVulkan13Features supported =
                    DeviceFeatures.supported(device.handles().physicalDevice()).v13();
            assumeTrue(supported.subgroupSizeControl() && supported.computeFullSubgroups());
            assertThat(device.capabilities().limits().compute().fullSubgroups()).isTrue();
        }
        try (TestEngine engine = new TestEngine(info -> {
                    TestEngine.neededFeatures(info);
                    // The last one that was put into the chain is its first.
                    VkPhysicalDeviceFeatures2 all = VkPhysicalDeviceFeatures2.create(info.pNext());
                    VkPhysicalDeviceVulkan13Features.create(all.pNext())
                            .subgroupSizeControl(sizes)
                            .computeFullSubgroups(full);
                });
                VulkanDevice gpu = engine.adopt(options())) {
            assertThat(gpu.capabilities().limits().compute().fullSubgroups()).isEqualTo(sizes && full);
            assertThat(engine.messages()).isEmpty();
        }
    }

    @Test
    void engineAndFrameloomWorkOnOneImageWithoutTheHostInBetween() {
        try (TestEngine engine = new TestEngine()) {
            long image = engine.image();
            TestEngine.HostBuffer pixels = engine.hostBuffer(VK13.VK_BUFFER_USAGE_TRANSFER_DST_BIT);
            long semaphore = engine.timelineSemaphore();
            try (VulkanDevice gpu = engine.adopt(options());
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
            try (VulkanDevice gpu = engine.adopt(options());
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
                VulkanDevice gpu = engine.adopt(options());
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
}
