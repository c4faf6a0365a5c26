package io.frameloom.benchmarks.hop;

/** Two threads that hand a token to each other. */
interface HopPair extends AutoCloseable {
    /** The name in results. */
    String name();

    /**
     * Sends the token there and back again and again, on the calling thread and the other one.
     *
     * @param roundTrips receives the time of each round trip in nanoseconds
     */
    void run(long[] roundTrips);

    @Override
    void close();
}
