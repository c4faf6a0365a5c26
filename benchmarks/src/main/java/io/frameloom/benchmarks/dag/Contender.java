package io.frameloom.benchmarks.dag;

/** A way to run a graph: ours or a rival's. */
public interface Contender {
    /** The name in results; ours begin with {@code frameloom-}. */
    String name();

    /** True when the graph is built once and run again and again, false when every run builds it anew. */
    boolean reruns();

    /** True when it can be launched and awaited that way. */
    boolean supports(Caller caller);

    /** True when it can run such a graph. */
    default boolean supports(Shape shape) {
        return supports(shape.caller());
    }

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
    interface Session extends io.frameloom.benchmarks.driver.Session {}

    /** A session that can tell building the graph from running it. */
    interface TwoPhaseSession extends Session {
        /** Builds the graph of one run completely, without letting any node start. */
        void build();

        /** Runs what {@link #build} has built, and waits for it. */
        void runBuilt();
    }
}
