package io.frameloom.benchmarks.dag;

import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.RunBenchmark;
import io.frameloom.benchmarks.driver.Settings;
import java.util.List;

/**
 * A graph run by all contenders.
 *
 * @param name the name on the command line and in results
 * @param family where it is drawn; a family over workers is measured with the whole range of workers
 * @param shape the graph
 * @param body the work of its nodes
 * @param contenders who runs it
 */
public record DagBenchmark(String name, Family family, Shape shape, BodyKind body, List<Contender> contenders)
        implements RunBenchmark {
    @Override
    public List<Integer> workers(Settings settings) {
        return family.axis() == Family.Axis.WORKERS ? settings.workerSweep() : settings.workers();
    }

    @Override
    public List<Measurement> measurements(int workers) {
        return List.of(
                new Measurement(name, body.label(), workers, "task", shape.dag().nodes(), shape.runsPerSample(), null));
    }

    @Override
    public List<Entrant> entrants(Measurement measurement) {
        Caller caller = shape.caller();
        return contenders.stream()
                .filter(contender -> contender.supports(shape))
                .map(contender -> new Entrant(
                        contender.name(),
                        contender.reruns(),
                        () -> contender.open(body.on(shape.dag()), measurement.workers(), caller)))
                .toList();
    }
}
