package io.frameloom.taskgraph.deterministic;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes the runs of an exploration, one after the other, and watches them. Used by the exploring thread. */
final class Explorer {
    /** A first guess for how many decisions a run makes. */
    private static final int FIRST_EXPECTATION = 200;

    private Explorer() {}

    static Explored explore(Exploration exploration, ScheduledProgram program) {
        Set<Schedule> distinct = new HashSet<>();
        long decisions = 0;
        int longest = 0;
        for (int run = 0; run < exploration.runs(); run++) {
            int expected = longest == 0 ? FIRST_EXPECTATION : longest;
            DeterministicScheduler scheduler =
                    new DeterministicScheduler(exploration, exploration.policy(run, expected));
            Throwable failure = run(scheduler, program, exploration.patience());
            RunLog log = scheduler.runLog();
            Schedule schedule = log.schedule();
            if (failure != null) {
                throw new ScheduleFailure(exploration.name(), exploration.seed(), run, schedule, log.lines(), failure);
            }
            distinct.add(schedule);
            decisions += schedule.length();
            longest = Math.max(longest, schedule.length());
        }
        return new Explored(exploration.runs(), distinct.size(), decisions);
    }

    private static @Nullable Throwable run(
            DeterministicScheduler scheduler, ScheduledProgram program, Duration patience) {
        scheduler.launch(scheduler.program("main", () -> program.run(scheduler)));
        // A longer patience does not fit into a long.
        long nanos = patience.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : patience.toNanos();
        boolean interrupted = false;
        int seen = -1;
        while (true) {
            try {
                if (scheduler.finished().await(nanos, TimeUnit.NANOSECONDS)) {
                    break;
                }
                int progress = scheduler.progress();
                if (progress == seen) {
                    return blockedOutside(scheduler, patience);
                }
                seen = progress;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        scheduler.joinAll();
        return scheduler.failure();
    }

    private static Throwable blockedOutside(DeterministicScheduler scheduler, Duration patience) {
        ControlledThread holder = scheduler.baton();
        Throwable earlier = scheduler.failure();
        IllegalStateException failure = new IllegalStateException(
                "thread '" + (holder == null ? "?" : holder.name()) + "' has the turn and did not pass a scheduling "
                        + "point for " + patience
                        + ": it waits for another thread by means that the scheduler does not see (a lock held across "
                        + "a point, a latch, a sleep), or it computes without end; use events, DeterministicScheduler."
                        + "join, sleep or point instead",
                earlier);
        if (holder != null) {
            failure.setStackTrace(holder.thread.getStackTrace());
        }
        return failure;
    }
}
