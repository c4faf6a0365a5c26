package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.task.ReusableTask;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The ready nodes of one queue of a named thread, and how that thread gets to run them: by a reusable task
 * in its queue, or directly, while it takes part in the run or waits for it (the <em>server</em>).
 *
 * <p>Any participant may {@link #send}. The sender adds the node, passes a full fence, and wakes the server or, without
 * one, queues the task. The thread that stops being the server stores that, passes a full fence, and queues the task if
 * something is left: no node is left without either ({@code CompiledLaneStress}).
 */
final class RunLane implements ReusableTask.Work {
    static final RunLane[] NONE = {};

    final NamedLane lane;

    private final GraphRun run;
    private final RunParticipant participant;
    private final NodeInbox inbox;
    private final ReusableTask task;
    private final boolean high;
    private volatile @Nullable ThreadParker server;

    RunLane(GraphRun run, RunParticipant participant, GraphPlan.LaneTarget target) {
        this.run = run;
        this.participant = participant;
        this.lane = target.lane();
        this.high = target.high();
        inbox = new NodeInbox(run.plan.nodes);
        task = new ReusableTask(run.graph, run.plan.name, target.target(), lane, target.high(), this);
    }

    boolean isHigh() {
        return high;
    }

    void send(int node) {
        run.reached(SchedulingPoint.ENQUEUE);
        inbox.add(node);
        VarHandle.fullFence();
        run.reached(SchedulingPoint.RECHECK);
        ThreadParker serving = server;
        if (serving != null) {
            serving.wake();
        } else {
            task.tryQueue();
        }
    }

    int takeAll() {
        run.reached(SchedulingPoint.TAKE);
        return inbox.takeAll();
    }

    int next(int node) {
        return inbox.next(node);
    }

    /** The nodes that are ready at some moment; for reports. */
    int[] ready() {
        return inbox.numbers();
    }

    boolean isEmpty() {
        return inbox.isEmpty();
    }

    static boolean anyReady(RunLane[] lanes) {
        for (RunLane lane : lanes) {
            if (!lane.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The calling thread, which is the lane's, will run nodes without the queue. */
    void beginServing(ThreadParker parker) {
        server = parker;
    }

    void endServing() {
        server = null;
        VarHandle.fullFence();
        run.reached(SchedulingPoint.RECHECK);
        idle();
    }

    /** Runs what is ready. By the lane's thread, inside or outside of its queue. */
    @Override
    public void run(@Nullable TaskGraphClosedException refusal) {
        if (run.gate.tryEnter()) {
            if (refusal != null) {
                run.bodies.refuse(refusal);
            }
            participant.runAsLane(this, run.graph.currentContext());
            run.leaveGate();
        }
    }

    @Override
    public void idle() {
        if (!inbox.isEmpty() && server == null) {
            task.tryQueue();
        }
    }
}
