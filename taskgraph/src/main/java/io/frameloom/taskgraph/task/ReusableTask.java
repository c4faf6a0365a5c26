package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A task of a worker level or of a named thread that can be queued again and again; allocates nothing.
 *
 * <pre>
 *   IDLE --tryQueue (one winner)--> QUEUED --run by a thread of the target, or dropped--> IDLE
 * </pre>
 *
 * <p>Any thread may call {@link #tryQueue}. A call that fails found the task queued or running. It is not lost: the
 * thread that ran the task sets it idle, passes a full fence and then calls {@link Work#idle}, which has to look
 * whether there is work again. The other side publishes its work, passes a full fence and then tries to queue. One of
 * the two sees the other ({@code CompiledLaneStress}). <b>Linearization.</b> At the compare-and-set to QUEUED and the
 * volatile store of IDLE. <b>Progress.</b> Lock-free but for the queues.
 */
public final class ReusableTask extends RepeatedBody {
    private static final int IDLE = 0;
    private static final int QUEUED = 1;

    private static final VarHandle STATE =
            Fields.handle(MethodHandles.lookup(), ReusableTask.class, "state", int.class);

    /** What is done. */
    public interface Work {
        /**
         * Does the work, on a thread of the target. Must not throw.
         *
         * @param refusal null, or why the task was taken out of its queue: the graph closes. Then any thread calls, and
         *     every wait for the work must end.
         */
        void run(@Nullable TaskGraphClosedException refusal);

        /** The task can be queued again. Must queue it if there is work that no other thread will do. */
        void idle();
    }

    private final GraphCore graph;
    private final Task task;
    private final Work work;
    private volatile int state;

    /**
     * An idle task.
     *
     * @param target a worker level, or what the lane belongs to
     * @param lane the lane of a named target, else null
     */
    public ReusableTask(
            GraphCore graph, String name, ExecutionTarget target, @Nullable Lane lane, boolean high, Work work) {
        this.graph = graph;
        this.work = work;
        this.task = new Task(graph, name, this);
        task.setPlace(target, lane, high);
        task.setUntracked();
    }

    /** Whether {@link #tryQueue} would succeed now. */
    public boolean isIdle() {
        return state == IDLE;
    }

    /** Queues the task. Returns false if it is queued or running. */
    public boolean tryQueue() {
        VarHandle.fullFence();
        graph.reached(SchedulingPoint.CLAIM, task.name());
        if (state != IDLE || !STATE.compareAndSet(this, IDLE, QUEUED)) {
            return false;
        }
        Lane lane = task.lane;
        if (lane != null) {
            lane.enqueue(task);
            lane.wake();
        } else {
            TaskQueues pool = graph.workers();
            pool.signal(1 << pool.pushShared(task));
        }
        return true;
    }

    @Override
    public String kind() {
        return "a node of graph";
    }

    @Override
    public void run() {
        work.run(null);
        setIdle();
    }

    /** Ends an entry of a queue that will not be run. */
    void dropped(TaskGraphClosedException refusal) {
        work.run(refusal);
        setIdle();
    }

    private void setIdle() {
        graph.reached(SchedulingPoint.COMPLETE, task.name());
        state = IDLE;
        VarHandle.fullFence();
        graph.reached(SchedulingPoint.RECHECK, task.name());
        work.idle();
    }
}
