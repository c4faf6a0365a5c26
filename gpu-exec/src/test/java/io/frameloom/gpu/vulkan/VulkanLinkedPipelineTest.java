package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.PipelineLibrary;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.ProgramCacheStatistics;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.SpecializationValue;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.pipeline.PipelineFactory;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines that are linked from parts, under validation: what they draw, what they share, and how they end. */
@Timeout(60)
class VulkanLinkedPipelineTest {
    private static final int SIZE = 32;

    private static final ShaderSource CORNERS = new ShaderSource("corners.vert", ShaderStage.VERTEX, """
            #version 450
            const vec2 corners[3] = vec2[](vec2(-0.9, -0.7), vec2(-0.3, 0.9), vec2(0.8, 0.1));
            layout(constant_id = 0) const float SHIFT = 0.0;
            layout(location = 0) out vec3 shade;
            void main() {
                gl_Position = vec4(corners[gl_VertexIndex] + SHIFT, gl_VertexIndex * 0.3, 1);
                shade = vec3(gl_VertexIndex == 0, gl_VertexIndex == 1, gl_VertexIndex == 2);
            }
            """);

    private static final ShaderSource SHADED = new ShaderSource("shaded.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) in vec3 shade;
            layout(push_constant) uniform Push { vec4 tint; };
            layout(location = 0) out vec4 color;
            void main() { color = vec4(sin(shade * 5) * 0.5 + 0.5, 0.75) * tint; }
            """);

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final CountDownLatch background = new CountDownLatch(1);
    private final List<DriverDevice> devices = new ArrayList<>();
    private TaskGraph tasks;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() {
        ValidatedDevice.assumeDriver();
        assumeTrue(
                VulkanDevices.list().stream()
                        .anyMatch(each -> each.capabilities().contains(Capability.GRAPHICS_PIPELINE_LIBRARY)),
                "no device has GRAPHICS_PIPELINE_LIBRARY");
        tasks = own(TaskGraph.builder().name("linked").workers(1).build());
    }

    @AfterEach
    void close() throws Exception {
        background.countDown();
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        for (DriverDevice each : devices) {
            assertThat(each.validationMessages()).isEmpty();
        }
    }

    private <T extends AutoCloseable> T own(T object) {
        owned.push(object);
        return object;
    }

    private DriverDevice device(boolean parts, @Nullable ProgramCache programs) {
        DeviceOptions options = new DeviceOptions(tasks, "linked", true, null, programs);
        DriverDevice device = SeamedDevices.open(
                "",
                parts
                        ? options.require(Capability.GRAPHICS_PIPELINE_LIBRARY)
                        : options.require(Capability.DYNAMIC_VERTEX_INPUT),
                DeviceSeams.none());
        devices.add(device);
        return device;
    }

    private static GraphicsPipelineDescription describe(String name, @Nullable ShaderSource fragment) {
        return describe(name, CORNERS, fragment);
    }

    private static GraphicsPipelineDescription describe(
            String name, ShaderSource vertex, @Nullable ShaderSource fragment) {
        return new GraphicsPipelineDescription(
                name,
                vertex,
                fragment,
                List.of(),
                CullMode.NONE,
                new DepthState(DepthCompare.LESS, true, 0, 0),
                Blend.ALPHA,
                fragment == null ? List.of() : List.of(Format.R8G8B8A8_UNORM),
                Format.D32_SFLOAT);
    }

    /** Keeps the only worker, and with it what runs in the background, until {@link #release}. */
    private void hold() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        tasks.task("hold", () -> {
                    held.countDown();
                    background.await();
                })
                .fireAndForget();
        held.await();
    }

    private void release() {
        background.countDown();
        tasks.task("after", () -> {}).on(WorkerLevel.BACKGROUND).dispatch().await();
    }

    /** A picture of a device, with its depths. */
    private final class Picture {
        private final DriverDevice device;
        private final FrameContext context;
        private final Texture color;
        private final Texture depth;
        private final Buffer pixels;
        private final Buffer depths;

        Picture(DriverDevice device) {
            this.device = device;
            context = own(device.createFrameContext("frame"));
            color = own(device.createTexture(
                    "colour",
                    TextureDescription.of(
                            SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
            depth = own(device.createTexture(
                    "depth",
                    TextureDescription.of(
                            SIZE, SIZE, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC)));
            pixels = own(device.createBuffer("pixels", BufferDescription.readback(SIZE * SIZE * 4)));
            depths = own(device.createBuffer("depths", BufferDescription.readback(SIZE * SIZE * 4)));
        }

        CommandList record(GraphicsPipeline shaded, GraphicsPipeline depthOnly) {
            CommandList list = context.beginCommands(device.queues().get(0), "list");
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.barrier(transition(depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
            list.beginRendering(new RenderingInfo(
                    SIZE, SIZE, List.of(), new DepthAttachment(depth.view(), LoadOp.CLEAR, StoreOp.STORE, 1, false)));
            list.bindPipeline(depthOnly);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            list.barrier(transition(depth, TextureLayout.DEPTH, TextureLayout.DEPTH));
            list.beginRendering(new RenderingInfo(
                    SIZE,
                    SIZE,
                    List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, new ClearColor(0, 0, 1, 1))),
                    new DepthAttachment(depth.view(), LoadOp.LOAD, StoreOp.STORE, 1, false)));
            list.bindPipeline(shaded);
            ByteBuffer tint = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
            tint.asFloatBuffer().put(new float[] {1, 0.5f, 0.25f, 1});
            list.pushConstants(tint);
            list.setCullMode(CullMode.NONE);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.barrier(transition(depth, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(color, 0, 0, pixels, 0);
            list.copyTextureToBuffer(depth, 0, 0, depths, 0);
            list.end();
            return list;
        }

        List<int[]> of(CommandList list) {
            GpuQueue queue = device.queues().get(0);
            TimelinePoint point = queue.submit(new Submission("picture", List.of(list), List.of()));
            assertThat(queue.timeline().await(point.value(), ValidatedDevice.LONG))
                    .isTrue();
            return List.of(words(pixels), words(depths));
        }
    }

    private static GraphicsPipelineDescription shaded() {
        return describe("shaded", SHADED).withDynamicStates(Set.of(DynamicState.CULL_MODE));
    }

    private static GraphicsPipelineDescription depthOnly() {
        // Hides a part of what is drawn later.
        return describe("depth only", CORNERS.withConstant("SHIFT", SpecializationValue.ofFloat(0.3f)), null);
    }

    private static long handle(DriverDevice device, GraphicsPipeline pipeline) {
        return device.handles().pipeline(pipeline);
    }

    @Test
    void aPictureIsTheSameBeforeAndAfterTheOptimisationAndOfWholePipelines() throws InterruptedException {
        hold();
        DriverDevice device = own(device(true, null));
        Picture picture = new Picture(device);
        GraphicsPipeline shaded = own(device.createGraphicsPipeline(shaded()));
        GraphicsPipeline depthOnly = own(device.createGraphicsPipeline(depthOnly()));
        long fast = handle(device, shaded);
        List<int[]> before = picture.of(picture.record(shaded, depthOnly));
        CommandList recordedBefore = picture.record(shaded, depthOnly);
        assertThat(((VulkanPipeline) shaded).isOptimised()).isFalse();
        release();
        assertThat(((VulkanPipeline) shaded).isOptimised()).isTrue();
        assertThat(handle(device, shaded)).isNotEqualTo(fast);
        assertThat(picture.of(recordedBefore))
                .as("of a list that was recorded before, and submitted afterwards")
                .usingRecursiveComparison()
                .isEqualTo(before);
        assertThat(picture.of(picture.record(shaded, depthOnly)))
                .usingRecursiveComparison()
                .isEqualTo(before);

        DriverDevice other = own(device(false, null));
        Picture whole = new Picture(other);
        GraphicsPipeline wholeShaded = own(other.createGraphicsPipeline(shaded()));
        GraphicsPipeline wholeDepth = own(other.createGraphicsPipeline(depthOnly()));
        assertThat(((VulkanPipeline) wholeShaded).isOptimised()).isTrue();
        assertThat(whole.of(whole.record(wholeShaded, wholeDepth)))
                .usingRecursiveComparison()
                .isEqualTo(before);
        int background = 0xffff0000;
        assertThat(before.get(0)).contains(background);
        assertThat(Arrays.stream(before.get(0)).distinct().count())
                .as("colours")
                .isGreaterThan(20);
    }

    @Test
    void fiftyPipelinesThatShareShadersHaveFewParts() {
        DriverDevice device = own(device(true, null));
        List<VulkanPipeline> all = new ArrayList<>();
        try (PipelineFactory factory = new PipelineFactory(device.core(), null, tasks)) {
            for (int i = 0; i < 50; i++) {
                DepthState depth = new DepthState(DepthCompare.values()[i / 6 % 8], i >= 48, 0, 0);
                all.add(factory.create(describe("pipeline " + i, SHADED)
                        .withCull(CullMode.values()[i % 3])
                        .withBlend(i / 3 % 2 == 0 ? Blend.ALPHA : Blend.ADD)
                        .withDepth(depth, Format.D32_SFLOAT)));
            }
            assertThat(factory.parts())
                    .as("a vertex input, 3 faces, 8 + 1 depth tests, 2 ways to blend")
                    .isEqualTo(1 + 3 + 9 + 2);
            // Some of them while they are being optimised.
            all.forEach(VulkanPipeline::close);
            device.waitIdle();
            release();
            assertThat(factory.parts()).isZero();
        }
    }

    /** The validation layer names what a device leaves open, and what is destroyed in use. */
    @Test
    void aDeviceClosesWhilePipelinesAreBeingOptimised() {
        for (int round = 0; round < 3; round++) {
            DriverDevice device = device(true, null);
            for (int i = 0; i < 4; i++) {
                GraphicsPipeline pipeline = device.createGraphicsPipeline(
                        describe("pipeline " + i, SHADED).withCull(CullMode.values()[i % 3]));
                if (i % 2 == 0) {
                    pipeline.close();
                }
            }
            assertThatThrownBy(device::close).hasMessageContaining("pipeline 1").hasMessageContaining("pipeline 3");
        }
    }

    @Test
    void aLibraryCountsWhatIsNotOptimised() {
        DriverDevice device = own(device(true, null));
        long[] counted = new long[1];
        try (PipelineLibrary library = new PipelineLibrary(device, tasks)) {
            tasks.task("frame", () -> {
                        // The only worker compiles here, and so optimises nothing.
                        library.compile(shaded()).await();
                        counted[0] = library.statistics().unoptimised();
                    })
                    .dispatch()
                    .await();
            assertThat(counted[0]).isEqualTo(1);
            release();
            assertThat(library.statistics().unoptimised()).isZero();
        }
    }

    @Test
    void errorsNameThePipeline() {
        DriverDevice device = own(device(true, null));
        ShaderSource lacking = new ShaderSource("lacking.frag", ShaderStage.FRAGMENT, """
                #version 450
                layout(location = 7) in vec3 missing;
                layout(location = 0) out vec4 color;
                void main() { color = vec4(missing, 1); }
                """);
        assertThatThrownBy(() -> device.createGraphicsPipeline(describe("bad", lacking)))
                .hasMessageContaining("pipeline 'bad'")
                .hasMessageContaining("lacking.frag");
    }

    private <T> ProgramCacheStatistics start(Function<DriverDevice, T> use) {
        try (ProgramCache programs = ProgramCache.open(ProgramCacheOptions.in(folder.resolve("cache")), tasks)) {
            try (DriverDevice device = device(true, programs)) {
                use.apply(device);
            }
            programs.flush();
            return programs.statistics();
        }
    }

    @Test
    void theSecondStartCompilesNothing() {
        Function<DriverDevice, Boolean> use = device -> {
            try (GraphicsPipeline pipeline = device.createGraphicsPipeline(shaded());
                    GraphicsPipeline other = device.createGraphicsPipeline(shaded().withCull(CullMode.BACK))) {
                release();
                return Objects.equals(pipeline, other);
            }
        };
        assertThat(start(use).lookups().builds())
                .as("2 shaders, a part of each, one more for the other face, and 2 optimised pipelines")
                .isEqualTo(2 + 2 + 1 + 2);
        ProgramCacheStatistics warm = start(use);
        assertThat(warm.lookups().builds()).isZero();
        assertThat(warm.lookups().refusals()).isZero();
    }
}
