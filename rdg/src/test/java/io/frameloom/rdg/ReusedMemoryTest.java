package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.rdg.compile.GraphCompiler;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A compiler works in the memory of its compilation before: no plan may show it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReusedMemoryTest {
    private static final int GRAPHS = 120;
    private static final RdgOptions OPTIONS = RdgOptions.defaults().withReusePlans(false);

    @Test
    void plansAreThoseOfNewCompilersAndStayThem() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(OPTIONS);
        List<FramePlan> plans = new ArrayList<>();
        for (int seed = 0; seed < GRAPHS; seed++) {
            plans.add(compile(compiler, seed));
        }
        for (int seed = 0; seed < GRAPHS; seed++) {
            assertThat(PlanWords.data(plans.get(seed))).as("seed %d", seed).isEqualTo(fresh(seed));
        }
    }

    @Test
    void aRefusedGraphLeavesNothingBehind() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(OPTIONS);
        for (int seed = 0; seed < GRAPHS; seed++) {
            RenderGraph unsound = RandomGraphs.graph(seed).declare();
            unsound.addPass("without a body", PassKind.COPY);
            assertThatThrownBy(() ->
                            compiler.compile(unsound, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER))
                    .isInstanceOf(RdgValidationException.class);
            assertThat(PlanWords.data(compile(compiler, seed)))
                    .as("seed %d", seed)
                    .isEqualTo(fresh(seed));
        }
    }

    /** It is as large as the largest graph needed, and plans are kept for long. */
    @Test
    void aPlanDoesNotKeepTheMemoryThatItWasMadeIn() {
        List<PlanStructure> plans = new ArrayList<>();
        WeakReference<Scratch> memory = compileAll(plans);
        for (int i = 0; i < 100 && memory.get() != null; i++) {
            System.gc();
        }
        assertThat(plans).hasSize(GRAPHS);
        assertThat(memory.get()).isNull();
    }

    private static WeakReference<Scratch> compileAll(List<PlanStructure> plans) {
        Scratch scratch = new Scratch();
        for (int seed = 0; seed < GRAPHS; seed++) {
            DeclaredGraph declared =
                    RandomGraphs.graph(seed).declare().declaration().declared();
            plans.add(GraphCompiler.compile(
                    declared,
                    OPTIONS,
                    QueueTopology.graphicsAndCompute(),
                    PlanPropertiesTest.SIZER,
                    new BitSet(0),
                    scratch));
        }
        return new WeakReference<>(scratch);
    }

    @Test
    void severalThreadsCompileAtATime() throws InterruptedException, ExecutionException {
        RenderGraphCompiler compiler = new RenderGraphCompiler(OPTIONS);
        int threads = 4;
        CountDownLatch together = new CountDownLatch(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<List<String>>> results = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int first = t;
            results.add(pool.submit(() -> {
                together.countDown();
                together.await();
                List<String> plans = new ArrayList<>();
                for (int i = 0; i < GRAPHS; i++) {
                    plans.add(PlanWords.data(compile(compiler, (first * 7 + i) % GRAPHS)));
                }
                return plans;
            }));
        }
        pool.shutdown();
        for (int t = 0; t < threads; t++) {
            List<String> plans = results.get(t).get();
            for (int i = 0; i < GRAPHS; i++) {
                assertThat(plans.get(i)).isEqualTo(fresh((t * 7 + i) % GRAPHS));
            }
        }
    }

    private static FramePlan compile(RenderGraphCompiler compiler, int seed) {
        return compiler.compile(
                RandomGraphs.graph(seed).declare(), QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
    }

    private static String fresh(int seed) {
        return PlanWords.data(compile(new RenderGraphCompiler(OPTIONS), seed));
    }
}
