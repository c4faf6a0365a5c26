package io.frameloom.benchmarks.driver;

/** Something whose single latencies are of interest, not only their mean. */
public interface LatencyProbe extends AutoCloseable {
    /** The name in results. */
    String name();

    /**
     * Measures again and again, on the calling thread and its own.
     *
     * @param nanos receives the latencies in nanoseconds
     */
    void run(long[] nanos);

    @Override
    void close();
}
