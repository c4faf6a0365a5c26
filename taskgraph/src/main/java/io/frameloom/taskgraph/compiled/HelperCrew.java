package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.task.ReusableTask;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The helpers of one worker level that a run may have, how many are there, and how many are wanted.
 *
 * <p>Any thread may call {@link #invite}; {@link #want} and {@link #wantAtLeast} only the thread that begins the run,
 * before others can see it or before it invites them. <b>No invitation is lost:</b> see {@link #invite} and {@link
 * ReusableTask}.
 */
final class HelperCrew {
    private final GraphRun run;
    private final WorkerLevel level;
    /** Only added to, see {@link GraphRun#share}. */
    private volatile Helper[] helpers = {};

    private final AtomicInteger present = new AtomicInteger();
    private volatile int wanted;

    HelperCrew(GraphRun run, WorkerLevel level) {
        this.run = run;
        this.level = level;
    }

    /** Adds a helper for each participant. One thread at a time. */
    void add(RunParticipant[] participants) {
        Helper[] known = helpers;
        Helper[] all = Arrays.copyOf(known, known.length + participants.length);
        for (int i = 0; i < participants.length; i++) {
            all[known.length + i] = new Helper(participants[i]);
        }
        helpers = all;
    }

    int size() {
        return helpers.length;
    }

    WorkerLevel level() {
        return level;
    }

    /** Sets how many may be there at a time from now on. */
    void want(int number) {
        wanted = number;
    }

    /** Raises what {@link #want} has set. */
    void wantAtLeast(int number) {
        wanted = Math.max(wanted, number);
    }

    /**
     * Queues a helper unless enough are there. A helper that becomes idle looks whether it is needed, and another
     * thread that fails to queue it just then may count it meanwhile. Therefore the thread that failed looks again
     * after taking its count back: either it sees the helper idle, or the helper sees the count without it.
     */
    void invite() {
        while (present.get() < wanted) {
            for (Helper helper : helpers) {
                if (helper.tryInvite()) {
                    return;
                }
            }
            if (!isAnyIdle()) {
                return;
            }
        }
    }

    private boolean isAnyIdle() {
        for (Helper helper : helpers) {
            if (helper.task.isIdle()) {
                return true;
            }
        }
        return false;
    }

    /** Lets a worker help: a reusable task of the level and the participant that it becomes. */
    private final class Helper implements ReusableTask.Work {
        final ReusableTask task;
        private final RunParticipant participant;

        Helper(RunParticipant participant) {
            this.participant = participant;
            task = new ReusableTask(run.graph, run.plan.name, level, null, true, this);
        }

        /** Queues this helper. Returns false if it is queued or running already. */
        boolean tryInvite() {
            // Counted before, so that the count never misses a helper that is there.
            present.getAndIncrement();
            if (task.tryQueue()) {
                return true;
            }
            run.reached(SchedulingPoint.RECHECK);
            present.getAndDecrement();
            return false;
        }

        @Override
        public void run(@Nullable TaskGraphClosedException refusal) {
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
            present.getAndDecrement();
            run.reached(SchedulingPoint.RECHECK);
        }

        @Override
        public void idle() {
            if (run.mayRunWorkerNodes() && run.hasWork(level.ordinal())) {
                invite();
            }
        }
    }
}
