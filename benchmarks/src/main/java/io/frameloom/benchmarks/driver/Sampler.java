package io.frameloom.benchmarks.driver;

import io.frameloom.benchmarks.placement.BoundWorkers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.Statistics;

/**
 * Has JMH time the entrants of one measurement, each in JVMs of its own: the calls that one makes shape the
 * machine code that the JIT compiler writes, and must not shape another's. A row is the median over the samples, which are JMH's iterations, of all these JVMs.
 *
 * @param forks JVMs per entrant; with 0 JMH runs in this one
 * @param warmUpMillis time each entrant runs before it is timed
 * @param sampleMillis time one sample takes at least
 * @param samples number of samples per JVM
 * @param pinned whether our workers are bound to cores; the names of our rows say so
 */
public record Sampler(int forks, int warmUpMillis, int sampleMillis, int samples, boolean pinned) {
    /** The word for the lack of a parameter. */
    public static final String WITHOUT = "none";

    /** The JMH benchmark, which knows all shapes; the shapes know this class. */
    private static final String BENCHMARK = "io.frameloom.benchmarks.WholeRuns.run";

    private static final int WARM_UPS = 2;

    /**
     * Times all entrants.
     *
     * @param measurement what they do
     * @param entrants who takes part
     * @return one row each, in the same order
     */
    public List<Row> measure(Measurement measurement, List<Entrant> entrants) {
        return entrants.stream().map(entrant -> measure(measurement, entrant)).toList();
    }

    private Row measure(Measurement measurement, Entrant entrant) {
        RunResult result = run(measurement, entrant);
        Statistics times = result.getPrimaryResult().getStatistics();
        return new Row(
                measurement.shape(),
                measurement.workers(),
                pinned && entrant.name().startsWith(Row.OURS) ? entrant.name() + "-pinned" : entrant.name(),
                times.getPercentile(50),
                secondary(result, UsageProfiler.BYTES),
                (times.getPercentile(75) - times.getPercentile(25)) / 2,
                times.getMin(),
                null,
                secondary(result, UsageProfiler.PROCESSOR_TIME),
                measurement.body(),
                entrant.reruns(),
                measurement.unit(),
                measurement.parameter());
    }

    private RunResult run(Measurement measurement, Entrant entrant) {
        // JMH runs once per machine; MachineLoad says instead whether others are at work.
        System.setProperty("jmh.ignoreLock", "true");
        try {
            Path log = Files.createTempFile("frameloom-jmh", ".log");
            Integer parameter = measurement.parameter();
            Options options = new OptionsBuilder()
                    .include("^" + BENCHMARK.replace(".", "\\.") + "$")
                    .param("shape", measurement.shape())
                    .param("body", measurement.body())
                    .param("workers", Integer.toString(measurement.workers()))
                    .param("parameter", parameter == null ? WITHOUT : parameter.toString())
                    .param("contender", entrant.name())
                    .mode(Mode.AverageTime)
                    .timeUnit(TimeUnit.NANOSECONDS)
                    .operationsPerInvocation(Math.toIntExact(measurement.unitsPerRun() * measurement.runsPerSample()))
                    .forks(forks)
                    .jvmArgsAppend("-D" + BoundWorkers.PROPERTY + "=" + pinned)
                    .warmupIterations(WARM_UPS)
                    .warmupTime(TimeValue.milliseconds(warmUpMillis / WARM_UPS))
                    .measurementIterations(samples)
                    .measurementTime(TimeValue.milliseconds(sampleMillis))
                    .addProfiler(UsageProfiler.class)
                    .shouldFailOnError(true)
                    .output(log.toString())
                    .build();
            // Only with no forks does this JVM open what is measured.
            System.setProperty(BoundWorkers.PROPERTY, Boolean.toString(pinned));
            try {
                RunResult result = new Runner(options).runSingle();
                Files.delete(log);
                return result;
            } catch (RunnerException failure) {
                throw new IllegalStateException(
                        entrant.name() + " on " + measurement.shape() + " cannot be timed; " + log + " has JMH's words",
                        failure);
            } finally {
                System.clearProperty(BoundWorkers.PROPERTY);
            }
        } catch (IOException refused) {
            throw new UncheckedIOException("JMH's log cannot be written", refused);
        }
    }

    /** Per unit, over all samples. */
    private static double secondary(RunResult result, String label) {
        Result<?> found = result.getSecondaryResults().get(label);
        if (found == null) {
            throw new IllegalStateException("JMH has lost what " + UsageProfiler.class.getName() + " counted");
        }
        return found.getScore();
    }
}
