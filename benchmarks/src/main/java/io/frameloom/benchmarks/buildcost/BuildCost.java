package io.frameloom.benchmarks.buildcost;

import io.frameloom.benchmarks.dag.BodyKind;
import io.frameloom.benchmarks.dag.Caller;
import io.frameloom.benchmarks.dag.Contender;
import io.frameloom.benchmarks.dag.Workload;
import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.LatencyProbe;
import io.frameloom.benchmarks.driver.LatencySampler;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The time to build a graph that may not start yet, by those contenders that can tell building from running. Its bytes are
 * those of building and running. Subtract {@code build-1-edge} from {@code build-9-edges} and divide by eight for the cost of an edge.
 *
 * @param edges prerequisites of each task
 * @param contenders who builds, all of them in one JVM
 */
public record BuildCost(int edges, List<Contender> contenders) implements Benchmark {
    private static final int USUAL_PER_ROUND = 100;

    @Override
    public String name() {
        return edges == 1 ? "build-1-edge" : "build-" + edges + "-edges";
    }

    @Override
    public Family family() {
        return Family.bars("build-cost");
    }

    @Override
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        Workload workload = BodyKind.EMPTY.on(new Layers(edges).dag());
        for (int workers : settings.workers()) {
            List<Supplier<LatencyProbe>> probes = new ArrayList<>();
            for (Contender contender : contenders) {
                if (contender.supports(Caller.OUTSIDE) && !contender.reruns()) {
                    addIfTwoPhase(contender, workload, workers, probes);
                }
            }
            groups.accept(new LatencySampler(
                            name(), workers, "task", workload.dag().nodes(), settings.perRound(USUAL_PER_ROUND))
                    .measure(probes));
        }
    }

    private static void addIfTwoPhase(
            Contender contender, Workload workload, int workers, List<Supplier<LatencyProbe>> probes) {
        try (Contender.Session session = contender.open(workload, workers, Caller.OUTSIDE)) {
            if (session instanceof Contender.TwoPhaseSession) {
                probes.add(() -> new BuildProbe(contender.name(), (Contender.TwoPhaseSession)
                        contender.open(workload, workers, Caller.OUTSIDE)));
            }
        }
    }
}
