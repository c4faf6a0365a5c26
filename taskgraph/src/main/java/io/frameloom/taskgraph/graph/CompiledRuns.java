package io.frameloom.taskgraph.graph;

import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.FailStop;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The compiled graphs of a task graph, for reports: a graph is entered once, when it is built, so that a run pays
 * nothing, and weakly, so that it can be dropped. Any thread may call any method.
 */
public final class CompiledRuns {
    /**
     * The engine's view of a compiled graph: the threads that wait for its runs, and for what. Any thread may call any
     * method.
     */
    public interface Run {
        /** Whether no run is in progress. */
        boolean isComplete();

        /** Whether no run will begin any more. */
        boolean isOver();

        /**
         * Looks whether one thread holds up what others could run. By the timer thread.
         *
         * @return whether it has to look again
         */
        boolean lookAfter();

        /** Whether the end of the run in progress triggers the event; for reports. */
        boolean triggers(CoreEvent asked);

        /** Lets the threads that wait for the run go on, see {@link FailStop}. */
        void releaseAll();
    }

    private static final int LEAST_TO_SWEEP = 64;

    private final List<WeakReference<Run>> events = new ArrayList<>();
    /**
     * At this size those go that were dropped or are over: twice what was left the last time, so that an entry costs a
     * constant.
     */
    private int sweepAt = LEAST_TO_SWEEP;

    public synchronized void add(Run event) {
        if (events.size() >= sweepAt) {
            events.removeIf(known -> {
                Run run = known.get();
                return run == null || run.isOver();
            });
            sweepAt = Math.max(LEAST_TO_SWEEP, 2 * events.size());
        }
        events.add(new WeakReference<>(event));
    }

    /** Lets every thread that waits for a run go on, also for one that has just ended, see {@link FailStop}. */
    void releaseAll() {
        for (WeakReference<Run> known : snapshot()) {
            Run event = known.get();
            if (event != null) {
                event.releaseAll();
            }
        }
    }

    private synchronized List<WeakReference<Run>> snapshot() {
        return List.copyOf(events);
    }

    public synchronized List<Run> inProgress() {
        List<Run> found = new ArrayList<>();
        for (WeakReference<Run> known : events) {
            Run event = known.get();
            if (event != null && !event.isComplete()) {
                found.add(event);
            }
        }
        return found;
    }

    /** Looks at each run in progress, see {@link Run#lookAfter}. Returns whether it has to look again. */
    boolean lookAfter() {
        boolean again = false;
        for (Run run : inProgress()) {
            again |= run.lookAfter();
        }
        return again;
    }

    /** The run in progress that triggers the event when it ends, or null. */
    public @Nullable Run runThatTriggers(CoreEvent event) {
        for (Run run : inProgress()) {
            if (run.triggers(event)) {
                return run;
            }
        }
        return null;
    }
}
