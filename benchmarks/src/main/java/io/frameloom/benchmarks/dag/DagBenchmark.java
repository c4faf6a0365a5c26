package io.frameloom.benchmarks.dag;

import io.frameloom.benchmarks.driver.Benchmark;
import io.frameloom.benchmarks.driver.Entrant;
import io.frameloom.benchmarks.driver.Family;
import io.frameloom.benchmarks.driver.Measurement;
import io.frameloom.benchmarks.driver.Row;
import io.frameloom.benchmarks.driver.Settings;
import java.util.List;
import java.util.function.Consumer;

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
        implements Benchmark {
    @Override
    public void measure(Settings settings, Consumer<List<Row>> groups) {
        Workload workload = body.on(shape.dag());
        Caller caller = shape.caller();
        boolean curve = family.axis() == Family.Axis.WORKERS;
        for (int workers : curve ? settings.workerSweep() : settings.workers()) {
            List<Entrant> entrants = contenders.stream()
                    .filter(contender -> contender.supports(caller) && contender.supports(workers))
                    .map(contender -> new Entrant(
                            contender.name(), contender.reruns(), () -> contender.open(workload, workers, caller)))
                    .toList();
            Measurement measurement = new Measurement(
                    name, body.label(), workers, "task", workload.dag().nodes(), shape.runsPerSample(), null);
            groups.accept(settings.sampler().measure(measurement, entrants));
        }
    }
}
