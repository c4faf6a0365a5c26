package io.frameloom.benchmarks.rendergraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RenderGraph;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is timed is what the names of the benchmarks say. */
final class CompileBenchmarkTest {
    private final CompileBenchmark benchmark = new CompileBenchmark();
    private final CompileBenchmark.Declared fresh = new CompileBenchmark.Declared();
    private final CompileBenchmark.Known known = new CompileBenchmark.Known();

    private void begin() {
        benchmark.passes = 24;
        benchmark.read = true;
        benchmark.plan();
    }

    @Test
    void framesTakeTurnsAndDiffer() {
        begin();
        Set<List<Integer>> uses = new HashSet<>();
        for (int i = 0; i < CompileBenchmark.FRAMES; i++) {
            fresh.declare(benchmark);
            FramePlan plan = benchmark.compile(fresh);
            uses.add(plan.passes().stream().map(pass -> pass.uses().size()).toList());
        }
        assertThat(uses).hasSize(CompileBenchmark.FRAMES);
    }

    @Test
    void aFrameThatWasCompiledIsCompiledAnew() {
        begin();
        Set<Object> made = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 2 * CompileBenchmark.FRAMES; i++) {
            made.add(benchmark.declareAndCompile().passes());
        }
        assertThat(made).hasSize(2 * CompileBenchmark.FRAMES);
    }

    @Test
    void everyFrameFindsItsFormerPlan() {
        begin();
        known.compile(benchmark);
        for (int i = 0; i < CompileBenchmark.FRAMES; i++) {
            benchmark.reuse(known);
            benchmark.declareAndReuse(known);
            benchmark.declareAgainAndReuse(known);
        }
        assertThat(known.reuses()).containsExactly(3L * CompileBenchmark.FRAMES, CompileBenchmark.FRAMES);
    }

    @Test
    void aFrameIsDeclaredIntoTheGraphOfItselfOrOfAnother() {
        begin();
        Set<RenderGraph> own = new HashSet<>();
        Set<RenderGraph> others = new HashSet<>();
        for (int i = 0; i < CompileBenchmark.FRAMES; i++) {
            own.add(benchmark.declareAgain());
        }
        for (int i = 0; i < CompileBenchmark.FRAMES; i++) {
            others.add(benchmark.declareChanged());
        }
        assertThat(own).hasSize(CompileBenchmark.FRAMES);
        assertThat(others).hasSize(1);
    }
}
