package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.WorkStealingDeque;
import java.util.List;

/** A worker. Its loop is {@link WorkerPool#work}. */
final class WorkerThread extends Thread implements Wakeable {
    final TaskGraph graph;
    final ThreadContext context;
    final int index;

    /** What this worker made ready, by level; others steal from it. */
    final List<WorkStealingDeque<Task>> deques =
            List.of(WorkerQueues.newDeque(), WorkerQueues.newDeque(), WorkerQueues.newDeque());

    /** Belongs to this thread. */
    final InheritedContext inherited = new InheritedContext();

    /** Belongs to this thread. */
    boolean holdsBackgroundPermit;

    /** Looks for work; belongs to this thread. */
    int turns;

    /** The worker from which something was stolen last; belongs to this thread. */
    int victim;

    /** Whether this worker is inside a wait and can only run what it waits for. */
    volatile boolean blocked;

    WorkerThread(TaskGraph graph, int index) {
        super(null, null, graph.name() + "-worker-" + index, 0, false);
        this.graph = graph;
        this.index = index;
        this.victim = index;
        this.context = new ThreadContext(graph, this, index);
        setDaemon(true);
    }

    /** Wakes this worker from a wait inside a task. */
    @Override
    public void wake() {
        context.parker.wake();
    }

    @Override
    public void run() {
        graph.runScheduled(() -> graph.workers().work(this));
    }
}
