package io.frameloom.benchmarks.priority;

import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.benchmarks.driver.LatencySampler;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import io.frameloom.benchmarks.pool.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Submission to start of an urgent task while background work floods all workers. A ForkJoinPool cannot take part: its
 * workers prefer what they submitted themselves, so a task from outside would wait for ever.
 */
public final class MixedPriorities implements Benchmark {
    private static final int USUAL_PER_ROUND = 1_000;

    @Override
    public String name() {
        return "mixed-priorities";
    }

    @Override
    public Family family() {
        return Family.bars("mixed-priorities");
    }

    /** Makes each contender with the given number of threads, ours first. */
    static List<IntFunction<PriorityPool>> pools() {
        List<IntFunction<PriorityPool>> pools = new ArrayList<>();
        pools.add(FrameloomPriorities::new);
        pools.add(PriorityQueuePool::new);
        pools.add(workers -> new FirstComeFirstServed(Pool.fixed(workers)));
        return pools;
    }

    @Override
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        for (int workers : settings.workers()) {
            List<Supplier<LatencyProbe>> probes = new ArrayList<>();
            for (IntFunction<PriorityPool> pool : pools()) {
                probes.add(() -> new FloodedProbe(pool.apply(workers)));
            }
            groups.accept(new LatencySampler(name(), workers, "wake-up", 1, settings.perRound(USUAL_PER_ROUND))
                    .measure(probes));
        }
    }
}
