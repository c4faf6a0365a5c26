package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.PlanArrays;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A released plan is of no more use, and what is compiled in its memory is what would be compiled in new memory. */
class PlanReleaseTest {
    private static final int GRAPHS = 120;
    private static final int KEPT = 2;
    private static final QueueTopology QUEUES = QueueTopology.graphicsAndCompute();
    private static final Set<String> ALLOWED = Set.of("name", "toString");

    /** A plan that is not released for a while, and what it said when it was new. */
    private record Held(FramePlan plan, String words) {
        void check() {
            assertThat(PlanWords.data(plan)).isEqualTo(words);
        }
    }

    private static FramePlan compile(RenderGraphCompiler compiler, RenderGraph graph) {
        return compiler.compile(graph, QUEUES, PlanPropertiesTest.SIZER);
    }

    private static RenderGraph random(long seed) {
        return RandomGraphs.graph(seed).declare();
    }

    private static RenderGraphCompiler keeping(int plans) {
        return new RenderGraphCompiler(RdgOptions.defaults(), plans);
    }

    @Test
    void plansInTheMemoryOfOthersEqualFreshOnes() {
        RenderGraphCompiler compiler = keeping(KEPT);
        Deque<Held> held = new ArrayDeque<>();
        for (long seed = 0; seed < GRAPHS; seed++) {
            RenderGraph graph = random(seed);
            String fresh = PlanWords.data(compile(keeping(KEPT), graph));
            FramePlan plan = compile(compiler, graph);
            FramePlan again = compile(compiler, graph);
            assertThat(PlanWords.data(plan)).as("seed %d", seed).isEqualTo(fresh);
            plan.release();
            held.add(new Held(again, fresh));
            if (held.size() > 2 * KEPT) {
                held.forEach(Held::check);
                held.remove().plan.release();
            }
        }
    }

    @Test
    void eachUseOfAReleasedPlanIsRefusedByName() throws ReflectiveOperationException {
        RenderGraph graph = new RenderGraph("shadows");
        RdgTexture texture =
                graph.createTexture("map", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
        for (int p = 0; p < 2; p++) {
            graph.addPass("fill " + p, PassKind.COPY)
                    .writes(texture, Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {});
        }
        FramePlan plan = compile(keeping(KEPT), graph);
        FramePlan.ResourcePlan resource = plan.resources().get(0);
        PlanDerivation.Dependency dependency = plan.dependencies().get(0);
        plan.release();
        assertThat(plan.name()).isEqualTo("shadows");
        assertThat(plan).hasToString("FramePlan[shadows: released]");
        for (Method method : FramePlan.class.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())
                    && method.getParameterCount() == 0
                    && !ALLOWED.contains(method.getName())) {
                assertThatThrownBy(() -> method.invoke(plan))
                        .as(method.getName())
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith(
                                method.getName() + "() is called for plan 'shadows', which was released");
            }
        }
        assertThatThrownBy(() -> plan.explain("map")).hasMessageStartingWith("explain() is called");
        assertThatThrownBy(() -> plan.placementReason(resource)).hasMessageStartingWith("placementReason() is called");
        assertThatThrownBy(() -> plan.finalLayout(texture)).hasMessageStartingWith("finalLayout() is called");
        assertThatThrownBy(() -> plan.impliedBy(dependency)).hasMessageStartingWith("impliedBy() is called");
    }

    @Test
    void whatWasTakenOutOfAPlanAndIsReadFirstAfterItsReleaseIsRefused() {
        RenderGraph graph = random(1);
        FramePlan plan = compile(new RenderGraphCompiler(RdgOptions.defaults().withReusePlans(false)), graph);
        FramePlan.PassPlan read = plan.passes().get(0);
        FramePlan.PassPlan unread = plan.passes().get(1);
        List<FramePlan.UsePlan> uses = List.copyOf(read.uses());
        plan.release();
        assertThat(read.uses()).isEqualTo(uses);
        assertThatThrownBy(() -> unread.uses().size())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("after release()");
        assertThatThrownBy(() -> unread.before().size()).isInstanceOf(IllegalStateException.class);
    }

    /** Engine code that asks for a part of a released plan gets an error, not the graph that now has the memory. */
    @Test
    void theStructureOfAReleasedPlanSaysNothingOfAnotherGraph() {
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(RdgOptions.defaults().withReusePlans(false));
        FramePlan plan = compile(compiler, random(1));
        PlanStructure structure = CompiledPlan.of(plan).structure();
        PlanArrays arrays = structure.arrays();
        DeclaredGraph memory = arrays.graph();
        int passes = structure.declaredPasses();
        plan.release();
        CompiledPlan next = CompiledPlan.of(compile(compiler, new RenderGraph("empty")));
        assertThat(next.structure().arrays().graph()).isSameAs(memory);
        assertThat(structure.declaredPasses()).isEqualTo(passes).isPositive();
        for (ThrowingCallable read : List.<ThrowingCallable>of(
                structure::passes,
                structure::resources,
                structure::scopes,
                arrays::graph,
                arrays::uses,
                () -> arrays.after(0),
                () -> arrays.namedQueue(0))) {
            assertThatThrownBy(read).isInstanceOf(IllegalStateException.class).hasMessageContaining("after release()");
        }
    }

    @Test
    void thePlanOfAnEqualGraphOutlivesARelease() {
        RenderGraphCompiler compiler = keeping(1);
        FramePlan first = compile(compiler, random(5));
        FramePlan second = compile(compiler, random(5));
        Held held = new Held(second, PlanWords.data(second));
        first.release();
        for (long seed = 6; seed < 10; seed++) {
            compile(compiler, random(seed)).release();
            held.check();
        }
    }

    /** The list of calls above must not miss one that takes arguments. */
    @Test
    void noOtherCallTakesArguments() {
        assertThat(Arrays.stream(FramePlan.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() > 0)
                        .map(Method::getName)
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrder("explain", "placementReason", "finalLayout", "impliedBy");
    }
}
