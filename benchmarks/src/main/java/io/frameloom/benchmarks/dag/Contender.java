package io.frameloom.benchmarks.dag;

/** A way to run a graph: ours or a rival's. */
public interface Contender {
    /** The name in results; ours begin with {@code frameloom-}. */
    String name();

    /** True when the graph is built once and run again and again, false when every run builds it anew. */
    boolean reruns();

    /** True when it can be launched and awaited that way. */
    boolean supports(Caller caller);

    /**
     * Gets ready to run.
     *
     * @param workload the graph
     * @param workers number of threads that execute nodes
     * @param caller who launches and waits; {@link #supports} said yes
     * @return the session; used by one thread
     */
    Session open(Workload workload, int workers, Caller caller);

    /** A graph ready to run on threads of its own. */
    interface Session extends AutoCloseable {
        /**
         * Runs the graph again and again, each run complete before the next begins.
         *
         * @param times how often
         */
        void run(int times);

        @Override
        void close();
    }
}
