package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.rdg.FramePlan.ScopePlan;
import io.frameloom.rdg.diagnostics.PlanWarning;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a graph takes before it is compiled: scopes, the blackboard, externals, views, relative sizes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeclarationTest {
    private static final MemorySizer SIZER = new MemorySizer() {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(256, 256, 1);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(256, 256, 1);
        }
    };
    private static final TextureDescription SHAPE =
            TextureDescription.of(64, 48, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);

    private final RenderGraph graph =
            new RenderGraph("frame", RdgOptions.defaults().withDebug(true));

    private FramePlan compile() {
        return new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
    }

    private void pass(String name) {
        graph.addPass(name, PassKind.COMPUTE).record(context -> {});
    }

    private record Lights(int count) {}

    private record Camera(int index) {}

    @Test
    void blackboardKeepsOneValueForEachType() {
        RdgBlackboard blackboard = graph.blackboard();
        Lights lights = blackboard.put(Lights.class, new Lights(3));
        assertThat(blackboard.get(Lights.class)).isSameAs(lights);
        assertThat(blackboard.find(Camera.class)).isNull();
        assertThatThrownBy(() -> blackboard.get(Camera.class))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("graph 'frame'", Camera.class.getName(), Lights.class.getName());
        assertThatThrownBy(() -> blackboard.put(Lights.class, new Lights(4)))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll(Lights.class.getName(), "already", "DeclarationTest");
        assertThat(blackboard.getOrCreate(Camera.class, () -> new Camera(1))).isEqualTo(new Camera(1));
        assertThat(blackboard.getOrCreate(Camera.class, () -> new Camera(2))).isEqualTo(new Camera(1));
    }

    @Test
    void scopesNestAndGiveTheirFlagsToThePassesInThem() {
        pass("outside");
        try (PassScope flags = graph.flagScope(PassFlag.NEVER_CULL, PassFlag.NEVER_MERGE)) {
            assertThat(flags.name()).contains("NEVER_CULL");
            graph.scope("shadows", () -> {
                pass("cascades");
                try (PassScope filter = graph.scope("filter");
                        PassScope serial = graph.flagScope(PassFlag.NEVER_PARALLEL)) {
                    assertThat(List.of(filter.name(), serial.name())).contains("filter");
                    pass("blur");
                }
            });
            pass("between");
        }
        pass("after");
        FramePlan plan = compile();
        assertThat(plan.scopes()).containsExactly(new ScopePlan(0, "shadows", -1), new ScopePlan(1, "filter", 0));
        assertThat(plan.passes()).extracting(FramePlan.PassPlan::scope).containsExactly(-1, 0, 1, -1, -1);
        Set<PassFlag> outer = Set.of(PassFlag.NEVER_CULL, PassFlag.NEVER_MERGE);
        assertThat(plan.passes())
                .extracting(FramePlan.PassPlan::flags)
                .containsExactly(
                        Set.of(),
                        outer,
                        Set.of(PassFlag.NEVER_CULL, PassFlag.NEVER_MERGE, PassFlag.NEVER_PARALLEL),
                        outer,
                        Set.of());
    }

    @Test
    void scopesAreClosedInnermostFirstAndBeforeTheGraphIsCompiled() {
        PassScope outer = graph.scope("outer");
        PassScope inner = graph.scope("inner");
        assertThatThrownBy(outer::close)
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'outer'", "'inner'", "innermost first", "DeclarationTest")
                .hasMessageNotContaining("ScopeStack");
        inner.close();
        assertThatThrownBy(this::compile)
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'outer'", "still open", "DeclarationTest");
        outer.close();
        assertThatThrownBy(outer::close).hasMessageContaining("no scope is open");
        compile();
    }

    @Test
    void scopeIsClosedWhenItsDeclarationFails() {
        assertThatThrownBy(() -> graph.scope("broken", () -> {
                    throw new IllegalArgumentException("on purpose");
                }))
                .hasMessage("on purpose");
        compile();
    }

    @Test
    void flagsThatDependOnThePassAreNotForScopes() {
        assertThatThrownBy(() -> graph.flagScope(PassFlag.READBACK))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("graph 'frame'", "READBACK", "NEVER_CULL", "on the passes");
    }

    @Test
    void importsOfOneObjectAreOneResource() {
        Texture first = FakeResources.imported("first", 7, Format.R8G8B8A8_UNORM);
        Texture second = FakeResources.imported("second", 7, Format.R8G8B8A8_UNORM);
        Texture other = FakeResources.imported("other", 8, Format.R8G8B8A8_UNORM);
        Buffer sameNumber = FakeResources.imported("buffer", 7, 256);
        RdgTexture handle = graph.registerExternal(first, TextureLayout.SHADER_RO);
        assertThat(graph.registerExternal(second, TextureLayout.SHADER_RO)).isSameAs(handle);
        assertThat(graph.findExternal(second)).isSameAs(handle);
        assertThat(graph.registerExternal(other, TextureLayout.SHADER_RO)).isNotSameAs(handle);
        assertThat(graph.registerExternal(sameNumber).name()).isEqualTo("buffer");
        assertThatThrownBy(() -> graph.registerExternal(second, TextureLayout.GENERAL))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'first'", "'second'", "SHADER_RO", "GENERAL", "DeclarationTest");
        assertThatThrownBy(() -> graph.registerPassthrough(second, TextureLayout.SHADER_RO))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'first'", "another way");
    }

    @Test
    void toolsFindEachTrackedTextureOfThisFrame() {
        RdgTexture own = graph.createTexture("own", SHAPE);
        graph.registerExternal(FakeResources.imported("buffer", 7, 256));
        RdgTexture external = graph.registerExternal(
                FakeResources.imported("external", 8, Format.R8G8B8A8_UNORM), TextureLayout.SHADER_RO);
        graph.registerPassthrough(
                FakeResources.imported("untracked", 9, Format.R8G8B8A8_UNORM), TextureLayout.SHADER_RO);
        assertThat(graph.textures()).containsExactly(own, external);
        graph.reset();
        assertThat(graph.textures()).isEmpty();
    }

    @Test
    void findsExternals() {
        Texture texture = FakeResources.texture("texture", 1, 1, Format.R8G8B8A8_UNORM);
        Buffer buffer = FakeResources.buffer("buffer", 256);
        assertThat(graph.findExternal(texture)).isNull();
        assertThat(graph.findExternal(buffer)).isNull();
        RdgTexture handle = graph.registerExternal(texture, TextureLayout.GENERAL);
        RdgBuffer bytes = graph.registerExternal(buffer);
        assertThat(graph.findExternal(texture)).isSameAs(handle);
        assertThat(graph.findExternal(buffer)).isSameAs(bytes);
        pass("nothing");
        assertThat(compile().resources().get(handle.index()).initialLayout()).isEqualTo(TextureLayout.GENERAL);
    }

    @Test
    void passthroughIsReadByManyWithoutBarrierOrWait() {
        RdgTexture noise = graph.registerPassthrough(
                FakeResources.texture("noise", 1, 1, Format.R8G8B8A8_UNORM), TextureLayout.SHADER_RO);
        RdgBuffer table = graph.registerPassthrough(FakeResources.buffer("table", 256));
        graph.addPass("draw", PassKind.RASTER)
                .flag(PassFlag.SKIP_RENDER_PASS, PassFlag.NEVER_CULL)
                .reads(noise, Access.SAMPLED_FRAGMENT)
                .reads(table, Access.STORAGE_READ_FRAGMENT)
                .record(context -> {});
        graph.addPass("simulate", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE, PassFlag.NEVER_CULL)
                .reads(noise, Access.SAMPLED_COMPUTE)
                .reads(table, Access.STORAGE_READ_COMPUTE)
                .record(context -> {});
        FramePlan plan = compile();
        assertThat(plan.passes()).extracting(FramePlan.PassPlan::queue).containsExactly(0, 1);
        assertThat(plan.barrierCount()).isZero();
        assertThat(plan.waitCount()).isZero();
        assertThat(plan.finalLayout(noise)).isEqualTo(TextureLayout.SHADER_RO);
    }

    @Test
    void passthroughIsNotChanged() {
        RdgTexture noise = graph.registerPassthrough(
                FakeResources.texture("noise", 1, 1, Format.R8G8B8A8_UNORM), TextureLayout.SHADER_RO);
        RdgBuffer table = graph.registerPassthrough(FakeResources.buffer("table", 256));
        PassBuilder pass = graph.addPass("p", PassKind.COMPUTE);
        for (Runnable misuse : List.<Runnable>of(
                () -> pass.reads(noise, Access.STORAGE_READ_COMPUTE),
                () -> pass.writes(noise, Access.STORAGE_WRITE_COMPUTE),
                () -> pass.writes(table, Access.STORAGE_WRITE_COMPUTE))) {
            assertThatThrownBy(misuse::run)
                    .isInstanceOf(RdgException.class)
                    .hasMessageContainingAll("pass 'p'", "passthrough", "DeclarationTest", "as an external");
        }
        assertThatThrownBy(() -> graph.finalAccess(noise, Access.COPY_SRC))
                .hasMessageContainingAll("'noise'", "passthrough");
    }

    @Test
    void viewsAreKept() {
        RdgTexture texture =
                graph.createTexture("texture", SHAPE.withMips(4).withLayers(3).withViewFormats(Format.R8G8B8A8_SRGB));
        SubresourceRange range = new SubresourceRange(1, 2, 0, 3, 0, 1);
        assertThat(texture.view(range)).isSameAs(texture.view(new SubresourceRange(1, 2, 0, 3, 0, 1)));
        assertThat(texture.view(range).kind()).isEqualTo(TextureViewKind.TWO_D_ARRAY);
        assertThat(texture.mip(2)).isSameAs(texture.mip(2)).isNotSameAs(texture.mip(1));
        assertThat(texture.layer(1).range()).isEqualTo(new SubresourceRange(0, 4, 1, 1, 0, 1));
        assertThat(texture.view().range()).isEqualTo(SubresourceRange.all(texture.description()));
        RdgTextureView srgb = texture.view(range, TextureViewKind.TWO_D_ARRAY, Format.R8G8B8A8_SRGB);
        assertThat(srgb).isNotSameAs(texture.view(range));
        assertThat(srgb.format()).isEqualTo(Format.R8G8B8A8_SRGB);
        RdgTexture depth = graph.createTexture(
                "depth", TextureDescription.of(8, 8, Format.D32_SFLOAT_S8_UINT, TextureUsage.SAMPLED));
        assertThat(depth.plane(1).range()).isEqualTo(new SubresourceRange(0, 1, 0, 1, 1, 1));
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(256, BufferUsage.STORAGE));
        assertThat(buffer.view(16, 32)).isSameAs(buffer.view(16, 32)).isNotSameAs(buffer.view());
    }

    @Test
    void viewsAreWithinTheirResource() {
        RdgTexture texture = graph.createTexture("texture", SHAPE);
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(256, BufferUsage.STORAGE));
        assertThatThrownBy(() -> texture.mip(1))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("graph 'frame'", "'texture'", "1 mip,", "DeclarationTest");
        assertThatThrownBy(() -> texture.view(texture.view().range(), TextureViewKind.TWO_D, Format.R8G8B8A8_SRGB))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'texture'", "R8G8B8A8_SRGB", "withViewFormats");
        RdgTexture volume = graph.createTexture("volume", SHAPE.withDepth(2));
        assertThatThrownBy(() -> volume.view(volume.view().range(), TextureViewKind.TWO_D, SHAPE.format()))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'volume'", "cannot be read as TWO_D", "THREE_D");
        for (long[] bad : new long[][] {{-1, 4}, {0, 0}, {0, 257}, {256, 1}, {Long.MAX_VALUE, 2}}) {
            assertThatThrownBy(() -> buffer.view(bad[0], bad[1]))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContainingAll("'buffer'", "256 bytes", "DeclarationTest");
        }
    }

    @Test
    void usesOfViewsAreUsesOfTheirRange() {
        RdgTexture texture = graph.createTexture("texture", SHAPE.withMips(2));
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(256, BufferUsage.STORAGE));
        graph.addPass("p", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .overwrites(texture.mip(1), Access.STORAGE_WRITE_COMPUTE)
                .writes(buffer.view(64, 32), Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("q", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(texture.mip(1), Access.SAMPLED_COMPUTE)
                .reads(buffer.view(0, 32), Access.STORAGE_READ_COMPUTE)
                .record(context -> {});
        assertThatThrownBy(this::compile)
                .isInstanceOfSatisfying(
                        RdgValidationException.class,
                        refusal -> assertThat(refusal.errors())
                                .extracting(RdgError::resource)
                                .containsExactly("buffer"));
    }

    @Test
    void sizesAreRelativeToAnExtentOrATexture() {
        graph.setExtent("swapchain", 1921, 1081);
        RdgTexture half =
                graph.createTexture("half", RelativeExtent.of("swapchain").scaled(0.5), SHAPE.withMips(5));
        assertThat(half.description().width()).isEqualTo(961);
        assertThat(half.description().height()).isEqualTo(541);
        assertThat(half.description().mips()).isEqualTo(5);
        RdgTexture tiny = graph.createTexture("tiny", RelativeExtent.of(half).scaled(0.001, 0.01), SHAPE.withMips(5));
        assertThat(tiny.description().width()).isEqualTo(1);
        assertThat(tiny.description().height()).isEqualTo(6);
        assertThat(tiny.description().mips()).isEqualTo(3);
    }

    @Test
    void relativeSizesNeedTheirReference() {
        graph.setExtent("swapchain", 64, 64);
        assertThatThrownBy(() -> graph.createTexture("t", RelativeExtent.of("window"), SHAPE))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("graph 'frame'", "'t'", "'window'", "swapchain", "setExtent");
        RdgTexture foreign = new RenderGraph("other").createTexture("theirs", SHAPE);
        assertThatThrownBy(() -> graph.createTexture("t", RelativeExtent.of(foreign), SHAPE))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'theirs'", "graph 'other'");
        assertThatThrownBy(() -> graph.setExtent("nothing", 0, 1)).isInstanceOf(RdgException.class);
        assertThatThrownBy(() -> RelativeExtent.of("swapchain").scaled(Double.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("swapchain");
    }

    @Test
    void passesWithoutDeclaredResourcesAreKept() {
        graph.addPass("debug draw", PassKind.RASTER, context -> {});
        graph.addPass("query", PassKind.COMPUTE, context -> {});
        assertThat(compile().passes()).noneMatch(FramePlan.PassPlan::culled);
    }

    @Test
    void aConditionalPassDiscardsNothing() {
        RdgTexture target = graph.createTexture("target", SHAPE);
        RdgBuffer data = graph.createBuffer("data", BufferDescription.device(256, BufferUsage.STORAGE));
        graph.extract(target, Access.SAMPLED_FRAGMENT);
        graph.extract(data);
        graph.addPass("first", PassKind.COMPUTE)
                .overwrites(target, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("maybe", PassKind.COMPUTE)
                .overwrites(target, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                .onlyIf(() -> false)
                .record(context -> {});
        FramePlan plan = compile();
        assertThat(plan.passes()).noneMatch(FramePlan.PassPlan::culled);
        assertThat(plan.dependencies()).isNotEmpty();
    }

    @Test
    void conditionsAndPartsExcludeEachOther() {
        PassBuilder pass = graph.addPass("p", PassKind.COMPUTE).onlyIf(() -> true);
        assertThatThrownBy(() -> pass.onlyIf(() -> true)).hasMessageContainingAll("'p'", "condition already");
        assertThatThrownBy(() -> pass.recordParts(2, (context, part) -> {}))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'p'", "condition", "DeclarationTest");
        assertThatThrownBy(() -> graph.addPass("q", PassKind.COMPUTE).recordParts(0, (context, part) -> {}))
                .hasMessageContainingAll("'q'", "1 or more");
        assertThatThrownBy(() -> graph.addPass("r", PassKind.RASTER)
                        .flag(PassFlag.SKIP_RENDER_PASS)
                        .recordParts(2, (context, part) -> {}))
                .hasMessageContainingAll("'r'", "SKIP_RENDER_PASS");
    }

    @Test
    void uniformsBelongToTheirGraph() {
        RdgUniformBuffer foreign = new RenderGraph("other").createUniforms("theirs", 16, target -> {});
        PassBuilder pass = graph.addPass("p", PassKind.COMPUTE);
        assertThatThrownBy(() -> pass.uniforms(foreign))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'p'", "'theirs'", "graph 'other'");
        assertThatThrownBy(() -> graph.createUniforms("none", 0, target -> {}))
                .isInstanceOf(RdgException.class)
                .hasMessageContainingAll("'none'", "at least 1 byte");
    }

    @Test
    void extractionsNameTheirMisuse() {
        RdgBuffer data = graph.createBuffer("data", BufferDescription.device(256, BufferUsage.STORAGE));
        RdgBuffer external = graph.registerExternal(FakeResources.buffer("ext", 256));
        graph.extract(data, Access.VERTEX);
        assertThatThrownBy(() -> graph.extract(data)).hasMessageContainingAll("'data'", "twice", "DeclarationTest");
        assertThatThrownBy(() -> graph.readBack(external)).hasMessageContainingAll("'ext'", "READBACK");
        graph.addPass("write", PassKind.COMPUTE)
                .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        assertThat(compile().resources().get(data.index()).bufferDescription())
                .isNotNull()
                .extracting(BufferDescription::usage)
                .asInstanceOf(InstanceOfAssertFactories.collection(BufferUsage.class))
                .contains(BufferUsage.VERTEX);
    }

    @Test
    void whatMayStayUnusedIsNoWarning() {
        RdgTexture unused = graph.createTexture("unused", SHAPE);
        RdgTexture shared = graph.createTexture("shared", SHAPE);
        RdgTexture unread = graph.createTexture("unread", SHAPE);
        graph.mayStayUnused(shared);
        graph.mayStayUnused(unread);
        graph.addPass("write", PassKind.COMPUTE)
                .overwrites(unread, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        for (boolean reuse : List.of(true, false)) {
            FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults().withReusePlans(reuse))
                    .compile(graph, QueueTopology.graphicsAndCompute(), SIZER);
            assertThat(plan.warnings()).singleElement().satisfies(warning -> {
                assertThat(warning.code()).isEqualTo(PlanWarning.Code.UNUSED_RESOURCE);
                assertThat(warning.subject()).isEqualTo(unused.name());
                assertThat(warning.sites()).singleElement().asString().contains("DeclarationTest");
            });
        }
        RdgTexture foreign = new RenderGraph("other").createTexture("theirs", SHAPE);
        assertThatThrownBy(() -> graph.mayStayUnused(foreign)).hasMessageContainingAll("'theirs'", "graph 'other'");
    }

    @Test
    void warningsNameTheLinesThatDeclared() {
        RdgTexture target = graph.createTexture("target", SHAPE);
        graph.addPass("culled", PassKind.COMPUTE)
                .overwrites(target, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        assertThat(compile().warnings())
                .filteredOn(warning -> warning.code() == PlanWarning.Code.CULLED_PASS)
                .singleElement()
                .satisfies(warning ->
                        assertThat(warning.sites()).singleElement().asString().contains("DeclarationTest"));
    }
}
