package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
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
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.taskgraph.TaskGraph;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A graph that is reset has forgotten everything, and what was of it before is refused. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GraphResetTest {
    private static final TextureDescription SHAPE =
            TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED, TextureUsage.COPY_SRC);
    private static final BufferDescription DATA = BufferDescription.device(64, BufferUsage.STORAGE);
    private static final PassBody NOTHING = context -> {};

    private final RenderGraph graph = new RenderGraph("frame");

    private FramePlan compile() {
        return new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.graphicsAndCompute(), PlanCase.SIZER);
    }

    private static void refused(ThrowingCallable declaration) {
        assertThatThrownBy(declaration)
                .isInstanceOf(RdgException.class)
                .hasMessageContaining("former frame of the graph");
    }

    @Test
    void whatIsDeclaredAgainIsTheSameObject() {
        RdgTexture texture = graph.createTexture("texture", SHAPE);
        RdgBuffer buffer = graph.createBuffer("buffer", DATA);
        RdgTextureView view = texture.mip(0);
        PassBuilder pass = graph.addPass("pass", PassKind.COMPUTE);
        OverlapGroup group = graph.overlapGroup("group");
        PassScope scope = graph.scope("scope");
        assertThat(graph.reset("other").name()).isEqualTo("other");
        assertThat(graph.createTexture(new String("texture"), SHAPE.withMips(1)))
                .isSameAs(texture);
        assertThat(graph.createBuffer("buffer", DATA)).isSameAs(buffer);
        assertThat(texture.mip(0)).isSameAs(view);
        assertThat(graph.addPass("pass", PassKind.COMPUTE)).isSameAs(pass);
        assertThat(graph.overlapGroup("group")).isSameAs(group);
        assertThat(graph.scope("scope")).isSameAs(scope);
        assertThat(graph.reset().name()).isEqualTo("other");
    }

    @Test
    void whatIsDeclaredDifferentlyIsNot() {
        RdgTexture texture = graph.createTexture("texture", SHAPE);
        RdgBuffer buffer = graph.createBuffer("buffer", DATA);
        PassBuilder pass = graph.addPass("pass", PassKind.COMPUTE);
        PassBuilder second = graph.addPass("second", PassKind.COMPUTE);
        OverlapGroup group = graph.overlapGroup("group");
        PassScope scope = graph.scope("scope");
        graph.reset();
        assertThat(graph.createTexture("texture", SHAPE.withMips(2))).isNotSameAs(texture);
        assertThat(graph.createTexture("texture", SHAPE)).isNotSameAs(texture);
        assertThat(graph.createBuffer("buffer", DATA)).isNotSameAs(buffer);
        assertThat(graph.addPass("pass", PassKind.COPY)).isNotSameAs(pass);
        assertThat(graph.addPass("pass", PassKind.COMPUTE)).isNotSameAs(second);
        assertThat(graph.overlapGroup("other")).isNotSameAs(group);
        assertThat(graph.flagScope(PassFlag.NEVER_CULL)).isNotSameAs(scope);
    }

    @Test
    void whatWasNotTrackedIsWhereItIsRegisteredSo() {
        Texture texture = FakeResources.texture("outside", 1, 1, Format.R8G8B8A8_UNORM);
        RdgTexture untracked = graph.registerPassthrough(texture, TextureLayout.SHADER_RO);
        assertThatThrownBy(() -> graph.finalAccess(untracked, Access.COPY_SRC)).hasMessageContaining("passthrough");
        graph.reset();
        RdgTexture tracked = graph.registerExternal(texture, TextureLayout.SHADER_RO);
        graph.finalAccess(tracked, Access.COPY_SRC);
        assertThat(graph.declaration().declared().finalAccess(tracked.index())).isEqualTo(Access.COPY_SRC);
    }

    /** All are told of, with the other mistakes, whether nothing or something else stands where they stood. */
    @Test
    void usesOfFormerHandlesAreErrorsOfTheGraph() {
        RdgTexture texture = graph.createTexture("texture", SHAPE);
        RdgTextureView view = texture.view();
        RdgBuffer buffer = graph.createBuffer("buffer", DATA);
        graph.reset();
        graph.createTexture("other", SHAPE);
        graph.addPass("wrong", PassKind.COMPUTE)
                .reads(view, Access.SAMPLED_COMPUTE)
                .writes(buffer.view(), Access.STORAGE_WRITE_COMPUTE)
                .record(NOTHING);
        graph.addPass("whole", PassKind.COMPUTE)
                .reads(buffer, Access.STORAGE_READ_COMPUTE)
                .record(NOTHING);
        graph.hostPass("host").reads(buffer, Access.HOST_READ).run(context -> {});
        graph.addPass("unfinished", PassKind.COMPUTE);
        graph.addPass("targets", PassKind.RASTER)
                .color(texture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(NOTHING);
        assertThatThrownBy(this::compile)
                .isInstanceOfSatisfying(
                        RdgValidationException.class,
                        refused -> assertThat(refused.errors())
                                .extracting(RdgError::code)
                                .containsExactlyInAnyOrder(
                                        RdgError.Code.FOREIGN_RESOURCE,
                                        RdgError.Code.FOREIGN_RESOURCE,
                                        RdgError.Code.FOREIGN_RESOURCE,
                                        RdgError.Code.FOREIGN_RESOURCE,
                                        RdgError.Code.NO_BODY,
                                        RdgError.Code.FOREIGN_RESOURCE))
                .hasMessageContaining("pass 'wrong' uses 'texture', a handle of a former frame of the graph")
                .hasMessageContaining("pass 'wrong' uses 'buffer', a handle of a former frame of the graph")
                .hasMessageContaining("pass 'whole' uses 'buffer', a handle of a former frame of the graph")
                .hasMessageContaining("pass 'host' uses 'buffer', a handle of a former frame of the graph")
                .hasMessageContaining("pass 'targets' uses 'texture', a handle of a former frame of the graph")
                .hasMessageContaining("declare the resource again");
    }

    @Test
    void formerHandlesAreRefused() {
        RdgTexture texture = graph.createTexture("texture", SHAPE);
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.readback(64));
        RdgTexture outside = graph.registerExternal(
                FakeResources.texture("outside", 1, 1, Format.R8G8B8A8_UNORM), TextureLayout.SHADER_RO);
        graph.reset();
        graph.createTexture("other", SHAPE);
        refused(() -> graph.extract(texture, Access.SAMPLED_FRAGMENT));
        refused(() -> graph.extract(buffer));
        refused(() -> graph.readBack(buffer));
        refused(() -> graph.finalAccess(outside, Access.COPY_SRC));
        refused(() -> graph.neverAlias(texture));
        refused(() -> graph.mayStayUnused(buffer));
        refused(() -> graph.createTexture("sized", RelativeExtent.of(texture), SHAPE));
        assertThat(texture.description()).isEqualTo(SHAPE);
        assertThat(graph.createTexture("sized", SHAPE).index()).isEqualTo(1);
    }

    @Test
    void formerBuildersAreRefused() {
        PassBuilder open = graph.addPass("open", PassKind.COMPUTE);
        PassBuilder raster = graph.addPass("raster", PassKind.RASTER);
        PassBuilder ended = graph.addPass("ended", PassKind.COMPUTE);
        ended.record(NOTHING);
        graph.reset();
        PassBuilder other = graph.addPass("other", PassKind.COMPUTE);
        RdgTexture texture = graph.createTexture("texture", SHAPE);
        refused(() -> open.reads(texture, Access.SAMPLED_COMPUTE));
        refused(() -> open.flag(PassFlag.NEVER_CULL));
        refused(() -> open.flag(PassFlag.NEVER_CULL, PassFlag.NEVER_MERGE));
        refused(() -> open.onQueue(0));
        refused(() -> open.onlyIf(() -> true));
        refused(() -> open.uniforms(graph.createUniforms("uniforms", 16, bytes -> {})));
        refused(() -> open.record(NOTHING));
        refused(() -> open.recordParts(2, (context, part) -> {}));
        refused(() -> open.after(other));
        refused(() -> other.after(open));
        refused(() -> other.after(ended));
        refused(() -> raster.color(texture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT));
        refused(() -> raster.renderArea(0, 0, 4, 4));
        refused(() -> ended.flag(PassFlag.NEVER_CULL));
        // It is the pass again, of which nothing is declared.
        assertThat(graph.addPass("raster", PassKind.RASTER)).isSameAs(raster);
        raster.color(texture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .after(other)
                .record(NOTHING);
        other.record(NOTHING);
        assertThat(compile().passes()).hasSize(2);
    }

    /** Nothing of the pass stands in the graph, or something else does. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void formerBuildersAreRefusedBeforeWhatTheyDeclareIsLookedAt(int passes) {
        graph.addPass("first", PassKind.COMPUTE).record(NOTHING);
        RdgTexture texture = graph.createTexture("texture", SHAPE);
        PassBuilder raster = graph.addPass("raster", PassKind.RASTER)
                .color(texture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .flag(PassFlag.SKIP_RENDER_PASS);
        graph.reset();
        RdgTexture target = graph.createTexture("target", SHAPE);
        for (int pass = 0; pass <= passes; pass++) {
            graph.addPass("other " + pass, PassKind.RASTER).onlyIf(() -> true).flag(PassFlag.SKIP_RENDER_PASS);
        }
        refused(() -> raster.resolve(target));
        refused(() -> raster.resolve(target, ResolveMode.AVERAGE));
        refused(() -> raster.recordParts(2, (context, part) -> {}));
    }

    @Test
    void formerUniformsGroupsSetupTasksAndScopesAreRefused() {
        RdgUniformBuffer uniforms = graph.createUniforms("uniforms", ByteBuffer.allocate(16));
        OverlapGroup group = graph.overlapGroup("group");
        PassScope scope = graph.scope("scope");
        try (TaskGraph tasks = TaskGraph.builder().name("tasks").workers(1).build()) {
            RdgSetupTask setup = graph.setupTask(tasks, "cull", () -> {});
            graph.reset();
            RdgBuffer buffer = graph.createBuffer("buffer", DATA);
            graph.createUniforms("uniforms", ByteBuffer.allocate(16));
            PassBuilder pass = graph.addPass("pass", PassKind.COMPUTE);
            refused(() -> pass.uniforms(uniforms));
            refused(() -> pass.after(setup));
            refused(() -> pass.writes(buffer, Access.STORAGE_WRITE_COMPUTE, group));
            assertThatThrownBy(scope::close).isInstanceOf(RdgException.class).hasMessageContaining("no scope is open");
            pass.reads(buffer, Access.STORAGE_READ_COMPUTE);
            setup.event().await();
        }
    }

    @Test
    void nothingOfTheFormerFrameIsLeft() {
        Texture texture = FakeResources.imported("outside", 7, Format.R8G8B8A8_UNORM);
        Buffer buffer = FakeResources.buffer("data", 64);
        for (String name : List.of("first", "second")) {
            graph.reset(name);
            assertThat(graph.blackboard().find(String.class)).isNull();
            assertThatThrownBy(() -> graph.createTexture("sized", RelativeExtent.of("output"), SHAPE))
                    .hasMessageContaining("graph '" + name + "'");
            assertThat(graph.findExternal(texture)).isNull();
            assertThat(graph.findExternal(buffer)).isNull();
            boolean first = name.equals("first");
            graph.blackboard().put(String.class, name);
            graph.setExtent("output", 64, 64);
            RdgTexture taken = graph.createTexture("taken", SHAPE);
            RdgTexture outside = graph.registerExternal(texture, first ? TextureLayout.SHADER_RO : TextureLayout.COLOR);
            RdgBuffer unread = graph.registerExternal(buffer);
            RdgBuffer lonely = graph.createBuffer("lonely", DATA);
            if (first) {
                graph.extract(taken, Access.SAMPLED_FRAGMENT);
                graph.neverAlias(taken);
                graph.finalAccess(outside, Access.COPY_SRC);
                graph.mayStayUnused(lonely);
                graph.mayStayUnused(unread);
            }
            PassBuilder pass = graph.addPass("pass", PassKind.RASTER)
                    .color(taken, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                    .reads(outside, Access.SAMPLED_FRAGMENT);
            if (first) {
                pass.renderArea(0, 0, 4, 4)
                        .flag(PassFlag.NEVER_CULL)
                        .onQueue(0)
                        .uniforms(graph.createUniforms("uniforms", 16, bytes -> {}))
                        .onlyIf(() -> true);
            }
            pass.record(NOTHING);
            FramePlan plan = compile();
            FramePlan.ResourcePlan extracted = plan.resources().get(taken.index());
            assertThat(extracted.extraction() != null).isEqualTo(first);
            assertThat(plan.passes().get(0).culled()).isEqualTo(!first);
            assertThat(graph.declaration().declared().area(0) == null).isEqualTo(!first);
            assertThat(CompiledPlan.of(plan).body(0) == NOTHING).isEqualTo(!first);
            assertThat(CompiledPlan.of(plan).uniforms(0).isEmpty()).isEqualTo(!first);
            assertThat(plan.warnings().stream()
                            .anyMatch(warning -> warning.message().contains("lonely")))
                    .isEqualTo(!first);
        }
    }

    /** A use that is there already is taken over, unless what follows from the shape may be another. */
    @Test
    void aUseAtThePlaceOfAFormerOneIsOfTheShapeOfItsFrame() {
        assertThat(partialUses(SHAPE.withMips(2), 2)).containsExactly(true, true);
        assertThat(partialUses(SHAPE.withMips(2), 2)).containsExactly(true, true);
        assertThat(partialUses(SHAPE, 1)).containsExactly(false);
        // The second use was declared two frames ago, of two mips.
        assertThat(partialUses(SHAPE, 2)).containsExactly(false, false);
        assertThat(partialUses(SHAPE.withMips(2), 2)).containsExactly(true, true);
    }

    /** Declares passes that read mip 0, and returns whether each reads a part of the texture. */
    private List<Boolean> partialUses(TextureDescription shape, int passes) {
        graph.reset();
        RdgTexture texture = graph.createTexture("texture", shape);
        List<Boolean> partial = new ArrayList<>();
        for (int pass = 0; pass < passes; pass++) {
            graph.addPass("read", PassKind.COMPUTE)
                    .reads(texture, SubresourceRange.mip(0), Access.SAMPLED_COMPUTE)
                    .record(NOTHING);
            partial.add(graph.declaration().declared().isPartial(pass));
        }
        return partial;
    }

    /** As a graph of a file says it. */
    @Test
    void memoryOfAFormerResourceIsNotThatOfAnother() {
        DeclaredGraph declared = graph.declaration().declared();
        graph.createBuffer("first", DATA);
        graph.createBuffer("second", DATA);
        declared.setMemory(0, new MemoryRequirements(4096, 64, 1));
        declared.setMemory(1, new MemoryRequirements(4096, 64, 1));
        graph.reset();
        graph.createBuffer("other", DATA);
        RenderGraph fresh = new RenderGraph("fresh");
        fresh.createBuffer("other", DATA);
        assertThat(declared.memory(0)).isNull();
        assertThat(declared.isEqualTo(fresh.declaration().declared())).isTrue();
        assertThat(fresh.declaration().declared().isEqualTo(declared)).isTrue();
    }

    /** Plans keep parts of it. */
    @Test
    void whatTheCompilerWasGivenStaysAsItWas() {
        List<DeclaredGraph> told = new ArrayList<>();
        List<List<String>> words = new ArrayList<>();
        for (int frame = 0; frame < 3; frame++) {
            graph.reset();
            RdgTexture texture = graph.createTexture("texture", SHAPE);
            RdgBuffer buffer = graph.createBuffer("buffer", DATA);
            graph.scope("scope " + frame, () -> {
                PassBuilder first = graph.addPass("first", PassKind.COMPUTE);
                first.overwrites(buffer, Access.STORAGE_WRITE_COMPUTE).record(NOTHING);
            });
            PassBuilder pass = graph.addPass("pass", PassKind.RASTER);
            if (frame == 1) {
                pass.flag(PassFlag.NEVER_CULL).reads(buffer, Access.VERTEX).renderArea(0, 0, 4, 4);
            }
            pass.color(texture, LoadOp.CLEAR, new ClearColor(frame, 0, 0, 0)).record(NOTHING);
            told.add(graph.declaration().declared().copy());
            words.add(DeclaredWords.of(told.get(frame)));
        }
        assertThat(told).extracting(DeclaredWords::of).isEqualTo(words);
    }

    private static void declareHere(RenderGraph graph, RdgTexture texture) {
        graph.addPass("pass", PassKind.COMPUTE)
                .reads(texture, Access.SAMPLED_COMPUTE)
                .record(NOTHING);
    }

    private static void declareThere(RenderGraph graph, RdgTexture texture) {
        graph.addPass("pass", PassKind.COMPUTE)
                .reads(texture, Access.SAMPLED_COMPUTE)
                .record(NOTHING);
    }

    @Test
    void sitesAreOfTheFrame() {
        RenderGraph debugged = new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
        List<String> sites = new ArrayList<>();
        for (int frame = 0; frame < 2; frame++) {
            debugged.reset();
            RdgTexture texture = debugged.createTexture("texture", SHAPE);
            if (frame == 0) {
                declareHere(debugged, texture);
            } else {
                declareThere(debugged, texture);
            }
            DeclaredGraph declared = debugged.declaration().declared();
            sites.add(String.valueOf(declared.site(0)));
            sites.add(String.valueOf(declared.useSite(0)));
        }
        assertThat(sites)
                .satisfiesExactly(
                        site -> assertThat(site).contains("declareHere"),
                        site -> assertThat(site).contains("declareHere"),
                        site -> assertThat(site).contains("declareThere"),
                        site -> assertThat(site).contains("declareThere"));
    }

    /** A view for each range that was ever asked for would be ever more of them. */
    @Test
    void viewsAreKeptWhileTheyAreFew() {
        BufferDescription large = BufferDescription.device(1 << 20, BufferUsage.STORAGE);
        TextureDescription mips = SHAPE.withMips(7).withLayers(32);
        for (int frame = 0; frame < 3; frame++) {
            RdgBuffer few = graph.createBuffer("few", large);
            RdgTexture fewMips = graph.createTexture("few mips", mips);
            RdgBuffer many = graph.createBuffer("many", large);
            RdgTexture manyMips = graph.createTexture("many mips", mips);
            RdgBufferView ofFew = few.view(16, 16);
            RdgTextureView ofFewMips = fewMips.mip(1);
            RdgBufferView ofMany = many.view(16, 16);
            RdgTextureView ofManyMips = manyMips.mip(1);
            for (int i = 0; i < 100; i++) {
                many.view(32L * i, 32);
                manyMips.view(SubresourceRange.of(i % 7, i / 7));
            }
            assertThat(many.view(16, 16)).isSameAs(ofMany);
            graph.reset();
            assertThat(graph.createBuffer("few", large).view(16, 16)).isSameAs(ofFew);
            assertThat(graph.createTexture("few mips", mips).mip(1)).isSameAs(ofFewMips);
            assertThat(graph.createBuffer("many", large).view(16, 16)).isNotSameAs(ofMany);
            assertThat(graph.createTexture("many mips", mips).mip(1)).isNotSameAs(ofManyMips);
            graph.reset();
        }
    }

    private record Held(Object what) implements PassBody, BooleanSupplier, Consumer<ByteBuffer> {
        @Override
        public void record(PassContext context) {}

        @Override
        public boolean getAsBoolean() {
            return true;
        }

        @Override
        public void accept(ByteBuffer bytes) {}
    }

    private WeakReference<Object> held(Consumer<Held> declaration) {
        Held held = new Held(new Object());
        declaration.accept(held);
        return new WeakReference<>(held);
    }

    /** Whether it was compiled or not, and whether the next frame is as large or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatTheApplicationGaveOneFrameIsLetGo(boolean compiled) {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        List<WeakReference<Object>> given = new ArrayList<>();
        given.add(held(body -> graph.addPass("body", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(body)));
        given.add(held(condition ->
                graph.addPass("condition", PassKind.COMPUTE).onlyIf(condition).record(NOTHING)));
        given.add(held(writer -> graph.addPass("uniforms", PassKind.COMPUTE)
                .uniforms(graph.createUniforms("uniforms", 16, writer))
                .record(NOTHING)));
        given.add(held(value -> graph.blackboard().put(Held.class, value)));
        Buffer outside = FakeResources.buffer("outside", 64);
        graph.registerExternal(outside);
        given.add(new WeakReference<>(outside));
        outside = FakeResources.buffer("none", 4);
        RdgBuffer taken = graph.createBuffer("taken", DATA);
        graph.addPass("write", PassKind.COMPUTE)
                .overwrites(taken, Access.STORAGE_WRITE_COMPUTE)
                .record(NOTHING);
        given.add(new WeakReference<>(graph.extract(taken)));
        if (compiled) {
            compiler.compile(graph, QueueTopology.single(), PlanCase.SIZER);
        }
        graph.reset();
        for (int attempt = 0; attempt < 100 && given.stream().anyMatch(each -> each.get() != null); attempt++) {
            System.gc();
        }
        assertThat(given).extracting(WeakReference::get).containsOnlyNulls();
        assertThat(compiler.planReuse().kept()).isEqualTo(compiled ? 1 : 0);
        assertThat(outside.name()).isEqualTo("none");
    }
}
