package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.task.ReusableTask;
import org.jspecify.annotations.Nullable;

/** Lets a worker help with a run: a reusable task of one level and the participant that it becomes. */
final class RunHelper implements ReusableTask.Work {
    private final GraphRun run;
    private final RunParticipant participant;
    private final int level;
    private final ReusableTask task;

    RunHelper(GraphRun run, RunParticipant participant, WorkerLevel level) {
        this.run = run;
        this.participant = participant;
        this.level = level.ordinal();
        task = new ReusableTask(run.graph, run.plan.name, level, null, true, this);
    }

    /** Queues this helper. Returns false if it is queued or running already. */
    boolean tryInvite() {
        // Counted before, so that the count never misses a helper that is there.
        run.crew(level).addPresent(1L);
        if (task.tryQueue()) {
            return true;
        }
        run.reached(SchedulingPoint.RECHECK);
        run.crew(level).addPresent(-1L);
        return false;
    }

    /** Whether {@link #tryInvite} would succeed now. */
    boolean isIdle() {
        return task.isIdle();
    }

    @Override
    public void run() {
        help(null);
    }

    @Override
    public void dropped(TaskGraphClosedException refusal) {
        help(refusal);
    }

    private void help(@Nullable TaskGraphClosedException refusal) {
        run.reached(SchedulingPoint.CLAIM);
        if (run.gate.tryEnter()) {
            if (refusal != null) {
                run.bodies.refuse(refusal);
            }
            if (run.tryRunWorkerNodes()) {
                participant.help(run.graph.currentContext());
                run.endWorkerNodes();
            }
            run.leaveGate();
        }
        run.crew(level).addPresent(-1L);
        run.reached(SchedulingPoint.RECHECK);
    }

    @Override
    public void idle() {
        if (run.mayRunWorkerNodes() && run.hasWork(level)) {
            run.crew(level).invite();
        }
    }
}
