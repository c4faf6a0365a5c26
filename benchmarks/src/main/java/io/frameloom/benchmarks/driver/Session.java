package io.frameloom.benchmarks.driver;

/** Something ready to run on threads of its own. */
public interface Session extends AutoCloseable {
    /**
     * Runs it again and again, each run complete before the next begins. Called by one thread.
     *
     * @param times how often
     */
    void run(int times);

    @Override
    void close();
}
