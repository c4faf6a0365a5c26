package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that are declared one after the other into one graph get the plans that they get with graphs of their own. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RedeclaredGraphsTest {
    private static final int SEEDS = TestEffort.of(10, 60);

    /** What a frame binds to its plan: told apart by frame and pass. */
    private record Body(long frame, int pass) implements PassBody {
        @Override
        public void record(PassContext context) {}
    }

    /** Bodies of one frame; the rest is equal in all of them. */
    private record Frame(long number, FakeSurroundings outside) implements ModelDeclaration.Surroundings {
        @Override
        public Texture texture(GraphModel.Res res) {
            return outside.texture(res);
        }

        @Override
        public Buffer buffer(GraphModel.Res res) {
            return outside.buffer(res);
        }

        @Override
        public TextureHistory textureHistory(GraphModel.Res res) {
            return outside.textureHistory(res);
        }

        @Override
        public BufferHistory bufferHistory(GraphModel.Res res) {
            return outside.bufferHistory(res);
        }

        @Override
        public PassBody body(int pass, List<RdgResource> handles) {
            return new Body(number, pass);
        }
    }

    /** A plan, and what one of a graph of its own says. */
    private record Compiled(FramePlan plan, String words) {}

    private final List<Compiled> compiled = new ArrayList<>();
    private long frames;
    private long refused;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theyGetThePlansOfGraphsOfTheirOwn(boolean debug) {
        RdgOptions declaring = RdgOptions.defaults().withDebug(debug);
        RenderGraph graph = new RenderGraph("one for all", declaring);
        for (long seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            PlanCase all = RandomCases.judged(seed, 1 + (int) (seed % 3));
            frames(all, sequence(all.model(), random), graph, declaring, random);
            PlanCase plain = all.of(RandomGraphs.graph(seed));
            List<GraphModel> changed = sequence(plain.model(), random);
            for (int i = 0; i < 3; i++) {
                changed.add(GraphChanges.oneOf(plain.model(), random));
                changed.add(plain.model());
            }
            frames(plain, changed, graph, declaring, random);
            if (seed % 10 == 9) {
                // What is read first now was compiled many other graphs ago.
                compiled.forEach(each -> assertThat(PlanWords.of(each.plan)).isEqualTo(each.words));
                compiled.clear();
            }
        }
        assertThat(refused).as("refused of %d", frames).isBetween(frames / 50, frames / 2);
    }

    /** The same twice, without one of the passes, and the same again. */
    private static List<GraphModel> sequence(GraphModel model, Random random) {
        List<GraphModel> models = new ArrayList<>(List.of(model, model));
        int pass = random.nextInt(model.passes().size());
        if (!model.passes().get(pass).builtin()) {
            models.add(model.without(pass));
        }
        models.add(model);
        return models;
    }

    private void frames(
            PlanCase options, List<GraphModel> models, RenderGraph graph, RdgOptions declaring, Random random) {
        RenderGraphCompiler compiler = new RenderGraphCompiler(options.options());
        RenderGraphCompiler other = new RenderGraphCompiler(options.options());
        for (GraphModel model : models) {
            String name = "frame " + random.nextInt(3);
            if (random.nextInt(4) == 0) {
                giveUp(graph, random);
            }
            frames++;
            graph.reset(name);
            RenderGraph own = new RenderGraph(name, declaring);
            // Both at one place, which sites tell.
            for (RenderGraph each : List.of(graph, own)) {
                model.declare(new Frame(frames, new FakeSurroundings()), each);
            }
            DeclaredGraph again = graph.declaration().declared();
            assertThat(DeclaredWords.of(again))
                    .as("%s", options)
                    .isEqualTo(DeclaredWords.of(own.declaration().declared()));
            assertThat(again.isEqualTo(own.declaration().declared())).isTrue();
            Object expected = outcome(other, own, options.queues());
            Object found = outcome(compiler, graph, options.queues());
            if (expected instanceof FramePlan plan && found instanceof FramePlan redeclared) {
                assertThat(bound(redeclared)).as("%s", options).isEqualTo(bound(plan));
                String words = PlanWords.of(plan);
                if (random.nextBoolean()) {
                    assertThat(PlanWords.of(redeclared)).as("%s", options).isEqualTo(words);
                }
                compiled.add(new Compiled(redeclared, words));
            } else {
                refused++;
                assertThat(found).as("%s", options).isEqualTo(expected);
            }
        }
        assertThat(compiler.planReuse()).isEqualTo(other.planReuse());
    }

    /** Returns a plan, or what is wrong with the graph in words. */
    private static Object outcome(RenderGraphCompiler compiler, RenderGraph graph, QueueTopology queues) {
        try {
            return compiler.compile(graph, queues, PlanCase.SIZER);
        } catch (RdgException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static List<Object> bound(FramePlan plan) {
        List<Object> result = new ArrayList<>();
        for (FramePlan.PassPlan pass : plan.passes()) {
            PassBody body = CompiledPlan.of(plan).body(pass.index());
            PassBody commands = body instanceof ConditionalPass conditional ? conditional.commands() : body;
            result.add(commands instanceof Body known ? known : commands.getClass());
        }
        for (FramePlan.ResourcePlan resource : plan.outsideResources()) {
            result.add(resource.index());
            result.add(String.valueOf(resource.external()));
            result.add(
                    resource.extraction() == null
                            ? "none"
                            : resource.extraction().name());
        }
        return result;
    }

    /** Declares a frame in part, with a pass and a scope that are not ended. */
    private static void giveUp(RenderGraph graph, Random random) {
        graph.reset("given up");
        graph.setExtent("output", 4, 4);
        graph.scope("open");
        graph.flagScope(PassFlag.NEVER_MERGE);
        RdgTexture target = graph.createTexture(
                "r" + random.nextInt(3), TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
        graph.extract(target, Access.SAMPLED_FRAGMENT);
        graph.mayStayUnused(target);
        graph.neverAlias(target);
        PassBuilder pass = graph.addPass("p" + random.nextInt(3), PassKind.RASTER)
                .color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .renderArea(0, 0, 2, 2)
                .uniforms(graph.createUniforms("uniforms", 16, bytes -> {}))
                .onlyIf(() -> false)
                .onQueue(0);
        if (random.nextBoolean()) {
            pass.record(context -> {});
        }
        graph.addPass("p1", PassKind.COMPUTE).after(pass).flag(PassFlag.NEVER_CULL);
    }
}
