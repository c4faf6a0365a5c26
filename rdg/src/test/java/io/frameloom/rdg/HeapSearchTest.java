package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.LowerHeaps;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A plan is searched for lower heaps once it is reused; what is compiled does not depend on threads. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeapSearchTest {
    private static final QueueTopology QUEUES = QueueTopology.single();
    private static final MemorySizer SIZER = new SearchedFrame.Sizer();
    private static final int SEEDS = TestEffort.of(40, 400);
    private static final int THREADS = 4;

    private static RenderGraphCompiler compiler(HeapSearch search) {
        return new RenderGraphCompiler(SearchedFrame.options(search));
    }

    private static CompiledPlan compile(RenderGraphCompiler compiler, String prefix) {
        return CompiledPlan.of(compiler.compile(SearchedFrame.declare(prefix), QUEUES, SIZER));
    }

    private static LowerHeaps search(CompiledPlan plan) {
        return Objects.requireNonNull(plan.structure().lowerHeaps());
    }

    @Test
    void aReusedPlanGivesWayToTheOneThatASearchFinds() {
        RenderGraphCompiler compiler = compiler(HeapSearch.REUSED);
        CompiledPlan first = compile(compiler, "");
        assertThat(first.heapBytes()).isEqualTo(SearchedFrame.UNSEARCHED_BYTES);
        assertThat(search(first).take()).as("before it is reused").isFalse();

        CompiledPlan second = compile(compiler, "");
        assertThat(second.structure()).isSameAs(first.structure());
        assertThat(search(second).take()).isTrue();
        assertThat(search(second).take()).as("once").isFalse();
        String held = PlanWords.of(second);

        search(second).search();
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(1, 1, 1, 0));
        CompiledPlan third = compile(compiler, "");
        assertThat(third.heapBytes()).isEqualTo(SearchedFrame.SEARCHED_BYTES);
        assertThat(third.structure().lowerHeaps()).as("no second search").isNull();
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(2, 1, 1, 1));
        assertThat(compile(compiler, "").structure()).isSameAs(third.structure());
        assertThat(compiler.planReuse()).isEqualTo(new PlanReuse(3, 1, 1, 1));

        assertThat(PlanWords.of(second)).as("a plan that is held").isEqualTo(held);
        assertThat(PlanWords.of(third)).isEqualTo(PlanWords.of(compile(compiler(HeapSearch.ALWAYS), "")));
    }

    /** What it would read is in the memory of another plan by then. */
    @Test
    void aSearchForPlansThatWereReleasedFindsNothing() {
        RenderGraphCompiler compiler = new RenderGraphCompiler(SearchedFrame.options(HeapSearch.REUSED), 1);
        CompiledPlan first = compile(compiler, "");
        CompiledPlan second = compile(compiler, "");
        LowerHeaps search = search(second);
        assertThat(search.take()).isTrue();
        first.release();
        second.release();
        compiler.compile(SearchedFrame.random(1), QUEUES, SIZER);
        compiler.compile(new RenderGraph("in its memory"), QUEUES, SIZER);
        search.search();
        assertThat(search.want()).isNull();
    }

    /** Each of the names that a plan was found under gets the lower heaps under its own. */
    @Test
    void plansUnderOtherNamesGiveWayWithIt() {
        RenderGraphCompiler compiler = compiler(HeapSearch.REUSED);
        compile(compiler, "left ");
        CompiledPlan right = compile(compiler, "right ");
        assertThat(search(right).take()).isTrue();
        search(right).search();
        for (String prefix : List.of("right ", "left ", "third ")) {
            assertThat(PlanWords.of(compile(compiler, prefix)))
                    .isEqualTo(PlanWords.of(compile(compiler(HeapSearch.ALWAYS), prefix)));
        }
        assertThat(compiler.planReuse().lowered()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = HeapSearch.class,
            names = {"OFF", "ALWAYS"})
    void nothingIsLeftToSearchWhereItIsOffOrMadeAtOnce(HeapSearch search) {
        RenderGraphCompiler compiler = compiler(search);
        CompiledPlan first = compile(compiler, "");
        assertThat(first.structure().lowerHeaps()).isNull();
        assertThat(compile(compiler, "").structure()).isSameAs(first.structure());
        assertThat(first.heapBytes())
                .isEqualTo(search == HeapSearch.OFF ? SearchedFrame.UNSEARCHED_BYTES : SearchedFrame.SEARCHED_BYTES);
    }

    @Test
    void aPlanThatIsNotKeptIsNotSearched() {
        RenderGraphCompiler compiler =
                new RenderGraphCompiler(SearchedFrame.options(HeapSearch.REUSED).withReusePlans(false));
        assertThat(compile(compiler, "").structure().lowerHeaps()).isNull();
    }

    @Test
    void aSearchIsExplained() {
        String line = "  a search has lowered that heap from 3072 bytes to 2816";
        assertThat(compile(compiler(HeapSearch.ALWAYS), "").explain("second")).contains(line);
        assertThat(compile(compiler(HeapSearch.OFF), "").explain("second")).doesNotContain(line);
    }

    /** Also while plans are reused, since no executor searches here. */
    @ParameterizedTest
    @EnumSource(HeapSearch.class)
    void plansAreTheSameOnAllThreadsAndInAllRuns(HeapSearch search) throws InterruptedException, ExecutionException {
        List<PlanCase> cases = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            PlanCase random = RandomCases.judged(seed, 1 + (int) (seed % 5));
            cases.add(random.with(
                    random.options().withPolicy(random.options().policy().withHeapSearch(search))));
        }
        List<String> once = words(cases);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<List<String>>> runs = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                runs.add(threads.submit(() -> words(cases)));
            }
            for (Future<List<String>> run : runs) {
                assertThat(run.get()).isEqualTo(once);
            }
        } finally {
            threads.shutdown();
        }
    }

    /** Compiles each twice with one compiler: a new plan and a reused one. */
    private static List<String> words(List<PlanCase> cases) {
        List<String> words = new ArrayList<>();
        for (PlanCase each : cases) {
            RenderGraphCompiler compiler = new RenderGraphCompiler(each.options());
            for (int turn = 0; turn < 2; turn++) {
                words.add(PlanWords.of(compiler.compile(each.model().declare(), each.queues(), PlanCase.SIZER)));
            }
        }
        return words;
    }

    @Test
    void whatASearchFindsIsWhatCompilingWithItGives() {
        int found = 0;
        for (long seed = 0; seed < 10L * SEEDS; seed++) {
            QueueTopology queues = seed % 2 == 0 ? QUEUES : QueueTopology.graphicsAndCompute();
            RenderGraphCompiler compiler = compiler(HeapSearch.REUSED);
            compiler.compile(SearchedFrame.random(seed), queues, SIZER);
            CompiledPlan reused = CompiledPlan.of(compiler.compile(SearchedFrame.random(seed), queues, SIZER));
            LowerHeaps search = reused.structure().lowerHeaps();
            FramePlan always = compiler(HeapSearch.ALWAYS).compile(SearchedFrame.random(seed), queues, SIZER);
            assertThat(unsearchedBytes(always)).as("seed %d", seed).isEqualTo(reused.heapBytes());
            if (search == null) {
                assertThat(always.heapBytes()).as("seed %d", seed).isEqualTo(reused.heapBytes());
                continue;
            }
            assertThat(search.take()).isTrue();
            search.search();
            FramePlan after = compiler.compile(SearchedFrame.random(seed), queues, SIZER);
            assertThat(after.heapBytes()).as("seed %d", seed).isEqualTo(always.heapBytes());
            if (after.heapBytes() < reused.heapBytes()) {
                assertThat(PlanWords.of(after)).as("seed %d", seed).isEqualTo(PlanWords.of(always));
                found++;
            }
        }
        assertThat(found).isGreaterThan(SEEDS / 4);
    }

    private static long unsearchedBytes(FramePlan plan) {
        return plan.heaps().stream()
                .mapToLong(FramePlan.HeapPlan::unsearchedBytes)
                .sum();
    }
}
