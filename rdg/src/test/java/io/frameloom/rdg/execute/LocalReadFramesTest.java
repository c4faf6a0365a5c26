package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.pipeline.TargetBlend;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanPolicy;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgTextureView;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.TextureExtraction;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkLayerProperties;

/** A pass that fills a G-buffer, and one that lights it where it lies. */
@Timeout(60)
class LocalReadFramesTest {
    private static final int SIZE = 16;
    private static final Capability LOCAL_READ = Capability.DYNAMIC_RENDERING_LOCAL_READ;
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
    private static final Format COLOR = Format.R8G8B8A8_UNORM;
    private static final TargetBlend REPLACE = TargetBlend.REPLACE;
    private static final TargetBlend KEPT = TargetBlend.KEPT;

    private static final ShaderSource ALL = new ShaderSource("all.vert", ShaderStage.VERTEX, """
            #version 450
            void main() {
                vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4 - 1;
                gl_Position = vec4(at, at.x * 0.1 + 0.3, 1);
            }
            """);
    private static final ShaderSource FILL = new ShaderSource("fill.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 albedo;
            layout(location = 1) out vec4 normal;
            void main() {
                albedo = vec4(fract(gl_FragCoord.xy * 0.37), 0.5, 1);
                normal = vec4(fract(gl_FragCoord.yx * 0.11), 1, 0);
            }
            """);
    private static final ShaderSource LIGHT = new ShaderSource("light.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput albedo;
            layout(input_attachment_index = 1, set = 0, binding = 1) uniform subpassInput normal;
            layout(input_attachment_index = 3, set = 0, binding = 2) uniform subpassInput depth;
            layout(location = 2) out vec4 lit;
            void main() {
                lit = vec4(subpassLoad(albedo).rgb * subpassLoad(normal).rgb, subpassLoad(depth).r);
            }
            """);

    private static final ShaderSource HAZE = new ShaderSource("haze.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(input_attachment_index = 3, set = 0, binding = 0) uniform subpassInput depth;
            layout(location = 0) out vec4 albedo;
            layout(location = 1) out vec4 normal;
            void main() {
                albedo = vec4(fract(gl_FragCoord.xy * 0.21), subpassLoad(depth).r, 1);
                normal = vec4(fract(gl_FragCoord.yx * 0.17), 1, 0);
            }
            """);

    private static DeviceRig virtual(boolean capable, boolean lazy) {
        return virtual(capable, lazy, RdgOptions.defaults());
    }

    private static DeviceRig virtual(boolean capable, boolean lazy, RdgOptions compile) {
        return new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                compile,
                false,
                options -> VirtualDevices.open(
                        new VirtualGpuOptions(2, 3).withLazyMemory(lazy),
                        capable ? options.require(LOCAL_READ) : options));
    }

    private static DeviceRig vulkan() {
        return vulkan(RdgOptions.defaults());
    }

    private static DeviceRig vulkan(RdgOptions compile) {
        TestDevice.assumeAny(LOCAL_READ);
        return new DeviceRig(
                2,
                FrameExecutorOptions.defaults(),
                compile,
                layerKnowsLocalReads(),
                options -> VulkanDevices.open("", options.require(LOCAL_READ)));
    }

    /** Layers before 1.3.276 take all of it for mistakes. */
    private static boolean layerKnowsLocalReads() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            int[] count = new int[1];
            VK13.vkEnumerateInstanceLayerProperties(count, null);
            VkLayerProperties.Buffer layers = VkLayerProperties.malloc(count[0], stack);
            VK13.vkEnumerateInstanceLayerProperties(count, layers);
            return layers.stream()
                    .anyMatch(layer -> layer.layerNameString().equals("VK_LAYER_KHRONOS_validation")
                            && layer.specVersion() >= VK13.VK_MAKE_VERSION(1, 3, 276));
        }
    }

    /** What both passes attach. */
    private static final class Targets {
        private final RdgTexture albedo;
        private final RdgTexture normal;
        private final RdgTexture lit;
        private final RdgTexture depth;

        Targets(RenderGraph graph) {
            albedo = Scene.texture(graph, "albedo", COLOR, TextureUsage.COLOR_ATTACHMENT);
            normal = Scene.texture(graph, "normal", COLOR, TextureUsage.COLOR_ATTACHMENT);
            lit = Scene.texture(graph, "lit", COLOR, TextureUsage.COLOR_ATTACHMENT);
            depth = Scene.texture(graph, "depth", Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT);
        }
    }

    /** What comes between the draws and what follows the reads. */
    private enum Neighbours {
        TESTS_BETWEEN,
        TESTS_BETWEEN_AND_READS_APART,
        TESTS_AND_SAMPLES,
        EXTRACTS,
        SAMPLES_ON_ANOTHER_QUEUE,
        HOISTS,
        SPLITS,
        READS_AGAIN;

        private RdgOptions options() {
            return switch (this) {
                case SAMPLES_ON_ANOTHER_QUEUE -> RdgOptions.defaults().withAsync(AsyncCompute.TAGGED);
                case HOISTS ->
                    RdgOptions.defaults().withPolicy(PlanPolicy.defaults().withHoistBarriers(true));
                case SPLITS ->
                    RdgOptions.defaults().withPolicy(PlanPolicy.defaults().withSplitBarriers(true));
                default -> RdgOptions.defaults();
            };
        }

        private void declare(DeviceRig rig, Scene scene, RenderGraph graph, List<TextureExtraction> extracted) {
            Targets targets = new Targets(graph);
            scene.fill(graph, targets, list -> {});
            switch (this) {
                case TESTS_BETWEEN -> {
                    scene.sky(graph, targets);
                    scene.light(graph, targets);
                }
                case TESTS_BETWEEN_AND_READS_APART -> {
                    scene.sky(graph, targets);
                    scene.light(graph, targets, PassFlag.NEVER_MERGE);
                }
                case TESTS_AND_SAMPLES -> {
                    scene.sky(graph, targets);
                    scene.light(graph, targets, PassFlag.NEVER_MERGE);
                    samples(graph, targets.depth, Access.SAMPLED_COMPUTE);
                }
                case EXTRACTS -> {
                    scene.light(graph, targets);
                    extracted.add(graph.extract(targets.albedo, Access.SAMPLED_FRAGMENT));
                    extracted.add(graph.extract(targets.depth, Access.SAMPLED_FRAGMENT));
                }
                case SAMPLES_ON_ANOTHER_QUEUE -> {
                    scene.light(graph, targets);
                    samples(graph, targets.albedo, Access.SAMPLED_COMPUTE, PassFlag.ASYNC_COMPUTE);
                    samples(graph, targets.depth, Access.SAMPLED_COMPUTE, PassFlag.ASYNC_COMPUTE);
                }
                case HOISTS -> {
                    scene.light(graph, targets);
                    extracted.add(graph.extract(targets.normal, Access.SAMPLED_FRAGMENT));
                    SplitFrames.passBeside(graph, "beside");
                    samples(graph, targets.albedo, Access.SAMPLED_COMPUTE);
                }
                case SPLITS -> {
                    scene.light(graph, targets);
                    rig.passBeside(graph, "beside");
                    samples(graph, targets.albedo, Access.SAMPLED_COMPUTE);
                }
                case READS_AGAIN -> {
                    scene.light(graph, targets);
                    SplitFrames.passBeside(graph, "beside");
                    scene.light(graph, targets, PassFlag.NEVER_MERGE);
                    samples(graph, targets.albedo, Access.SAMPLED_COMPUTE);
                }
            }
            ReadbackPasses.texture(graph, targets.lit);
        }

        private static void samples(RenderGraph graph, RdgTexture texture, Access access, PassFlag... flags) {
            graph.addPass("samples " + texture.name(), PassKind.COMPUTE)
                    .reads(texture, access)
                    .flag(PassFlag.NEVER_CULL)
                    .flag(flags)
                    .record(context -> {});
        }
    }

    /** The frame: declared anew each time, with pipelines that do not know whether passes are merged. */
    private static final class Scene implements AutoCloseable {
        private final DeviceRig rig;
        private final GraphicsPipeline fill;
        private final GraphicsPipeline sky;
        private final GraphicsPipeline light;

        Scene(DeviceRig rig) {
            this.rig = rig;
            fill = pipeline("fill", FILL, true, REPLACE, REPLACE, KEPT);
            sky = pipeline("sky", FILL, false, REPLACE, REPLACE, KEPT);
            light = pipeline("light", LIGHT, false, KEPT, KEPT, REPLACE);
        }

        private GraphicsPipeline pipeline(String name, ShaderSource fragment, boolean depth, TargetBlend... blends) {
            return rig.device.createGraphicsPipeline(
                    GraphicsPipelineDescription.of(name, ALL, fragment, COLOR, COLOR, COLOR)
                            .withBlends(List.of(blends))
                            .withDepth(new DepthState(DepthCompare.ALWAYS, depth, 0, 0), Format.D32_SFLOAT));
        }

        RdgReadback declare(RenderGraph graph, Consumer<CommandList> before, PassFlag... flags) {
            Targets targets = new Targets(graph);
            fill(graph, targets, before, flags);
            light(graph, targets);
            return ReadbackPasses.texture(graph, targets.lit);
        }

        void fill(RenderGraph graph, Targets targets, Consumer<CommandList> before, PassFlag... flags) {
            graph.addPass("g-buffer", PassKind.RASTER)
                    .color(targets.albedo, LoadOp.CLEAR, BLACK)
                    .color(targets.normal, LoadOp.CLEAR, BLACK)
                    .color(targets.lit, LoadOp.CLEAR, BLACK)
                    .depth(targets.depth, LoadOp.CLEAR, 1)
                    .flag(flags)
                    .record(context -> {
                        CommandList list = context.commands();
                        before.accept(list);
                        list.bindPipeline(fill);
                        list.draw(3, 1, 0, 0);
                    });
        }

        void sky(RenderGraph graph, Targets targets) {
            graph.addPass("sky", PassKind.RASTER)
                    .color(targets.albedo, LoadOp.LOAD, BLACK)
                    .color(targets.normal, LoadOp.LOAD, BLACK)
                    .color(targets.lit, LoadOp.LOAD, BLACK)
                    .depthReadOnly(targets.depth)
                    .record(context -> {
                        context.commands().bindPipeline(sky);
                        context.commands().draw(3, 1, 0, 0);
                    });
        }

        void light(RenderGraph graph, Targets targets, PassFlag... flags) {
            graph.addPass("lighting", PassKind.RASTER)
                    .colorInput(targets.albedo)
                    .colorInput(targets.normal)
                    .color(targets.lit, LoadOp.LOAD, BLACK)
                    .depthReadOnly(targets.depth)
                    .reads(targets.depth, Access.INPUT_ATTACHMENT)
                    .flag(flags)
                    .record(context -> {
                        CommandList list = context.commands();
                        list.bindPipeline(light);
                        list.bindTexture(
                                "albedo", context.texture(targets.albedo).view());
                        list.bindTexture(
                                "normal", context.texture(targets.normal).view());
                        list.bindTexture("depth", context.texture(targets.depth).view());
                        list.draw(3, 1, 0, 0);
                    });
        }

        private static RdgTexture texture(RenderGraph graph, String name, Format format, TextureUsage usage) {
            return graph.createTexture(name, TextureDescription.of(SIZE, SIZE, format, usage));
        }

        FramePlan plan(PassFlag... flags) {
            RenderGraph graph = new RenderGraph("frame");
            declare(graph, list -> {}, flags);
            return rig.compile(graph);
        }

        int[] frame(PassFlag... flags) {
            RenderGraph graph = new RenderGraph("frame");
            RdgReadback read = declare(graph, list -> {}, flags);
            rig.executor.execute(rig.compile(graph)).completed().await();
            return words(read);
        }

        @Override
        public void close() {
            fill.close();
            sky.close();
            light.close();
        }
    }

    private static int[] words(RdgReadback read) {
        ByteBuffer bytes = read.bytes().join();
        int[] words = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(words);
        return words;
    }

    private static PassPlan pass(FramePlan plan, String name) {
        return plan.passes().stream()
                .filter(pass -> pass.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The picture of one render pass is that of two, bit for bit. */
    @Test
    void lightIsTheSameInOneRenderPassAndInTwo() {
        try (DeviceRig rig = vulkan()) {
            try (Scene scene = new Scene(rig)) {
                assertThat(scene.plan().renderPasses())
                        .extracting(FramePlan.RenderPassPlan::passes)
                        .containsExactly(List.of(0, 1));
                assertThat(scene.plan(PassFlag.NEVER_MERGE).renderPasses()).hasSize(2);
                int[] merged = scene.frame();
                assertThat(merged).isEqualTo(scene.frame(PassFlag.NEVER_MERGE)).isEqualTo(scene.frame());
                assertThat(merged).doesNotHaveDuplicates();
            }
            rig.assertClean();
        }
    }

    /** The second reads by what the first has told the device, and a validation layer remembers where that was. */
    @Test
    void twoPassesReadInOneRenderPass() {
        try (DeviceRig rig = vulkan()) {
            try (Scene scene = new Scene(rig);
                    GraphicsPipeline haze = scene.pipeline("haze", HAZE, false, REPLACE, REPLACE, KEPT)) {
                List<int[]> pictures = new ArrayList<>();
                for (PassFlag[] flags : new PassFlag[][] {{}, {PassFlag.NEVER_MERGE}}) {
                    RenderGraph graph = new RenderGraph("frame");
                    Targets targets = new Targets(graph);
                    scene.fill(graph, targets, list -> {});
                    graph.addPass("haze", PassKind.RASTER)
                            .color(targets.albedo, LoadOp.LOAD, BLACK)
                            .color(targets.normal, LoadOp.LOAD, BLACK)
                            .color(targets.lit, LoadOp.LOAD, BLACK)
                            .depthReadOnly(targets.depth)
                            .reads(targets.depth, Access.INPUT_ATTACHMENT)
                            .flag(flags)
                            .record(context -> {
                                CommandList list = context.commands();
                                list.bindPipeline(haze);
                                list.bindTexture(
                                        "depth", context.texture(targets.depth).view());
                                list.draw(3, 1, 0, 0);
                            });
                    scene.light(graph, targets);
                    RdgReadback lit = ReadbackPasses.texture(graph, targets.lit);
                    FramePlan plan = rig.compile(graph);
                    assertThat(plan.renderPasses()).hasSize(flags.length == 0 ? 1 : 3);
                    rig.executor.execute(plan).completed().await();
                    pictures.add(words(lit));
                }
                assertThat(pictures.get(0)).isEqualTo(pictures.get(1)).doesNotHaveDuplicates();
            }
            rig.assertClean();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theVirtualDeviceFindsNothingWrong(boolean apart) {
        try (DeviceRig rig = virtual(true, false)) {
            try (Scene scene = new Scene(rig)) {
                PassFlag[] flags = apart ? new PassFlag[] {PassFlag.NEVER_MERGE} : new PassFlag[0];
                assertThat(scene.frame(flags)).isEqualTo(scene.frame(flags));
            }
            rig.assertClean();
        }
    }

    @Test
    void bothPassesAreOneRenderPassWithABarrierByRegionInside() {
        try (DeviceRig rig = virtual(true, false);
                Scene scene = new Scene(rig)) {
            FramePlan plan = scene.plan();
            assertThat(plan.renderPasses())
                    .extracting(FramePlan.RenderPassPlan::passes)
                    .containsExactly(List.of(0, 1));
            assertThat(pass(plan, "lighting").before())
                    .extracting(
                            barrier -> plan.resources().get(barrier.resource()).name())
                    .containsExactlyInAnyOrder("albedo", "normal", "depth");
            assertThat(pass(plan, "lighting").before())
                    .allMatch(barrier -> barrier.oldLayout() == TextureLayout.LOCAL_READ)
                    .allMatch(barrier -> barrier.newLayout() == TextureLayout.LOCAL_READ);
            // What is stored when the render pass ends is made available behind it.
            assertThat(pass(plan, "lighting").after())
                    .containsAll(pass(plan, "lighting").before());
            assertThat(pass(plan, "lighting").uses())
                    .extracting(use ->
                            plan.resources().get(use.resource()).name() + " " + use.access() + " " + use.layout())
                    .containsExactly(
                            "albedo INPUT_ATTACHMENT LOCAL_READ",
                            "normal INPUT_ATTACHMENT LOCAL_READ",
                            "lit COLOR_READ_WRITE COLOR",
                            "depth DEPTH_READ LOCAL_READ",
                            "depth INPUT_ATTACHMENT LOCAL_READ");
            assertThat(plan.explain("lighting"))
                    .contains("  shares its render pass: g-buffer, lighting")
                    .anyMatch(line -> line.contains("  before it: by region, inside of the render pass, albedo: "));
            assertThat(pass(plan, "g-buffer").targets().colors())
                    .extracting(color -> color.load() + " " + color.store() + " " + color.readOnly())
                    .containsExactly("CLEAR DONT_CARE false", "CLEAR DONT_CARE false", "CLEAR STORE false");
        }
    }

    /** A render pass stores its attachments when it ends: behind the reads, and before all that follows. */
    @ParameterizedTest
    @EnumSource
    void whatFollowsWaitsForTheStore(Neighbours neighbours) {
        try (DeviceRig rig = virtual(true, false, neighbours.options())) {
            FramePlan plan = frames(rig, neighbours);
            if (neighbours == Neighbours.HOISTS) {
                assertThat(pass(plan, "samples albedo").before()).isEmpty();
            }
            if (neighbours == Neighbours.SPLITS) {
                assertThat(rig.splits()).isPositive();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void layersFindNothingBehindTheStore(Neighbours neighbours) {
        try (DeviceRig rig = vulkan(neighbours.options())) {
            frames(rig, neighbours);
        }
    }

    private static FramePlan frames(DeviceRig rig, Neighbours neighbours) {
        FramePlan plan;
        try (Scene scene = new Scene(rig)) {
            List<TextureExtraction> extracted = new ArrayList<>();
            for (int frame = 0; ; frame++) {
                RenderGraph graph = new RenderGraph("frame");
                neighbours.declare(rig, scene, graph, extracted);
                plan = rig.compile(graph);
                assertStoresAreWaitedFor(plan);
                rig.executor.execute(plan).completed().await();
                extracted.forEach(TextureExtraction::recycle);
                extracted.clear();
                if (frame == 1) {
                    break;
                }
            }
        }
        rig.assertClean();
        return plan;
    }

    /** What leaves the state in which attachments are read names their writes. */
    private static void assertStoresAreWaitedFor(FramePlan plan) {
        List<PassPlan> members = plan.passes().stream()
                .filter(pass -> List.of("sky", "lighting").contains(pass.name()))
                .toList();
        assertThat(members.get(0).before())
                .extracting(barrier -> plan.resources().get(barrier.resource()).name())
                .contains("depth");
        List<PlanBarrier> leaving = plan.passes().stream()
                .flatMap(pass -> Stream.concat(pass.before().stream(), pass.after().stream()))
                .filter(barrier -> barrier.oldLayout() == TextureLayout.LOCAL_READ)
                .filter(barrier ->
                        barrier.ownership() == null || barrier.scope().srcAccess() != 0)
                .toList();
        assertThat(leaving).isNotEmpty().allSatisfy(barrier -> {
            boolean depth = plan.resources().get(barrier.resource()).name().equals("depth");
            Access store = depth ? Access.DEPTH_WRITE : Access.COLOR_WRITE;
            assertThat(barrier.scope().srcStages() & store.stages()).isEqualTo(store.stages());
            assertThat(MemoryAccess.covers(barrier.scope().srcAccess(), MemoryAccess.writesOf(store.memoryAccess())))
                    .isTrue();
        });
    }

    @Test
    void apartEachLoadsWhatItReadsAndLeavesItAsItIs() {
        try (DeviceRig rig = virtual(true, false);
                Scene scene = new Scene(rig)) {
            FramePlan plan = scene.plan(PassFlag.NEVER_MERGE);
            assertThat(pass(plan, "g-buffer").targets().colors())
                    .extracting(color -> color.store())
                    .containsOnly(StoreOp.STORE);
            assertThat(pass(plan, "lighting").targets().colors())
                    .extracting(color -> color.load() + " " + color.readOnly())
                    .containsExactly("LOAD true", "LOAD true", "LOAD false");
            assertThat(plan.explain("lighting"))
                    .contains("  colour of 'albedo': only read")
                    .noneMatch(line -> line.contains("by region"));
        }
    }

    /** Then nothing of the G-buffer ever reaches memory. */
    @Test
    void whereMemoryIsLazyTheTargetsStayOnTiles() {
        try (DeviceRig rig = virtual(true, true)) {
            try (Scene scene = new Scene(rig)) {
                assertThat(scene.plan().resources())
                        .filteredOn(FramePlan.ResourcePlan::lazy)
                        .extracting(FramePlan.ResourcePlan::name)
                        .containsExactly("albedo", "normal", "depth");
                scene.frame();
            }
            rig.assertClean();
        }
    }

    @Test
    void whatIsReadIsNotWrittenAgainInTheRenderPass() {
        try (DeviceRig rig = virtual(true, false)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture albedo = Scene.texture(graph, "albedo", COLOR, TextureUsage.COLOR_ATTACHMENT);
            RdgTexture lit = Scene.texture(graph, "lit", COLOR, TextureUsage.COLOR_ATTACHMENT);
            graph.addPass("first", PassKind.RASTER)
                    .color(albedo, LoadOp.CLEAR, BLACK)
                    .color(lit, LoadOp.CLEAR, BLACK)
                    .record(context -> {});
            graph.addPass("second", PassKind.RASTER)
                    .colorInput(albedo)
                    .color(lit, LoadOp.LOAD, BLACK)
                    .record(context -> {});
            graph.addPass("third", PassKind.RASTER)
                    .color(albedo, LoadOp.LOAD, BLACK)
                    .color(lit, LoadOp.LOAD, BLACK)
                    .record(context -> {});
            ReadbackPasses.texture(graph, lit);
            ReadbackPasses.texture(graph, albedo);
            FramePlan plan = rig.compile(graph);
            assertThat(plan.renderPasses())
                    .extracting(FramePlan.RenderPassPlan::passes)
                    .containsExactly(List.of(0, 1), List.of(2));
            assertThat(plan.renderPasses().get(1).refusal()).isEqualTo("'third' writes 'albedo', which 'second' reads");
            rig.executor.execute(plan).completed().await();
            rig.assertClean();
        }
    }

    /** Merged or not, a pass does not write what it has declared to read. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAPassReadsItDoesNotDrawTo(boolean apart) {
        try (DeviceRig rig = virtual(true, false);
                Scene scene = new Scene(rig)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture albedo = Scene.texture(graph, "albedo", COLOR, TextureUsage.COLOR_ATTACHMENT);
            RdgTexture other = Scene.texture(graph, "other", COLOR, TextureUsage.COLOR_ATTACHMENT);
            RdgTexture lit = Scene.texture(graph, "lit", COLOR, TextureUsage.COLOR_ATTACHMENT);
            RdgTexture depth = Scene.texture(graph, "depth", Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT);
            graph.addPass("first", PassKind.RASTER)
                    .color(albedo, LoadOp.CLEAR, BLACK)
                    .color(other, LoadOp.CLEAR, BLACK)
                    .color(lit, LoadOp.CLEAR, BLACK)
                    .depth(depth, LoadOp.CLEAR, 1)
                    .flag(apart ? new PassFlag[] {PassFlag.NEVER_MERGE} : new PassFlag[0])
                    .record(context -> {
                        context.commands().bindPipeline(scene.fill);
                        context.commands().draw(3, 1, 0, 0);
                    });
            List<Throwable> refused = new ArrayList<>();
            graph.addPass("second", PassKind.RASTER)
                    .colorInput(albedo)
                    .color(other, LoadOp.LOAD, BLACK)
                    .color(lit, LoadOp.LOAD, BLACK)
                    .depthReadOnly(depth)
                    .reads(depth, Access.INPUT_ATTACHMENT)
                    .record(context -> {
                        CommandList list = context.commands();
                        list.bindPipeline(scene.fill);
                        refused.add(catchThrowable(() -> list.draw(3, 1, 0, 0)));
                        refused.add(catchThrowable(() -> list.clearColorAttachment(0, BLACK, 0, 0, 1, 1)));
                        refused.add(
                                catchThrowable(() -> list.clearDepthStencilAttachment(true, 1, false, 0, 0, 0, 1, 1)));
                    });
            ReadbackPasses.texture(graph, lit);
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(refused.get(0)).hasMessageContaining("pipeline 'fill' writes colour 0");
            assertThat(refused.get(1)).hasMessageContaining("the colour attachment of the render pass is read only");
            assertThat(refused.get(2)).hasMessageContaining("the depth attachment of the render pass is read only");
        }
    }

    /** What is tested and sampled is in another layout than what others read where it is attached. */
    @Test
    void depthThatAPassTestsAndSamplesIsReadLocallyByOthers() {
        try (DeviceRig rig = virtual(true, false)) {
            try (Scene scene = new Scene(rig)) {
                RenderGraph graph = new RenderGraph("frame");
                Targets targets = new Targets(graph);
                scene.fill(graph, targets, list -> {});
                graph.addPass("samples", PassKind.RASTER)
                        .color(targets.albedo, LoadOp.LOAD, BLACK)
                        .color(targets.normal, LoadOp.LOAD, BLACK)
                        .color(targets.lit, LoadOp.LOAD, BLACK)
                        .depthReadOnly(targets.depth)
                        .reads(targets.depth, Access.SAMPLED_FRAGMENT)
                        .record(context -> {});
                scene.light(graph, targets);
                ReadbackPasses.texture(graph, targets.lit);
                FramePlan plan = rig.compile(graph);
                assertThat(plan.renderPasses())
                        .extracting(FramePlan.RenderPassPlan::passes)
                        .containsExactly(List.of(0), List.of(1), List.of(2));
                assertThat(plan.renderPasses().get(1).refusal()).isEqualTo("a change of layout lies between them");
                assertThat(pass(plan, "samples").uses())
                        .filteredOn(use ->
                                plan.resources().get(use.resource()).name().equals("depth"))
                        .extracting(FramePlan.UsePlan::layout)
                        .containsOnly(TextureLayout.DEPTH_RO);
                rig.executor.execute(plan).completed().await();
            }
            rig.assertClean();
        }
    }

    @Test
    void depthThatAPassSamplesIsNotReadLocallyByTheSame() {
        try (DeviceRig rig = virtual(true, false)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture depth = Scene.texture(graph, "depth", Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT);
            graph.addPass("first", PassKind.RASTER)
                    .depth(depth, LoadOp.CLEAR, 1)
                    .record(context -> {});
            graph.addPass("second", PassKind.RASTER)
                    .depthReadOnly(depth)
                    .reads(depth, Access.SAMPLED_FRAGMENT)
                    .reads(depth, Access.INPUT_ATTACHMENT)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            assertThatThrownBy(() -> rig.compile(graph)).hasMessageContaining("CONFLICTING_USES");
        }
    }

    /** The barriers of both are one, which each target has a part of. */
    @Test
    void twoLayersOfATextureAreReadWhereTheyAreAttached() {
        try (DeviceRig rig = virtual(true, false)) {
            RenderGraph graph = new RenderGraph("layers");
            RdgTexture both = graph.createTexture(
                    "both",
                    TextureDescription.of(SIZE, SIZE, COLOR, TextureUsage.COLOR_ATTACHMENT)
                            .withLayers(2));
            RdgTexture lit = Scene.texture(graph, "lit", COLOR, TextureUsage.COLOR_ATTACHMENT);
            graph.addPass("fill", PassKind.RASTER)
                    .color(layer(both, 0), LoadOp.CLEAR, BLACK)
                    .color(layer(both, 1), LoadOp.CLEAR, BLACK)
                    .color(lit, LoadOp.CLEAR, BLACK)
                    .record(context -> {});
            graph.addPass("read", PassKind.RASTER)
                    .colorInput(layer(both, 0))
                    .colorInput(layer(both, 1))
                    .color(lit, LoadOp.LOAD, BLACK)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            FramePlan plan = rig.compile(graph);
            assertThat(plan.renderPasses()).hasSize(1);
            rig.executor.execute(plan).completed().await();
            rig.assertClean();
        }
    }

    /** One layer is read, another one drawn to. */
    @Test
    void aPassDrawsToALayerBesideTheOneThatItReads() {
        try (DeviceRig rig = virtual(true, false)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture both = graph.createTexture(
                    "both",
                    TextureDescription.of(SIZE, SIZE, COLOR, TextureUsage.COLOR_ATTACHMENT)
                            .withLayers(2));
            for (String name : List.of("first", "second")) {
                PassBuilder pass = graph.addPass(name, PassKind.RASTER);
                if (name.equals("first")) {
                    pass.color(layer(both, 0), LoadOp.CLEAR, BLACK).color(layer(both, 1), LoadOp.CLEAR, BLACK);
                } else {
                    pass.colorInput(layer(both, 0)).color(layer(both, 1), LoadOp.LOAD, BLACK);
                }
                pass.flag(PassFlag.NEVER_CULL)
                        .record(context -> context.commands().clearColorAttachment(1, BLACK, 0, 0, 1, 1));
            }
            rig.executor.execute(rig.compile(graph)).completed().await();
            rig.assertClean();
        }
    }

    private static RdgTextureView layer(RdgTexture texture, int layer) {
        return texture.view(SubresourceRange.of(0, layer));
    }

    /** What the one that is left out would have drawn is only read. */
    @ParameterizedTest
    @CsvSource({"false, LOAD", "true, LOAD", "false, CLEAR", "true, CLEAR"})
    void thePassThatDrawsMayBeLeftOut(boolean runs, LoadOp load) {
        try (DeviceRig rig = virtual(true, false)) {
            try (Scene scene = new Scene(rig)) {
                RenderGraph graph = new RenderGraph("frame");
                Targets targets = new Targets(graph);
                scene.fill(graph, targets, list -> {}, PassFlag.NEVER_MERGE);
                graph.addPass("sometimes", PassKind.RASTER)
                        .color(targets.albedo, load, BLACK)
                        .color(targets.normal, load, BLACK)
                        .color(targets.lit, load, BLACK)
                        .depth(targets.depth, load, 1)
                        .onlyIf(() -> runs)
                        .record(context -> {
                            context.commands().bindPipeline(scene.fill);
                            context.commands().draw(3, 1, 0, 0);
                        });
                scene.light(graph, targets);
                ReadbackPasses.texture(graph, targets.lit);
                FramePlan plan = rig.compile(graph);
                assertThat(plan.renderPasses())
                        .extracting(FramePlan.RenderPassPlan::passes)
                        .containsExactly(List.of(0), List.of(1, 2));
                assertThat(pass(plan, "lighting").targets().colors())
                        .extracting(color -> color.load())
                        .containsOnly(LoadOp.LOAD);
                rig.executor.execute(plan).completed().await();
            }
            rig.assertClean();
        }
    }

    /** Contents that nobody wants any more may still be stored when their memory is taken over. */
    @Test
    void whoTakesOverMemoryWaitsForTheStore() {
        try (DeviceRig rig = virtual(true, false)) {
            try (Scene scene = new Scene(rig)) {
                RenderGraph graph = new RenderGraph("frame");
                Targets targets = new Targets(graph);
                scene.fill(graph, targets, list -> {});
                scene.light(graph, targets);
                RdgTexture later = Scene.texture(graph, "later", COLOR, TextureUsage.COLOR_ATTACHMENT);
                graph.addPass("draws", PassKind.RASTER)
                        .color(later, LoadOp.CLEAR, BLACK)
                        .record(context -> {});
                ReadbackPasses.texture(graph, targets.lit);
                ReadbackPasses.texture(graph, later);
                FramePlan plan = rig.compile(graph);
                assertThat(pass(plan, "draws").before()).singleElement().satisfies(barrier -> {
                    assertThat(barrier.allMemory()).isTrue();
                    assertThat(barrier.scope().srcAccess() & MemoryAccess.COLOR_WRITE.bit())
                            .isNotZero();
                });
                rig.executor.execute(plan).completed().await();
            }
            rig.assertClean();
        }
    }

    @Test
    void whatIsReadLocallyIsMadeForThatAlone() {
        try (DeviceRig rig = virtual(true, false);
                Scene scene = new Scene(rig)) {
            RenderGraph graph = new RenderGraph("frame");
            Targets targets = new Targets(graph);
            scene.fill(graph, targets, list -> {});
            scene.light(graph, targets);
            RdgTexture later = Scene.texture(graph, "later", COLOR, TextureUsage.COLOR_ATTACHMENT);
            graph.addPass("draws", PassKind.RASTER)
                    .color(later, LoadOp.CLEAR, BLACK)
                    .record(context -> {});
            graph.extract(later, Access.INPUT_ATTACHMENT);
            graph.extract(targets.normal, Access.SAMPLED_FRAGMENT);
            ReadbackPasses.texture(graph, targets.lit);
            assertThat(rig.compile(graph).resources())
                    .filteredOn(resource -> List.of("albedo", "normal", "later").contains(resource.name()))
                    .extracting(resource -> resource.textureDescription().usage())
                    .containsExactly(
                            EnumSet.of(TextureUsage.COLOR_ATTACHMENT, TextureUsage.INPUT_ATTACHMENT),
                            EnumSet.of(
                                    TextureUsage.SAMPLED, TextureUsage.COLOR_ATTACHMENT, TextureUsage.INPUT_ATTACHMENT),
                            EnumSet.of(TextureUsage.COLOR_ATTACHMENT, TextureUsage.INPUT_ATTACHMENT));
        }
    }

    /** Stencil is not read, and stays out of it. */
    @Test
    void ofDepthWithStencilDepthIsRead() {
        try (DeviceRig rig = virtual(true, false)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture depth = Scene.texture(graph, "depth", Format.D32_SFLOAT_S8_UINT, TextureUsage.DEPTH_ATTACHMENT);
            graph.addPass("first", PassKind.RASTER)
                    .depth(depth, LoadOp.CLEAR, 1)
                    .record(context -> {});
            graph.addPass("second", PassKind.RASTER)
                    .depthReadOnly(depth)
                    .reads(depth, Access.INPUT_ATTACHMENT)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            FramePlan plan = rig.compile(graph);
            assertThat(pass(plan, "second").uses())
                    .extracting(use -> use.range().planeCount())
                    .containsOnly(1);
            rig.executor.execute(plan).completed().await();
            rig.assertClean();
        }
    }

    @Test
    void aPassThatReadsLocallyIsNotRecordedInParts() {
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture albedo = Scene.texture(graph, "albedo", COLOR, TextureUsage.COLOR_ATTACHMENT);
        PassBuilder pass = graph.addPass("second", PassKind.RASTER).colorInput(albedo);
        assertThatThrownBy(() -> pass.recordParts(2, (context, part) -> {}))
                .hasMessageContaining("'second'")
                .hasMessageContaining("declares INPUT_ATTACHMENT of 'albedo', which no part can bind");
    }

    @Test
    void aDeviceThatCannotIsNamedWithTheWayOut() {
        try (DeviceRig rig = virtual(false, false)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture albedo = Scene.texture(graph, "albedo", COLOR, TextureUsage.COLOR_ATTACHMENT);
            graph.addPass("first", PassKind.RASTER)
                    .color(albedo, LoadOp.CLEAR, BLACK)
                    .record(context -> {});
            graph.addPass("second", PassKind.RASTER)
                    .colorInput(albedo)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            assertThatThrownBy(() -> rig.compile(graph))
                    .isInstanceOf(RdgValidationException.class)
                    .hasMessageContaining("takes DYNAMIC_RENDERING_LOCAL_READ, which is off")
                    .hasMessageContaining("'albedo', which pass 'second' reads where it is attached")
                    .hasMessageContaining("read it as SAMPLED_FRAGMENT in a pass that does not attach it")
                    .hasMessageContaining("sample the texture in a render pass of its own");
        }
    }

    @Test
    void whatIsReadIsAttached() {
        try (DeviceRig rig = virtual(true, false)) {
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture albedo = Scene.texture(graph, "albedo", COLOR, TextureUsage.COLOR_ATTACHMENT);
            RdgTexture lit = Scene.texture(graph, "lit", COLOR, TextureUsage.COLOR_ATTACHMENT);
            graph.addPass("first", PassKind.RASTER)
                    .color(albedo, LoadOp.CLEAR, BLACK)
                    .record(context -> {});
            graph.addPass("second", PassKind.RASTER)
                    .reads(albedo, Access.INPUT_ATTACHMENT)
                    .color(lit, LoadOp.CLEAR, BLACK)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            assertThatThrownBy(() -> rig.compile(graph))
                    .hasMessageContaining(
                            "pass 'second' declares INPUT_ATTACHMENT of 'albedo', which it does not attach")
                    .hasMessageContaining("attach it by colorInput or depthReadOnly");
        }
    }

    @SuppressWarnings("NullAway") // what the compiler would find
    @Test
    void whatIsMissingIsNamed() {
        PassBuilder pass = new RenderGraph("frame").addPass("reads", PassKind.RASTER);
        RdgTextureView noView = null;
        RdgBuffer noBuffer = null;
        assertThatThrownBy(() -> pass.colorInput(noView)).hasMessage("view must not be null");
        assertThatThrownBy(() -> pass.counts(QueryKind.SAMPLES, noBuffer)).hasMessage("results must not be null");
    }
}
