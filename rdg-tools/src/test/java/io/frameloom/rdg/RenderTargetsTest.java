package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.parameter.DepthAttachment;
import io.frameloom.rdg.parameter.StencilAttachment;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Depth, stencil, resolve targets and layers, each as what it is: what one pass declares of a plane leaves the other alone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RenderTargetsTest {
    private static final ClearColor BLACK = ClearColor.BLACK_TRANSPARENT;
    private static final int SAMPLES = 4;
    private static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(1024, 256, 1);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(description.bytes(), 256, 1);
        }
    };

    private final RenderGraph graph = new RenderGraph("targets");

    private FramePlan compile() {
        return new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
    }

    private void refused(String... words) {
        assertThatThrownBy(this::compile)
                .isInstanceOf(RdgValidationException.class)
                .hasMessageContainingAll(words);
    }

    private RdgTexture depthStencil(String name) {
        return graph.createTexture(
                name, TextureDescription.of(64, 64, Format.D32_SFLOAT_S8_UINT, TextureUsage.DEPTH_ATTACHMENT));
    }

    private RdgTexture color(String name, int samples) {
        return graph.createTexture(
                name,
                TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                        .withSamples(samples));
    }

    /** Layers of one texture may be outputs of one pass, each once. */
    @Test
    void aTextureIsAttachedOnce() {
        RdgTexture layered = graph.createTexture(
                "layered",
                TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                        .withLayers(2));
        graph.addPass("apart", PassKind.RASTER)
                .flag(PassFlag.NEVER_CULL)
                .color(layered.layer(0), LoadOp.CLEAR, BLACK)
                .color(layered.layer(1), LoadOp.CLEAR, BLACK)
                .record(context -> {});
        assertThat(compile().passes()).hasSize(1);
        graph.addPass("twice", PassKind.RASTER)
                .flag(PassFlag.NEVER_CULL)
                .color(layered.layer(1), LoadOp.CLEAR, BLACK)
                .color(layered.layer(1), LoadOp.CLEAR, BLACK)
                .record(context -> {});
        refused("CONFLICTING_USES", "'twice'", "'layered' as 2 colour attachments", "once");
    }

    /** Keeps a pass that reads a plane by a buffer that the application gets. */
    private void readStencil(RdgTexture texture) {
        RdgBuffer out = graph.createBuffer("out", BufferDescription.device(64 * 64, BufferUsage.COPY_DST));
        graph.extract(out);
        graph.addPass("read", PassKind.COPY)
                .reads(texture.plane(1), Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST)
                .record(context -> {});
    }

    private static RenderTargets targets(PassPlan pass) {
        return Objects.requireNonNull(pass.targets());
    }

    @Test
    void depthLeavesStencilAlone() {
        RdgTexture both = depthStencil("both");
        graph.addPass("stencil mask", PassKind.RASTER)
                .stencil(both, LoadOp.CLEAR, 3)
                .record(context -> {});
        graph.addPass("depth", PassKind.RASTER)
                .depth(both, LoadOp.CLEAR, 1)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        readStencil(both);
        FramePlan plan = compile();
        assertThat(plan.culledCount()).isZero();
        assertThat(plan.passes().get(1).before())
                .allSatisfy(barrier -> assertThat(
                                Objects.requireNonNull(barrier.range()).basePlane())
                        .isZero())
                .allSatisfy(barrier -> assertThat(
                                Objects.requireNonNull(barrier.range()).planeCount())
                        .isEqualTo(1));
        RenderTargets mask = targets(plan.passes().get(0));
        assertThat(mask.depth()).isNull();
        assertThat(mask.stencil())
                .isEqualTo(new RenderTargets.Stencil(
                        0, new SubresourceRange(0, 1, 0, 1, 1, 1), LoadOp.CLEAR, StoreOp.STORE, 3, false, null));
        RenderTargets.Depth depth =
                Objects.requireNonNull(targets(plan.passes().get(1)).depth());
        assertThat(depth.range()).isEqualTo(SubresourceRange.mip(0));
        assertThat(depth.store()).isEqualTo(StoreOp.DONT_CARE);
    }

    @Test
    void depthAndStencilOfOnePassHaveOneBarrierAndOperationsOfTheirOwn() {
        RdgTexture both = depthStencil("both");
        graph.addPass("draw", PassKind.RASTER)
                .depthStencil(both, LoadOp.CLEAR, 0, 7)
                .record(context -> {});
        readStencil(both);
        FramePlan plan = compile();
        RenderTargets drawn = targets(plan.passes().get(0));
        assertThat(plan.passes().get(0).before()).singleElement().satisfies(barrier -> {
            assertThat(Objects.requireNonNull(barrier.range()).planeCount()).isEqualTo(2);
            assertThat(barrier.newLayout()).isEqualTo(TextureLayout.DEPTH);
        });
        assertThat(Objects.requireNonNull(drawn.depth()).store()).isEqualTo(StoreOp.DONT_CARE);
        assertThat(Objects.requireNonNull(drawn.stencil()).store()).isEqualTo(StoreOp.STORE);
    }

    @Test
    void passesWithTheSameStencilShareARenderPass() {
        RdgTexture both = depthStencil("both");
        RdgTexture target = color("target", 1);
        graph.extract(target, Access.COPY_SRC);
        for (int i = 0; i < 2; i++) {
            LoadOp load = i == 0 ? LoadOp.CLEAR : LoadOp.LOAD;
            graph.addPass("draw " + i, PassKind.RASTER)
                    .color(target, load, BLACK)
                    .depthStencil(both, load, 0, 1)
                    .record(context -> {});
        }
        graph.addPass("test", PassKind.RASTER)
                .color(target, LoadOp.LOAD, BLACK)
                .depth(both, LoadOp.LOAD, 0)
                .stencilReadOnly(both)
                .record(context -> {});
        FramePlan plan = compile();
        assertThat(plan.renderPasses())
                .extracting(FramePlan.RenderPassPlan::passes)
                .containsExactly(List.of(0, 1), List.of(2));
        assertThat(plan.explain("test")).anyMatch(line -> line.contains("their render targets differ"));
        assertThat(targets(plan.passes().get(1)).stencil())
                .satisfies(stencil -> assertThat(stencil.load()).isEqualTo(LoadOp.CLEAR));
    }

    @Test
    void theLastPassOfARenderPassResolves() {
        RdgTexture many = color("many", SAMPLES);
        RdgTexture one = color("one", 1);
        graph.extract(one, Access.COPY_SRC);
        graph.addPass("opaque", PassKind.RASTER)
                .color(many, LoadOp.CLEAR, BLACK)
                .record(context -> {});
        graph.addPass("transparent", PassKind.RASTER)
                .color(many, LoadOp.LOAD, BLACK)
                .resolve(one)
                .record(context -> {});
        FramePlan plan = compile();
        assertThat(plan.renderPasses()).hasSize(1);
        RenderTargets.Color color = targets(plan.passes().get(0)).colors().get(0);
        assertThat(color.store()).isEqualTo(StoreOp.DONT_CARE);
        assertThat(color.resolve()).isEqualTo(new RenderTargets.Resolve(1, SubresourceRange.mip(0), null));
        assertThat(plan.passes().get(0).before())
                .extracting(FramePlan.PlanBarrier::resource)
                .containsExactlyInAnyOrder(0, 1);
        assertThat(plan.explain("transparent"))
                .contains("  colour of 'many': load CLEAR, store DONT_CARE, resolved to 'one'");
    }

    @Test
    void whatIsResolvedNowhereNeededIsNotResolved() {
        RdgTexture many = color("many", SAMPLES);
        RdgTexture one = color("one", 1);
        graph.extract(many, Access.COPY_SRC);
        graph.addPass("draw", PassKind.RASTER)
                .color(many, LoadOp.CLEAR, BLACK)
                .resolve(one)
                .record(context -> {});
        assertThat(targets(compile().passes().get(0)).colors().get(0).resolve()).isNull();
    }

    @Test
    void noPassFollowsAResolveOrDepthThatIsResolved() {
        RdgTexture many = graph.createTexture(
                "many",
                TextureDescription.of(64, 64, Format.D32_SFLOAT_S8_UINT, TextureUsage.DEPTH_ATTACHMENT)
                        .withSamples(SAMPLES));
        RdgTexture one = depthStencil("one");
        graph.extract(one, Access.COPY_SRC);
        graph.addPass("fill", PassKind.RASTER)
                .depthStencil(many, LoadOp.CLEAR, 0, 7)
                .record(context -> {});
        graph.addPass("resolve", PassKind.RASTER)
                .depthStencil(many, LoadOp.LOAD, 0, 7)
                .resolve(one, ResolveMode.SAMPLE_ZERO)
                .record(context -> {});
        FramePlan plan = compile();
        assertThat(plan.renderPasses()).hasSize(2);
        assertThat(plan.renderPasses().get(1).refusal()).contains("resolved");
        PassPlan resolve = plan.passes().get(1);
        assertThat(resolve.uses())
                .extracting(FramePlan.UsePlan::access)
                .containsExactly(
                        Access.DEPTH_RESOLVE_SRC,
                        Access.DEPTH_RESOLVE_SRC,
                        Access.DEPTH_RESOLVE_DST,
                        Access.DEPTH_RESOLVE_DST);
        assertThat(plan.resources())
                .allSatisfy(resource -> assertThat(Objects.requireNonNull(resource.textureDescription())
                                .usage())
                        .doesNotContain(TextureUsage.COLOR_ATTACHMENT));
    }

    @Test
    void layersAreAttachedTogetherAndStoredIfOneOfThemIsNeeded() {
        TextureDescription shape = TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                .withLayers(3);
        RdgTexture array = graph.createTexture("array", shape);
        RdgTexture target = color("target", 1);
        graph.extract(target, Access.COPY_SRC);
        graph.addPass("all", PassKind.RASTER)
                .color(array.view(), LoadOp.CLEAR, BLACK)
                .record(context -> {});
        graph.addPass("one", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, BLACK)
                .reads(array.layer(2), Access.SAMPLED_FRAGMENT)
                .record(context -> {});
        RenderTargets all = targets(compile().passes().get(0));
        assertThat(all.layers()).isEqualTo(3);
        assertThat(all.colors().get(0).store()).isEqualTo(StoreOp.STORE);
    }

    @Test
    void targetsThatDoNotFitAreNamed() {
        RdgTexture many = color("many", SAMPLES);
        RdgTexture one = color("one", 1);
        RdgTexture depth = graph.createTexture(
                "depth", TextureDescription.of(64, 64, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT));
        RdgTexture both = depthStencil("both");
        RdgTexture other = depthStencil("other");
        RdgTexture layers = graph.createTexture(
                "layers",
                TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                        .withLayers(2));
        graph.addPass("samples", PassKind.RASTER)
                .color(many, LoadOp.CLEAR, BLACK)
                .color(one, LoadOp.CLEAR, BLACK)
                .record(context -> {});
        graph.addPass("no stencil", PassKind.RASTER)
                .stencil(depth, LoadOp.CLEAR, 0)
                .record(context -> {});
        graph.addPass("two textures", PassKind.RASTER)
                .depth(both, LoadOp.CLEAR, 0)
                .stencil(other, LoadOp.CLEAR, 0)
                .record(context -> {});
        graph.addPass("one sample", PassKind.RASTER)
                .color(one, LoadOp.CLEAR, BLACK)
                .resolve(many)
                .record(context -> {});
        graph.addPass("layers", PassKind.RASTER)
                .color(one, LoadOp.CLEAR, BLACK)
                .color(layers.view(), LoadOp.CLEAR, BLACK)
                .record(context -> {});
        refused(
                "'many' has 4, 'one' has 1",
                "attaches 'depth' of D32_SFLOAT as stencil",
                "depth 'both' and stencil 'other'",
                "resolves 'one' to 'many', from 1 to 4 samples",
                "'one' is attached with 1, 'layers' with 2");
    }

    /** The draws and tests of the case rp-08, of depth that nobody, a sampler, a second test and an extraction want behind them. */
    @Test
    void aTestOfDepthStoresWhatSomebodyReadsLater() {
        RdgTexture over = depth("over");
        RdgTexture sampled = depth("sampled");
        RdgTexture twice = depth("twice");
        RdgTexture kept = depth("kept");
        graph.extract(kept, Access.SAMPLED_FRAGMENT);
        for (RdgTexture texture : List.of(over, sampled, twice, kept)) {
            drawAndTest(texture);
        }
        test("again", twice);
        graph.addPass("sample", PassKind.RASTER)
                .reads(sampled, Access.SAMPLED_FRAGMENT)
                .color(color("seen", 1), LoadOp.CLEAR, BLACK)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});

        assertThat(stored("over")).containsExactly(StoreOp.STORE, StoreOp.DONT_CARE);
        assertThat(stored("sampled")).containsExactly(StoreOp.STORE, StoreOp.STORE);
        assertThat(stored("twice")).containsExactly(StoreOp.STORE, StoreOp.STORE, StoreOp.DONT_CARE);
        assertThat(stored("kept")).containsExactly(StoreOp.STORE, StoreOp.STORE);
    }

    private RdgTexture depth(String name) {
        return graph.createTexture(name, TextureDescription.of(64, 64, Format.D32_SFLOAT, TextureUsage.SAMPLED));
    }

    private void drawAndTest(RdgTexture depth) {
        graph.addPass("draw " + depth.name(), PassKind.RASTER)
                .depth(depth, LoadOp.CLEAR, 1)
                .record(context -> {});
        test("test " + depth.name(), depth);
    }

    /** Alone in its render pass, which would have one operation for all of them otherwise. */
    private void test(String name, RdgTexture depth) {
        graph.addPass(name, PassKind.RASTER)
                .depthReadOnly(depth)
                .flag(PassFlag.NEVER_CULL, PassFlag.NEVER_MERGE)
                .record(context -> {});
    }

    private List<StoreOp> stored(String texture) {
        FramePlan plan = compile();
        List<StoreOp> all = new ArrayList<>();
        for (FramePlan.PassPlan pass : plan.passes()) {
            RenderTargets.Depth depth =
                    pass.targets() == null ? null : pass.targets().depth();
            if (depth != null && plan.resources().get(depth.resource()).name().equals(texture)) {
                all.add(depth.store());
            }
        }
        return all;
    }

    record Masked(
            @DepthAttachment(load = LoadOp.CLEAR, clear = 1) RdgTexture depth,

            @StencilAttachment(load = LoadOp.CLEAR, clear = 5)
            RdgTextureView stencil) {}

    record Tested(@StencilAttachment(readOnly = true) RdgTexture stencil) {}

    @Test
    void recordsDeclareStencil() {
        RdgTexture both = depthStencil("both");
        graph.addPass("mask", PassKind.RASTER)
                .parameters(new Masked(both, both.view()))
                .record(context -> {});
        graph.addPass("test", PassKind.RASTER)
                .parameters(new Tested(both))
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        FramePlan plan = compile();
        RenderTargets.Stencil mask =
                Objects.requireNonNull(targets(plan.passes().get(0)).stencil());
        assertThat(mask.clear()).isEqualTo(5);
        assertThat(mask.range().basePlane()).isEqualTo(1);
        RenderTargets.Stencil test =
                Objects.requireNonNull(targets(plan.passes().get(1)).stencil());
        assertThat(test.readOnly()).isTrue();
    }

    @Test
    void resolvesThatCannotBeAreRefusedAtOnce() {
        RdgTexture many = color("many", SAMPLES);
        RdgTexture one = color("one", 1);
        RdgTexture both = depthStencil("both");
        PassBuilder pass = graph.addPass("pass", PassKind.RASTER);
        assertThatThrownBy(() -> pass.resolve(one)).hasMessageContaining("no colour attachment");
        assertThatThrownBy(() -> pass.resolve(both, ResolveMode.MIN)).hasMessageContaining("no attachment of depth");
        pass.depthReadOnly(both).color(many, LoadOp.CLEAR, BLACK).resolve(one);
        assertThatThrownBy(() -> pass.resolve(one)).hasMessageContaining("'many' twice");
        assertThatThrownBy(() -> pass.resolve(both, ResolveMode.MIN)).hasMessageContaining("only tests");
        assertThatThrownBy(() -> pass.onlyIf(() -> true)).hasMessageContaining("resolves targets");
    }

    /** A plan that is kept knows what it was made of. */
    @Test
    void everyKindOfTargetDecidesAboutThePlan() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        Object first = CompiledPlan.of(compiler.compile(variant(3, LoadOp.CLEAR, ResolveMode.MIN), queues(), SIZER))
                .shape();
        assertThat(CompiledPlan.of(compiler.compile(variant(3, LoadOp.CLEAR, ResolveMode.MIN), queues(), SIZER))
                        .shape())
                .isSameAs(first);
        assertThat(CompiledPlan.of(compiler.compile(variant(4, LoadOp.CLEAR, ResolveMode.MIN), queues(), SIZER))
                        .shape())
                .isNotSameAs(first);
        assertThat(CompiledPlan.of(compiler.compile(variant(3, LoadOp.DONT_CARE, ResolveMode.MIN), queues(), SIZER))
                        .shape())
                .isNotSameAs(first);
        assertThat(CompiledPlan.of(compiler.compile(variant(3, LoadOp.CLEAR, ResolveMode.MAX), queues(), SIZER))
                        .shape())
                .isNotSameAs(first);
    }

    private static QueueTopology queues() {
        return QueueTopology.graphicsAndCompute();
    }

    private static RenderGraph variant(int clear, LoadOp load, ResolveMode mode) {
        RenderGraph graph = new RenderGraph("variant");
        TextureDescription shape =
                TextureDescription.of(64, 64, Format.D32_SFLOAT_S8_UINT, TextureUsage.DEPTH_ATTACHMENT);
        RdgTexture many = graph.createTexture("many", shape.withSamples(SAMPLES));
        RdgTexture one = graph.createTexture("one", shape);
        graph.extract(one, Access.COPY_SRC);
        graph.addPass("pass", PassKind.RASTER)
                .depth(many, LoadOp.CLEAR, 1)
                .stencil(many, load, clear)
                .resolve(one, mode)
                .record(context -> {});
        return graph;
    }

    @Test
    void aDumpGivesTheSamePlanAgain(@TempDir Path folder) throws IOException {
        RdgTexture many = color("many", SAMPLES);
        RdgTexture one = color("one", 1);
        TextureDescription shape =
                TextureDescription.of(64, 64, Format.D32_SFLOAT_S8_UINT, TextureUsage.DEPTH_ATTACHMENT);
        RdgTexture manyDepths = graph.createTexture("many depths", shape.withSamples(SAMPLES));
        RdgTexture oneDepth = graph.createTexture("one depth", shape);
        RdgTexture faces = graph.createTexture(
                "faces",
                TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT)
                        .withLayers(6));
        graph.extract(one, Access.COPY_SRC);
        graph.extract(oneDepth, Access.COPY_SRC);
        graph.extract(faces, Access.COPY_SRC);
        graph.addPass("draw", PassKind.RASTER)
                .color(many, LoadOp.CLEAR, BLACK)
                .resolve(one)
                .depthStencil(manyDepths, LoadOp.CLEAR, 0, 7)
                .resolve(oneDepth, ResolveMode.SAMPLE_ZERO)
                .record(context -> {});
        graph.addPass("faces", PassKind.RASTER)
                .color(faces.view(), LoadOp.CLEAR, BLACK)
                .record(context -> {});
        graph.addPass("mask", PassKind.RASTER).stencil(oneDepth, LoadOp.LOAD, 0).record(context -> {});
        FramePlan plan = compile();
        StringWriter dump = new StringWriter();
        PlanJson.write(plan, dump);
        Path file = folder.resolve("graph.json");
        Files.writeString(file, dump.toString());
        FramePlan again = Objects.requireNonNull(
                GraphFile.read(file).compile(options -> options).plan());
        assertThat(again.passes())
                .extracting(PassPlan::uses)
                .isEqualTo(plan.passes().stream().map(PassPlan::uses).toList());
        StringWriter second = new StringWriter();
        PlanJson.write(again, second);
        assertThat(second.toString()).isEqualTo(dump.toString());
        StringWriter facts = new StringWriter();
        GraphFile.read(file).compile(options -> options).writeJson(facts);
        assertThat(facts.toString()).contains("\"many depths\":\"clear\"");
    }
}
