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
    private static final int LEAST_TO_SWEEP = 64;

    private final List<WeakReference<RunInProgress>> events = new ArrayList<>();
    /** At this size the dropped ones go: twice what was left the last time, so that an entry costs a constant. */
    private int sweepAt = LEAST_TO_SWEEP;

    public synchronized void add(RunInProgress event) {
        if (events.size() >= sweepAt) {
            events.removeIf(known -> known.get() == null);
            sweepAt = Math.max(LEAST_TO_SWEEP, 2 * events.size());
        }
        events.add(new WeakReference<>(event));
    }

    /** Lets every thread that waits for a run go on, also for one that has just ended, see {@link FailStop}. */
    void releaseAll() {
        for (WeakReference<RunInProgress> known : snapshot()) {
            RunInProgress event = known.get();
            if (event != null) {
                event.releaseAll();
            }
        }
    }

    private synchronized List<WeakReference<RunInProgress>> snapshot() {
        return List.copyOf(events);
    }

    /** The graphs of which a run is in progress. */
    public synchronized List<RunInProgress> inProgress() {
        List<RunInProgress> found = new ArrayList<>();
        for (WeakReference<RunInProgress> known : events) {
            RunInProgress event = known.get();
            if (event != null && !event.isComplete()) {
                found.add(event);
            }
        }
        return found;
    }

    /** The run in progress that triggers the event when it ends, or null. */
    public @Nullable RunInProgress runBehind(CoreEvent event) {
        for (RunInProgress run : inProgress()) {
            if (run.triggers(event)) {
                return run;
            }
        }
        return null;
    }
}
