package io.frameloom.rdg.execute;

import io.frameloom.rdg.HeapSearch;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.LowerHeaps;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import org.jspecify.annotations.Nullable;

/**
 * Runs the searches of {@link HeapSearch#REUSED}, one at a time, on workers that have nothing more urgent. No frame
 * waits for one. One that fails leaves its plan as it is, and its failure goes where those of all tasks go that no code
 * looks at. RENDER thread only.
 */
final class HeapSearches {
    private final TaskGraph tasks;
    private @Nullable GraphEvent running;

    HeapSearches(TaskGraph tasks) {
        this.tasks = tasks;
    }

    /** Begins the search of a plan that is executed, if one was asked for and none runs; else a later frame does. */
    void begin(CompiledPlan plan) {
        LowerHeaps search = plan.structure().lowerHeaps();
        if (search != null && (running == null || running.isComplete()) && search.take()) {
            running = tasks.task("search for lower heaps of '" + plan.name() + "'", search::search)
                    .on(WorkerLevel.BACKGROUND)
                    .dispatch();
        }
    }

    /** Waits until none runs. Searches ask the device for sizes, so it must not be closed before. */
    void await() {
        if (running != null) {
            running.awaitCompletion();
        }
    }
}
