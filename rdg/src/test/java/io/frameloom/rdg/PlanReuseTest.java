package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A graph that declares what one before declared gets its plan, and only such a graph does. */
class PlanReuseTest {
    private static final QueueTopology QUEUES = QueueTopology.graphicsAndCompute();
    private static final PassBody NOTHING = context -> {};

    private record Sizes(long unit) implements MemorySizer {
        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return new MemoryRequirements(
                    unit * description.width() * description.height() * description.layers(), 64, 1);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return new MemoryRequirements(unit * description.bytes(), 64, 1);
        }
    }

    private static final MemorySizer SIZER = new Sizes(4);

    private static RenderGraphCompiler reusing() {
        return new RenderGraphCompiler(RdgOptions.defaults());
    }

    private static FramePlan fresh(RenderGraph graph) {
        return new RenderGraphCompiler(RdgOptions.defaults().withReusePlans(false)).compile(graph, QUEUES, SIZER);
    }

    @Test
    void whatBelongsToOneFrameIsBoundAnew() {
        RenderGraphCompiler compiler = reusing();
        Buffer first = FakeResources.buffer("out", 64);
        Buffer second = FakeResources.buffer("out", 64);
        PassBody firstBody = context -> {};
        PassBody secondBody = context -> {};
        List<FramePlan> plans = new ArrayList<>();
        List<BufferExtraction> extractions = new ArrayList<>();
        List<RdgUniformBuffer> constants = new ArrayList<>();
        for (int frame = 0; frame < 2; frame++) {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer out = graph.registerExternal(frame == 0 ? first : second);
            RdgBuffer taken = graph.createBuffer("taken", BufferDescription.device(64, BufferUsage.STORAGE));
            RdgUniformBuffer uniforms = graph.createUniforms("constants", 16, target -> {});
            graph.addPass("write", PassKind.COMPUTE)
                    .uniforms(uniforms)
                    .overwrites(out, Access.STORAGE_WRITE_COMPUTE)
                    .overwrites(taken, Access.STORAGE_WRITE_COMPUTE)
                    .record(frame == 0 ? firstBody : secondBody);
            constants.add(uniforms);
            extractions.add(graph.extract(taken));
            plans.add(compiler.compile(graph, QUEUES, SIZER));
        }
        assertThat(CompiledPlan.of(plans.get(1)).shape())
                .isSameAs(CompiledPlan.of(plans.get(0)).shape());
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(1, 1, 1, 0));
        for (int frame = 0; frame < 2; frame++) {
            FramePlan plan = plans.get(frame);
            assertThat(CompiledPlan.of(plan).body(0)).isSameAs(frame == 0 ? firstBody : secondBody);
            assertThat(CompiledPlan.of(plan).uniforms(0)).containsExactly(constants.get(frame));
            assertThat(plan.resources().get(0).external()).isSameAs(frame == 0 ? first : second);
            assertThat(plan.resources().get(1).extraction()).isSameAs(extractions.get(frame));
            assertThat(plan.outsideResources()).isEqualTo(plan.resources());
        }
    }

    /** Applications number their frames. */
    @Test
    void theNameOfTheGraphIsBoundAnew() {
        RenderGraphCompiler compiler = reusing();
        List<FramePlan> plans = new ArrayList<>();
        for (int frame = 0; frame < 3; frame++) {
            RenderGraph graph = new RenderGraph("frame " + frame);
            RdgBuffer data = graph.createBuffer("data", BufferDescription.device(64, BufferUsage.STORAGE));
            graph.addPass("write", PassKind.COMPUTE)
                    .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(NOTHING);
            plans.add(compiler.compile(graph, QUEUES, SIZER));
            assertThat(PlanWords.data(plans.get(frame))).isEqualTo(PlanWords.data(fresh(graph)));
        }
        assertThat(plans).extracting(FramePlan::name).containsExactly("frame 0", "frame 1", "frame 2");
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(2, 1, 1, 0));
    }

    @Test
    void bodiesOfAnUnorderedGraphFollowTheirPasses() {
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withOrder(PassOrder.UNORDERED));
        for (int frame = 0; frame < 2; frame++) {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer data = graph.createBuffer("data", BufferDescription.device(64, BufferUsage.STORAGE));
            PassBody reads = context -> {};
            PassBody writes = context -> context.commands();
            graph.addPass("read", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .reads(data, Access.STORAGE_READ_COMPUTE)
                    .record(reads);
            graph.addPass("write", PassKind.COMPUTE)
                    .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                    .record(writes);
            FramePlan plan = compiler.compile(graph, QUEUES, SIZER);
            assertThat(plan.passes()).extracting(FramePlan.PassPlan::name).containsExactly("write", "read");
            assertThat(CompiledPlan.of(plan).body(0)).isSameAs(writes);
            assertThat(CompiledPlan.of(plan).body(1)).isSameAs(reads);
        }
        assertThat(compiler.planReuse().hits()).isEqualTo(1);
    }

    @Test
    void reusedPlansSayWhatFreshOnesSay() {
        RenderGraphCompiler compiler = reusing();
        int seeds = TestEffort.of(100, 300);
        for (long seed = 0; seed < seeds; seed++) {
            GraphModel model = RandomGraphs.graph(seed);
            compiler.compile(model.declare(), QUEUES, SIZER);
            FramePlan plan = compiler.compile(model.declare(), QUEUES, SIZER);
            assertThat(PlanWords.data(plan)).as("seed %d", seed).isEqualTo(PlanWords.data(fresh(model.declare())));
        }
        assertThat(compiler.planReuse().hits()).isGreaterThanOrEqualTo(seeds);
    }

    @Test
    void fewAreKeptOfManyGraphs() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults(), 8);
        Random random = new Random(3);
        for (int i = 0; i < 400; i++) {
            GraphModel model = RandomGraphs.graph(random.nextInt(12));
            FramePlan plan = compiler.compile(model.declare(), QUEUES, SIZER);
            assertThat(PlanWords.data(plan)).isEqualTo(PlanWords.data(fresh(model.declare())));
        }
        PlanReuse reuse = compiler.planReuse();
        assertThat(reuse.kept()).isEqualTo(8);
        assertThat(reuse.hits()).isGreaterThan(100);
        assertThat(reuse.misses()).isGreaterThan(12);
    }

    /** Of a random graph something small is changed; it is found again exactly if what was declared is equal. */
    @Test
    void aRandomGraphAndAChangedOneAreToldApart() {
        int seeds = TestEffort.of(400, 2_000);
        int different = 0;
        int equal = 0;
        for (long seed = 0; seed < seeds; seed++) {
            GraphModel model = RandomGraphs.graph(seed);
            GraphModel changed = GraphChanges.oneOf(model, new Random(seed));
            RenderGraph one = model.declare();
            RenderGraph other = changed.declare();
            DeclaredGraph first = one.declaration().declared();
            DeclaredGraph second = other.declaration().declared();
            boolean same = DeclaredWords.decisive(first).equals(DeclaredWords.decisive(second));
            assertThat(first.isEqualTo(second))
                    .as("seed %d: %s changed to %s", seed, model, changed)
                    .isEqualTo(same);
            assertThat(first.copy().isEqualTo(second.copy())).isEqualTo(same);
            assertThat(first.names().isEqualTo(second.names()))
                    .as("names of seed %d: %s changed to %s", seed, model, changed)
                    .isEqualTo(DeclaredWords.names(first).equals(DeclaredWords.names(second)));
            different += same ? 0 : 1;
            equal += same ? 1 : 0;
        }
        assertThat(different).isGreaterThan(seeds / 2);
        assertThat(equal).isPositive();
    }

    private enum Change {
        TEXTURE_NAME,
        FORMAT,
        WIDTH,
        MIPS,
        USAGE,
        BUFFER_BYTES,
        MEMORY,
        INITIAL_LAYOUT,
        FINAL_ACCESS,
        EXTRACTION,
        EXTRACTION_ACCESS,
        PASS_NAME,
        KIND,
        FLAG,
        FLAG_AFTER_THE_BODY,
        SCOPE,
        SCOPE_NAME,
        SCOPE_FLAG,
        ACCESS,
        DISCARD,
        TEXTURE_RANGE,
        BUFFER_RANGE,
        RESOURCE,
        USE_MORE,
        ORDER_OF_PASSES,
        LOAD,
        CLEAR_COLOR,
        CLEAR_DEPTH,
        READ_ONLY_DEPTH,
        DECLARED_ORDER,
        CONDITION,
        PARTS,
        OVERLAP,
        RENDER_AREA,
        RENDER_AREA_EXTENT,
        FIRST_SLICE,
        SLICES,
        GRAPHICS_QUEUE,
        NEVER_ALIAS,
        EXTERNAL_FAMILIES,
        EXTERNAL_EXCLUSIVE,
        REPLACED_HISTORY
    }

    @ParameterizedTest
    @EnumSource(names = {"TEXTURE_NAME", "PASS_NAME", "SCOPE_NAME"})
    void aChangedNameIsBoundAnew(Change change) {
        RenderGraphCompiler compiler = reusing();
        Set<Change> none = EnumSet.noneOf(Change.class);
        FramePlan first = compiler.compile(declare(none), QUEUES, SIZER);
        FramePlan changed = compiler.compile(declare(EnumSet.of(change)), QUEUES, SIZER);
        assertThat(CompiledPlan.of(changed).shape())
                .isSameAs(CompiledPlan.of(first).shape());
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(1, 1, 1, 0));
        assertThat(PlanWords.data(changed)).isEqualTo(PlanWords.data(fresh(declare(EnumSet.of(change)))));
        assertThat(PlanWords.data(first))
                .isEqualTo(PlanWords.data(fresh(declare(none))))
                .isNotEqualTo(PlanWords.data(changed));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TEXTURE_NAME", "PASS_NAME", "SCOPE_NAME"})
    void anyOtherChangeIsAMiss(Change change) {
        RenderGraphCompiler compiler = reusing();
        Set<Change> none = EnumSet.noneOf(Change.class);
        Object shape =
                CompiledPlan.of(compiler.compile(declare(none), QUEUES, SIZER)).shape();
        FramePlan changed = compiler.compile(declare(EnumSet.of(change)), QUEUES, SIZER);
        assertThat(CompiledPlan.of(changed).shape()).isNotSameAs(shape);
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(0, 2, 2, 0));
        assertThat(PlanWords.data(changed)).isEqualTo(PlanWords.data(fresh(declare(EnumSet.of(change)))));
        assertThat(CompiledPlan.of(compiler.compile(declare(none), QUEUES, SIZER))
                        .shape())
                .isSameAs(shape);
    }

    private static RenderGraph declare(Set<Change> changes) {
        RenderGraph graph = new RenderGraph("frame");
        TextureDescription shape = TextureDescription.of(
                        changes.contains(Change.WIDTH) ? 128 : 64,
                        64,
                        changes.contains(Change.FORMAT) ? Format.R16G16B16A16_SFLOAT : Format.R8G8B8A8_UNORM,
                        changes.contains(Change.USAGE) ? TextureUsage.STORAGE : TextureUsage.SAMPLED)
                .withMips(changes.contains(Change.MIPS) ? 3 : 2);
        RdgTexture texture = graph.createTexture(changes.contains(Change.TEXTURE_NAME) ? "other" : "color", shape);
        RdgTexture depth = graph.createTexture(
                "depth",
                TextureDescription.of(
                        changes.contains(Change.WIDTH) ? 128 : 64, 64, Format.D32_SFLOAT, TextureUsage.SAMPLED));
        RdgBuffer buffer = graph.createBuffer(
                "buffer",
                new BufferDescription(
                        changes.contains(Change.BUFFER_BYTES) ? 512 : 256,
                        Set.of(BufferUsage.STORAGE),
                        changes.contains(Change.MEMORY) ? MemoryUsage.UPLOAD : MemoryUsage.DEVICE));
        RdgBuffer second = graph.createBuffer("second", BufferDescription.device(256, BufferUsage.STORAGE));
        RdgTexture outside = graph.registerExternal(
                outside(changes),
                changes.contains(Change.INITIAL_LAYOUT) ? TextureLayout.GENERAL : TextureLayout.SHADER_RO);
        graph.finalAccess(outside, changes.contains(Change.FINAL_ACCESS) ? Access.COPY_SRC : Access.SAMPLED_FRAGMENT);
        RdgTexture taken = graph.createTexture("taken", shape);
        if (changes.contains(Change.EXTRACTION)) {
            graph.extract(buffer);
        }
        graph.extract(taken, changes.contains(Change.EXTRACTION_ACCESS) ? Access.COPY_SRC : Access.SAMPLED_FRAGMENT);
        if (changes.contains(Change.NEVER_ALIAS)) {
            graph.neverAlias(second);
        }
        if (changes.contains(Change.REPLACED_HISTORY)) {
            graph.declaration().declared().discardAfter(outside.index());
        }
        declarePasses(changes, graph, texture, depth, buffer, second, outside, taken);
        return graph;
    }

    private static Texture outside(Set<Change> changes) {
        Texture shared = FakeResources.texture("outside", 1, 1, Format.R8G8B8A8_UNORM);
        Set<Integer> fewer = changes.contains(Change.EXTERNAL_FAMILIES)
                ? Set.of(0, 1, 2, 3)
                : changes.contains(Change.EXTERNAL_EXCLUSIVE) ? Set.of() : shared.sharedFamilies();
        return FakeResources.imported("outside", shared.description(), TextureLayout.UNDEFINED, fewer);
    }

    private static void declarePasses(
            Set<Change> changes,
            RenderGraph graph,
            RdgTexture texture,
            RdgTexture depth,
            RdgBuffer buffer,
            RdgBuffer second,
            RdgTexture outside,
            RdgTexture taken) {
        OverlapGroup group = graph.overlapGroup("group");
        PassScope scope = changes.contains(Change.SCOPE_FLAG)
                ? graph.flagScope(PassFlag.NEVER_MERGE)
                : graph.scope(changes.contains(Change.SCOPE_NAME) ? "other" : "scope");
        PassBuilder draw = graph.addPass(changes.contains(Change.PASS_NAME) ? "other" : "draw", PassKind.RASTER)
                .color(
                        texture,
                        changes.contains(Change.LOAD) ? LoadOp.DONT_CARE : LoadOp.CLEAR,
                        new ClearColor(changes.contains(Change.CLEAR_COLOR) ? 1 : 0, 0, 0, 0))
                .depth(depth, LoadOp.CLEAR, changes.contains(Change.CLEAR_DEPTH) ? 0 : 1);
        if (changes.contains(Change.RENDER_AREA)) {
            draw.renderArea(0, 0, 64, 32);
        } else if (changes.contains(Change.RENDER_AREA_EXTENT)) {
            draw.renderArea(0, 0, 64, 33);
        }
        if (changes.contains(Change.GRAPHICS_QUEUE)) {
            draw.onQueue(0);
        }
        if (changes.contains(Change.FLAG)) {
            draw.flag(PassFlag.NEVER_CULL);
        }
        if (changes.contains(Change.CONDITION)) {
            draw.onlyIf(() -> true);
        }
        if (changes.contains(Change.PARTS)) {
            draw.recordParts(3, (context, part) -> {});
        } else {
            draw.record(NOTHING);
        }
        if (changes.contains(Change.FLAG_AFTER_THE_BODY)) {
            draw.flag(PassFlag.NEVER_MERGE);
        }
        if (!changes.contains(Change.SCOPE)) {
            scope.close();
        }
        PassBuilder more =
                graph.addPass("more", PassKind.RASTER).color(texture, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT);
        if (changes.contains(Change.READ_ONLY_DEPTH)) {
            more.depthReadOnly(depth);
        } else {
            more.depth(depth, LoadOp.LOAD, 0);
        }
        more.record(NOTHING);
        if (changes.contains(Change.SCOPE)) {
            scope.close();
        }
        RdgTexture volume = graph.createTexture(
                "volume",
                TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                        .withDepth(4));
        graph.addPass("slice", PassKind.RASTER)
                .colorSlices(
                        volume,
                        0,
                        changes.contains(Change.FIRST_SLICE) ? 1 : 0,
                        changes.contains(Change.SLICES) ? 2 : 1,
                        LoadOp.CLEAR,
                        ClearColor.BLACK_TRANSPARENT)
                .flag(PassFlag.NEVER_CULL)
                .record(NOTHING);
        boolean swapped = changes.contains(Change.ORDER_OF_PASSES);
        addFill(changes, graph, swapped ? "fill second" : "fill", swapped ? second : buffer, group);
        addFill(Set.of(), graph, swapped ? "fill" : "fill second", swapped ? buffer : second, group);
        PassBuilder join = graph.addPass("join", changes.contains(Change.KIND) ? PassKind.COMPUTE : PassKind.RASTER);
        if (changes.contains(Change.KIND)) {
            join.overwrites(outside, Access.STORAGE_WRITE_COMPUTE);
        } else {
            join.color(outside, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT);
        }
        Access reading = changes.contains(Change.KIND)
                ? Access.SAMPLED_COMPUTE
                : changes.contains(Change.ACCESS) ? Access.SAMPLED_VERTEX : Access.SAMPLED_FRAGMENT;
        join.reads(texture, SubresourceRange.mip(0), reading);
        if (changes.contains(Change.USE_MORE)) {
            join.reads(depth, reading);
        }
        if (changes.contains(Change.DECLARED_ORDER)) {
            join.after(draw);
        }
        join.record(NOTHING);
        PassBuilder keep = graph.addPass("keep", PassKind.COMPUTE)
                .reads(changes.contains(Change.RESOURCE) ? second : buffer, Access.STORAGE_READ_COMPUTE);
        if (changes.contains(Change.TEXTURE_RANGE)) {
            keep.overwrites(taken, SubresourceRange.mip(1), Access.STORAGE_WRITE_COMPUTE);
        } else {
            keep.overwrites(taken, Access.STORAGE_WRITE_COMPUTE);
        }
        keep.record(NOTHING);
    }

    private static void addFill(
            Set<Change> changes, RenderGraph graph, String name, RdgBuffer buffer, OverlapGroup group) {
        PassBuilder fill = graph.addPass(name, PassKind.COMPUTE);
        if (changes.contains(Change.OVERLAP)) {
            fill.writes(buffer, Access.STORAGE_WRITE_COMPUTE, group);
        } else if (changes.contains(Change.DISCARD)) {
            fill.writes(buffer, Access.STORAGE_WRITE_COMPUTE);
        } else if (changes.contains(Change.BUFFER_RANGE)) {
            fill.overwrites(buffer, 0, 128, Access.STORAGE_WRITE_COMPUTE);
        } else {
            fill.overwrites(buffer, Access.STORAGE_WRITE_COMPUTE);
        }
        fill.record(NOTHING);
    }

    @Test
    void queuesAndSizesCount() {
        RenderGraphCompiler compiler = reusing();
        Set<Change> none = EnumSet.noneOf(Change.class);
        compiler.compile(declare(none), QUEUES, new Sizes(4));
        compiler.compile(declare(none), QueueTopology.single(), new Sizes(4));
        compiler.compile(declare(none), QUEUES, new Sizes(8));
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(0, 3, 3, 0));
        compiler.compile(declare(none), QueueTopology.graphicsAndCompute(), new Sizes(8));
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(1, 3, 3, 0));
    }

    @Test
    void thePlanThatWasNotUsedForLongestMakesRoom() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults(), 2);
        Set<Change> none = EnumSet.noneOf(Change.class);
        compiler.compile(declare(none), QUEUES, SIZER);
        compiler.compile(declare(EnumSet.of(Change.FLAG)), QUEUES, SIZER);
        compiler.compile(declare(none), QUEUES, SIZER);
        compiler.compile(declare(EnumSet.of(Change.LOAD)), QUEUES, SIZER);
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(1, 3, 2, 0));
        compiler.compile(declare(none), QUEUES, SIZER);
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(2, 3, 2, 0));
        compiler.compile(declare(EnumSet.of(Change.FLAG)), QUEUES, SIZER);
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(2, 4, 2, 0));
    }

    @Test
    void aGraphThatIsDeclaredFurtherIsAnotherOne() {
        RenderGraphCompiler compiler = reusing();
        RenderGraph graph = declare(EnumSet.noneOf(Change.class));
        FramePlan before = compiler.compile(graph, QUEUES, SIZER);
        graph.addPass("late", PassKind.COMPUTE, NOTHING);
        FramePlan after = compiler.compile(graph, QUEUES, SIZER);
        assertThat(after.passes()).hasSize(before.passes().size() + 1);
        assertThat(CompiledPlan.of(compiler.compile(declare(EnumSet.noneOf(Change.class)), QUEUES, SIZER))
                        .shape())
                .isSameAs(CompiledPlan.of(before).shape());
    }
}
