package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanHandles;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkClearAttachment;
import org.lwjgl.vulkan.VkClearRect;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkRect2D;

/** Passes that record into the VkCommandBuffer, among others and under everything that a frame can be asked for. */
class NativePassFramesTest {
    private static final int SIZE = 8;
    private static final TextureDescription PICTURE = TextureDescription.of(
            SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC);
    private static final BufferDescription WORDS =
            BufferDescription.device(16, BufferUsage.COPY_DST, BufferUsage.COPY_SRC);
    private static final ClearColor BLACK = new ClearColor(0, 0, 0, 1);
    private static final int RED = 0xff0000ff;
    private static final int GREEN = 0xff00ff00;
    private static final int BLUE = 0xffff0000;

    private static VulkanHandles handles(DeviceRig rig) {
        return ((VulkanDevice) rig.device).handles();
    }

    private static void fill(RenderGraph graph, RdgBuffer buffer, VulkanHandles handles, int word) {
        graph.addPass("native fill", PassKind.COPY)
                .overwrites(buffer, Access.COPY_DST)
                .recordNative(
                        (vk, context) -> VK13.vkCmdFillBuffer(vk, handles.buffer(context.buffer(buffer)), 0, 16, word));
    }

    private static void copy(RenderGraph graph, RdgBuffer from, RdgBuffer to, VulkanHandles handles) {
        graph.addPass("native copy", PassKind.COPY)
                .reads(from, Access.COPY_SRC)
                .overwrites(to, Access.COPY_DST)
                .recordNative((vk, context) -> {
                    try (MemoryStack stack = MemoryStack.stackPush()) {
                        VK13.vkCmdCopyBuffer(
                                vk,
                                handles.buffer(context.buffer(from)),
                                handles.buffer(context.buffer(to)),
                                VkBufferCopy.calloc(1, stack).size(16));
                    }
                });
    }

    private static int[] words(RdgReadback readback, int count) {
        int[] words = new int[count];
        readback.bytes().join().asIntBuffer().get(words);
        return words;
    }

    private static FrameHandle finish(DeviceRig rig, RenderGraph graph) {
        FrameHandle handle = rig.executor.execute(rig.compile(graph));
        handle.completed().await();
        return handle;
    }

    private static RdgReadback filledAndCopied(DeviceRig rig, RenderGraph graph, int word) {
        VulkanHandles handles = handles(rig);
        RdgBuffer first = graph.createBuffer("first", WORDS);
        RdgBuffer second = graph.createBuffer("second", WORDS);
        fill(graph, first, handles, word);
        copy(graph, first, second, handles);
        return ReadbackPasses.buffer(graph, second);
    }

    @Test
    void passesAreOrderedByWhatTheyDeclare() {
        TestDevice.VULKAN.run(rig -> {
            for (int frame = 0; frame < 4; frame++) {
                RenderGraph graph = new RenderGraph("frame");
                RdgReadback read = filledAndCopied(rig, graph, frame);
                FrameStatistics statistics = finish(rig, graph).statistics();
                assertThat(words(read, 4)).containsOnly(frame);
                assertThat(statistics.passTimes())
                        .extracting(FrameStatistics.PassTime::pass)
                        .contains("native fill", "native copy");
            }
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Clobber.class,
            names = {"NAN", "LARGE"})
    void underClobber(Clobber clobber) {
        TestDevice.VULKAN.run(RdgDiagnostics.none().withClobber(clobber).withValidation(true), rig -> {
            RenderGraph graph = new RenderGraph("frame");
            RdgReadback read = filledAndCopied(rig, graph, 3);
            FrameHandle handle = finish(rig, graph);
            assertThat(words(read, 4)).containsOnly(3);
            assertThat(handle.warnings()).isEmpty();
        });
    }

    @Test
    void inImmediateMode() {
        TestDevice.VULKAN.run(RdgDiagnostics.none().withImmediate(true), rig -> {
            RenderGraph graph = rig.begin("frame");
            RdgReadback read = filledAndCopied(rig, graph, 5);
            finish(rig, graph);
            assertThat(words(read, 4)).containsOnly(5);
        });
    }

    private static GraphicsPipeline flat(DeviceRig rig) {
        return rig.device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "flat",
                new ShaderSource("flat.vert", ShaderStage.VERTEX, """
                        #version 450
                        const vec2 corners[3] = vec2[](vec2(-1, -1), vec2(-1, 3), vec2(3, -1));
                        void main() { gl_Position = vec4(corners[gl_VertexIndex], 0, 1); }
                        """),
                new ShaderSource("flat.frag", ShaderStage.FRAGMENT, """
                        #version 450
                        layout(location = 0) out vec4 color;
                        void main() { color = vec4(0, 1, 0, 1); }
                        """),
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(PICTURE.format()),
                null));
    }

    /** Fills columns of the only colour attachment, and leaves another scissor behind. */
    private static void fillColumns(VkCommandBuffer vk, int from, int to, float red, float blue) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkClearAttachment.Buffer clear = VkClearAttachment.calloc(1, stack);
            clear.get(0).aspectMask(VK13.VK_IMAGE_ASPECT_COLOR_BIT);
            clear.get(0).clearValue().color().float32(0, red).float32(2, blue).float32(3, 1);
            VkClearRect.Buffer area = VkClearRect.calloc(1, stack);
            area.get(0).layerCount(1).rect().offset().x(from);
            area.get(0).rect().extent().set(to - from, SIZE);
            VK13.vkCmdClearAttachments(vk, clear, area);
            VkRect2D.Buffer scissor = VkRect2D.calloc(1, stack);
            scissor.get(0).extent().set(1, 1);
            VK13.vkCmdSetScissor(vk, 0, scissor);
        }
    }

    /** Native passes on both sides of one that draws, in one render pass. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nativePassesShareARenderPass(boolean conditional) {
        TestDevice.VULKAN.run(rig -> {
            try (GraphicsPipeline flat = flat(rig)) {
                for (int frame = 0; frame < 2; frame++) {
                    boolean holds = frame == 0;
                    RenderGraph graph = new RenderGraph("frame");
                    RdgTexture picture = graph.createTexture("picture", PICTURE);
                    graph.addPass("first", PassKind.RASTER)
                            .color(picture, LoadOp.CLEAR, BLACK)
                            .recordNative((vk, context) -> {
                                assertThat(context.width()).isEqualTo(SIZE);
                                fillColumns(vk, 0, SIZE, 1, 0);
                            });
                    PassBuilder last = graph.addPass("middle", PassKind.RASTER).color(picture, LoadOp.LOAD, BLACK);
                    last.record(context -> {
                        context.commands().bindPipeline(flat);
                        context.commands().setScissor(0, 0, SIZE / 2, SIZE);
                        context.commands().draw(3, 1, 0, 0);
                    });
                    last = graph.addPass("last", PassKind.RASTER).color(picture, LoadOp.LOAD, BLACK);
                    if (conditional) {
                        last.onlyIf(() -> holds);
                    }
                    last.recordNative((vk, context) -> fillColumns(vk, 0, 1, 0, 1));
                    RdgReadback read = ReadbackPasses.texture(graph, picture);
                    FramePlan plan = rig.compile(graph);
                    assertThat(plan.renderPasses()).hasSize(1);
                    rig.executor.execute(plan).completed().await();
                    int[] row = words(read, SIZE);
                    assertThat(row[0]).isEqualTo(!conditional || holds ? BLUE : GREEN);
                    assertThat(row[1]).isEqualTo(GREEN);
                    assertThat(row[SIZE - 1]).isEqualTo(RED);
                }
            }
        });
    }

    /** Its targets are cleared by commands of the list, before the body. */
    @Test
    void aConditionClearsBeforeTheBody() {
        RdgDiagnostics captured = RdgDiagnostics.none().withCaptures(List.of(Capture.parse("picture")));
        TestDevice.VULKAN.run(captured, rig -> {
            for (boolean holds : new boolean[] {true, false}) {
                RenderGraph graph = new RenderGraph("frame");
                RdgTexture picture = graph.createTexture("picture", PICTURE);
                graph.addPass("red", PassKind.RASTER)
                        .color(picture, LoadOp.CLEAR, new ClearColor(1, 0, 0, 1))
                        .record(context -> {});
                graph.addPass("native", PassKind.RASTER)
                        .color(picture, LoadOp.CLEAR, BLACK)
                        .onlyIf(() -> holds)
                        .recordNative((vk, context) -> fillColumns(vk, 0, 1, 0, 1));
                ReadbackPasses.texture(graph, picture);
                CapturedTexture seen = finish(rig, graph).captures().get(0).join();
                assertThat(seen.number(0, 0, 2)).isEqualTo(holds ? 1 : 0);
                assertThat(seen.number(3, 0, 0)).isEqualTo(holds ? 0 : 1);
            }
        });
    }

    @Test
    void whatABodyThrowsFailsTheFrameByName() {
        TestDevice.VULKAN.run(rig -> {
            RenderGraph graph = new RenderGraph("frame");
            graph.addPass("broken", PassKind.COPY).flag(PassFlag.NEVER_CULL).recordNative((vk, context) -> {
                assertThatThrownBy(() -> context.commands().insertLabel("label"))
                        .hasMessageContaining("among native commands");
                throw new IllegalStateException("the application's");
            });
            FrameHandle failed = rig.executor.execute(rig.compile(graph));
            assertThatThrownBy(() -> failed.completed().await())
                    .hasRootCauseMessage("the application's")
                    .cause()
                    .hasMessageContaining("'broken'");
            RenderGraph next = new RenderGraph("next");
            RdgReadback read = filledAndCopied(rig, next, 9);
            finish(rig, next);
            assertThat(words(read, 4)).containsOnly(9);
        });
    }

    @Test
    void resourcesThatAreNotDeclaredAreNotResolved() {
        TestDevice.VULKAN.run(rig -> {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer other = graph.createBuffer("other", WORDS);
            graph.addPass("native", PassKind.COPY)
                    .flag(PassFlag.NEVER_CULL)
                    .recordNative((vk, context) -> context.buffer(other));
            FrameHandle failed = rig.executor.execute(rig.compile(graph));
            assertThatThrownBy(() -> failed.completed().await())
                    .rootCause()
                    .hasMessageContaining("pass 'native'")
                    .hasMessageContaining("takes resource 'other' that it has not declared");
        });
    }

    /** Nothing of the frame is recorded or submitted; a culled pass needs no Vulkan, and later frames are executed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void devicesWithoutVulkanRefuseThePlanBeforeTheFrame(boolean conditional) {
        TestDevice.VIRTUAL.run(rig -> {
            AtomicInteger ran = new AtomicInteger();
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer words = graph.createBuffer("words", WORDS);
            graph.addPass("before", PassKind.COPY)
                    .overwrites(words, Access.COPY_DST)
                    .record(context -> ran.incrementAndGet());
            PassBuilder pass = graph.addPass("particles", PassKind.COPY).writes(words, Access.COPY_DST);
            if (conditional) {
                pass.onlyIf(() -> ran.incrementAndGet() > 0);
            }
            pass.recordNative((vk, context) -> ran.incrementAndGet());
            ReadbackPasses.buffer(graph, words);
            FramePlan plan = rig.compile(graph);
            assertThatThrownBy(() -> rig.executor.execute(plan))
                    .isInstanceOf(RdgException.class)
                    .hasMessage(
                            "pass 'particles' of plan 'frame' records native commands, and device 'Frameloom virtual"
                                    + " GPU' is no Vulkan device; declare the pass only for a VulkanDevice, or record its"
                                    + " commands with record");
            assertThat(ran).hasValue(0);
            assertThat(rig.executor.poolStatistics().created()).isZero();

            RenderGraph culled = new RenderGraph("culled");
            RdgBuffer unread = culled.createBuffer("unread", WORDS);
            culled.addPass("particles", PassKind.COPY)
                    .overwrites(unread, Access.COPY_DST)
                    .recordNative((vk, context) -> ran.incrementAndGet());
            finish(rig, culled);
            assertThat(ran).hasValue(0);
        });
    }

    @Test
    void devicesWithoutVulkanRefuseThePassInImmediateMode() {
        TestDevice.VIRTUAL.run(RdgDiagnostics.none().withImmediate(true), rig -> {
            RenderGraph graph = rig.begin("frame");
            RdgBuffer words = graph.createBuffer("words", WORDS);
            PassBuilder pass = graph.addPass("particles", PassKind.COPY).overwrites(words, Access.COPY_DST);
            assertThatThrownBy(() -> pass.recordNative((vk, context) -> {}))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("pass 'particles'")
                    .hasMessageContaining("is no Vulkan device");
        });
    }
}
