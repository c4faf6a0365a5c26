package io.frameloom.taskgraph;

/** A worker. Its loop is {@link WorkerPool#work}. */
final class WorkerThread extends Thread {
    final TaskGraph graph;
    final ThreadContext context;
    final int index;

    /** Belongs to this thread. */
    boolean holdsBackgroundPermit;

    /** Whether this worker is inside a wait and can only run what it waits for. */
    volatile boolean blocked;

    WorkerThread(TaskGraph graph, int index) {
        super(null, null, graph.name() + "-worker-" + index, 0, false);
        this.graph = graph;
        this.index = index;
        this.context = new ThreadContext(graph, this, index);
        setDaemon(true);
    }

    @Override
    public void run() {
        graph.runScheduled(() -> graph.workers().work(this));
    }
}
