package io.frameloom.rdg.execute;

import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.StalledException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The wait of the RENDER thread for the setup tasks of a group that it records itself. One that waits for this thread
 * in turn would never end. If the task graph knows of that, it refuses the wait, or regular looks at what the setup
 * task waits for find it. What it cannot know, such as a latch of the application, is reported to the listener.
 */
record SetupWait(TaskGraph tasks) {
    private static final Duration FIRST_LOOK = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final String WAY_OUT = "; a setup task must not wait for the thread that executes the plan if that"
            + " thread records the pass, as it does with serial recording and NEVER_PARALLEL";

    /**
     * Waits until the setup tasks of a group are complete; whether they failed the group asks itself.
     *
     * @throws RdgException if one waits for the calling thread
     * @throws TaskGraphClosedException if the task graph was closed or has stopped
     */
    void await(Frame frame, int group) {
        if (!frame.plan().hasSetups()) {
            return;
        }
        List<RdgSetupTask> awaited = setups(frame, group);
        if (awaited.isEmpty()) {
            return;
        }
        GraphEvent all = tasks.task("setup tasks of frame " + frame.number(), () -> {})
                .after(awaited.stream().map(RdgSetupTask::event).toList())
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
        Duration limit = FIRST_LOOK;
        boolean cycle = false;
        boolean reported = false;
        while (true) {
            try {
                all.awaitOrExplain(limit);
                return;
            } catch (StalledException stalled) {
                StallExplanation seen = stalled.explanation();
                // A look is no snapshot: what is seen twice was not passed through.
                if (cycle && seen.isCycle()) {
                    throw refused(frame, group, seen.toString(), stalled);
                }
                cycle = seen.isCycle();
                if (!cycle && !reported && limit.equals(LONGEST)) {
                    reported = true;
                    report(frame, group, seen);
                }
            } catch (TaskGraphClosedException over) {
                throw over;
            } catch (IllegalStateException endless) {
                throw refused(frame, group, String.valueOf(endless.getMessage()), endless);
            }
            limit = longer(limit);
        }
    }

    private static Duration longer(Duration limit) {
        Duration twice = limit.multipliedBy(2);
        return twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }

    private static List<RdgSetupTask> setups(Frame frame, int group) {
        List<RdgSetupTask> setups = new ArrayList<>(0);
        for (PassRealisation pass : frame.realisation().group(group).passes()) {
            setups.addAll(frame.plan().setups(pass.plan().index()));
        }
        return setups;
    }

    private static RdgException refused(Frame frame, int group, String why, RuntimeException cause) {
        return new RdgException(who(frame, group) + " can never be recorded: " + why + WAY_OUT, cause);
    }

    private static void report(Frame frame, int group, StallExplanation seen) {
        frame.plan()
                .options()
                .diagnostics()
                .watch()
                .listener()
                .notSetUp(
                        frame.planName(),
                        who(frame, group) + " still waits for setup tasks before it is recorded by thread '"
                                + Thread.currentThread().getName() + "': " + seen + WAY_OUT);
    }

    private static String who(Frame frame, int group) {
        return "'" + frame.realisation().group(group).label() + "' of plan '" + frame.planName() + "' (frame "
                + frame.number() + ", setup tasks " + setups(frame, group) + ")";
    }
}
