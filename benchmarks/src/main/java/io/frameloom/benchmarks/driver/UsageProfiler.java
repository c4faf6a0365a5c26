package io.frameloom.benchmarks.driver;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Tells JMH the processor time of the process and the heap bytes of all threads, per operation. JMH has no profiler of
 * processor time that works everywhere; waiting threads that spin show nowhere else.
 */
public final class UsageProfiler implements InternalProfiler {
    static final String PROCESSOR_TIME = "cpu";
    static final String BYTES = "bytes";

    private ThreadUsage before = ThreadUsage.now();
    private long processorTime;

    /** Made by JMH. */
    public UsageProfiler() {}

    @Override
    public String getDescription() {
        return "processor time and allocated bytes of all threads";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = ThreadUsage.now();
        processorTime = ProcessorTime.nanos();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double processorNanos = ProcessorTime.nanos() - processorTime;
        double allocated = ThreadUsage.now().bytesSince(before);
        double operations = result.getMetadata().getAllOps();
        return List.of(
                new ScalarResult(PROCESSOR_TIME, processorNanos / operations, "ns/op", AggregationPolicy.AVG),
                new ScalarResult(BYTES, allocated / operations, "B/op", AggregationPolicy.AVG));
    }
}
