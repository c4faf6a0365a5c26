package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.testing.TestEffort;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A graph that differs from one before in names alone gets its plan, and says everything in names of its own. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RenamedGraphsTest {
    private static final int SEEDS = TestEffort.of(60, 200);
    private static final QueueTopology QUEUES = QueueTopology.graphicsAndCompute();
    private static final BufferDescription BUFFER = BufferDescription.device(64, BufferUsage.STORAGE);

    private static FramePlan compile(RenderGraphCompiler compiler, RenderGraph graph) {
        return compiler.compile(graph, QUEUES, PlanPropertiesTest.SIZER);
    }

    private static FramePlan fresh(RdgOptions options, RenderGraph graph) {
        return compile(new RenderGraphCompiler(options.withReusePlans(false)), graph);
    }

    private static GraphModel renamed(GraphModel model, UnaryOperator<String> names) {
        return new GraphModel(
                model.resources().stream()
                        .map(old -> new GraphModel.Res(
                                names.apply(old.name()),
                                old.texture(),
                                old.depth(),
                                old.mips(),
                                old.layers(),
                                old.planes(),
                                old.lifetime(),
                                old.initial(),
                                old.finalAccess(),
                                old.memory(),
                                old.role()))
                        .toList(),
                model.passes().stream()
                        .map(old -> new GraphModel.Pass(
                                names.apply(old.name()),
                                old.kind(),
                                old.flags(),
                                old.queue(),
                                old.after(),
                                old.condition(),
                                old.builtin(),
                                old.quarter(),
                                old.parts(),
                                old.uses()))
                        .toList());
    }

    private static void saysWhatAPlanOfItsOwnSays(RdgOptions options) {
        RenderGraphCompiler compiler = new RenderGraphCompiler(options);
        for (long seed = 0; seed < SEEDS; seed++) {
            GraphModel model = RandomGraphs.graph(seed);
            GraphModel other = renamed(model, name -> "other " + name);
            FramePlan first = compile(compiler, model.declare());
            FramePlan second = compile(compiler, other.declare());
            assertThat(CompiledPlan.of(second).shape())
                    .as("seed %d", seed)
                    .isSameAs(CompiledPlan.of(first).shape());
            assertThat(PlanWords.of(second))
                    .as("seed %d", seed)
                    .isEqualTo(PlanWords.of(fresh(options, other.declare())));
            assertThat(PlanWords.of(first))
                    .as("seed %d", seed)
                    .isEqualTo(PlanWords.of(fresh(options, model.declare())));
        }
        assertThat(compiler.planReuse().hits()).isGreaterThanOrEqualTo(SEEDS);
    }

    @Test
    void itSaysWhatAPlanOfItsOwnSays() {
        saysWhatAPlanOfItsOwnSays(RdgOptions.defaults());
    }

    @Test
    void soItDoesInAnotherOrder() {
        RdgOptions options = RdgOptions.defaults();
        saysWhatAPlanOfItsOwnSays(options.withPolicy(options.policy().withSchedule(PassSchedule.random(7))));
    }

    @Test
    void soItDoesInSerialiseMode() {
        RdgOptions options = RdgOptions.defaults();
        saysWhatAPlanOfItsOwnSays(options.withDiagnostics(options.diagnostics().withSerialise(true)));
    }

    /** Two buffers, two passes that fill one each, and a pass that reads both, in a scope. */
    private static RenderGraph graph(String first, String second, String left, String right, String scope) {
        RenderGraph graph = new RenderGraph("frame");
        RdgBuffer one = graph.createBuffer(left, BUFFER);
        RdgBuffer two = graph.createBuffer(right, BUFFER);
        graph.addPass(first, PassKind.COMPUTE)
                .overwrites(one, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass(second, PassKind.COMPUTE)
                .overwrites(two, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.scope(
                scope,
                () -> graph.addPass("join", PassKind.COMPUTE)
                        .reads(one, Access.STORAGE_READ_COMPUTE)
                        .reads(two, Access.STORAGE_READ_COMPUTE)
                        .flag(PassFlag.NEVER_CULL)
                        .record(context -> {}));
        return graph;
    }

    @Test
    void passesThatHaveSwappedTheirNamesHaveSwappedWhatIsSaid() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        FramePlan before = compile(compiler, graph("a", "b", "left", "right", "both"));
        FramePlan swapped = compile(compiler, graph("b", "a", "left", "right", "both"));
        assertThat(CompiledPlan.of(swapped).shape())
                .isSameAs(CompiledPlan.of(before).shape());
        assertThat(before.explain("left")).contains("  written by a");
        assertThat(swapped.explain("left")).contains("  written by b");
        assertThat(swapped.explain("join")).contains("  comes after 'a': read after write on 'right'");
        assertThat(swapped.passes().get(2).before().get(0).reason()).isEqualTo("read after write: b wrote, join read");
        assertThat(before.passes().get(2).before().get(0).reason()).isEqualTo("read after write: a wrote, join read");
    }

    /** In a declared graph names are for people, and may repeat; in a file, which refers by them, they are refused. */
    @Test
    void namesMayRepeatAsInAPlanOfItsOwn() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        FramePlan before = compile(compiler, graph("a", "b", "left", "right", "both"));
        FramePlan repeated = compile(compiler, graph("a", "a", "data", "data", "both"));
        assertThat(CompiledPlan.of(repeated).shape())
                .isSameAs(CompiledPlan.of(before).shape());
        assertThat(repeated.explain("a"))
                .isEqualTo(fresh(RdgOptions.defaults(), graph("a", "a", "data", "data", "both"))
                        .explain("a"))
                .filteredOn(line -> line.startsWith("pass 'a'"))
                .hasSize(2);
        assertThatThrownBy(() -> repeated.explain("b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no pass or resource is called 'b'; the nearest are 'a'");
    }

    @Test
    void whatIsWrongIsRefusedUnderOtherNames() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        for (String name : List.of("first", "second", "first")) {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer data = graph.createBuffer("data", BUFFER);
            graph.addPass(name, PassKind.COMPUTE)
                    .reads(data, Access.STORAGE_READ_COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
            assertThatThrownBy(() -> compile(compiler, graph))
                    .isInstanceOf(RdgValidationException.class)
                    .hasMessageContaining("pass '" + name + "' reads 'data'");
        }
    }

    @Test
    void passesOfAnUnorderedGraphKeepTheirNames() {
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withOrder(PassOrder.UNORDERED));
        for (String name : List.of("", "other ")) {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer data = graph.createBuffer("data", BUFFER);
            graph.addPass(name + "read", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .reads(data, Access.STORAGE_READ_COMPUTE)
                    .record(context -> {});
            graph.addPass(name + "write", PassKind.COMPUTE)
                    .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {});
            assertThat(compile(compiler, graph).passes())
                    .extracting(FramePlan.PassPlan::name)
                    .containsExactly(name + "write", name + "read");
        }
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(1, 1, 1, 0));
    }

    /** Views of an application alternate: what was made for each is not made again. */
    @Test
    void graphsThatAlternateShareTheirLists() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        FramePlan left = compile(compiler, graph("a", "b", "left", "right", "left view"));
        FramePlan right = compile(compiler, graph("a", "b", "left", "right", "right view"));
        for (int frame = 0; frame < 3; frame++) {
            FramePlan leftAgain = compile(compiler, graph("a", "b", "left", "right", "left view"));
            FramePlan rightAgain = compile(compiler, graph("a", "b", "left", "right", "right view"));
            assertThat(leftAgain.passes()).isSameAs(left.passes());
            assertThat(rightAgain.passes()).isSameAs(right.passes());
            assertThat(rightAgain.scopes())
                    .extracting(FramePlan.ScopePlan::name)
                    .containsExactly("right view");
        }
    }

    /** Whoever numbers the frames in names has one plan all the same. */
    @Test
    void namesThatChangeInEachFrameTakeNoPlaceOfOtherPlans() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        for (int frame = 0; frame < 100; frame++) {
            FramePlan plan = compile(compiler, graph("a" + frame, "b", "left", "right", "both"));
            assertThat(plan.passes().get(0).name()).isEqualTo("a" + frame);
        }
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(99, 1, 1, 0));
    }

    /** What was measured of passes is found by their names, so that graphs of one shape are not taken for each other. */
    @Test
    void measuredTimesAreOfNames() {
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withAsync(AsyncCompute.MEASURED));
        FramePlan first = compile(compiler, graph("a", "b", "left", "right", "both"));
        FramePlan second = compile(compiler, graph("c", "d", "left", "right", "both"));
        FramePlan again = compile(compiler, graph("a", "b", "left", "right", "both"));
        assertThat(CompiledPlan.of(second).shape())
                .isSameAs(CompiledPlan.of(first).shape());
        assertThat(Objects.requireNonNull(CompiledPlan.of(second).decision()).profile())
                .isNotSameAs(Objects.requireNonNull(CompiledPlan.of(first).decision())
                        .profile());
        assertThat(Objects.requireNonNull(CompiledPlan.of(again).decision()).profile())
                .isSameAs(Objects.requireNonNull(CompiledPlan.of(first).decision())
                        .profile());
    }
}
