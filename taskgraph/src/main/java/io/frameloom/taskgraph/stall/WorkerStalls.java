package io.frameloom.taskgraph.stall;

import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.parts.TaskGraphOptions;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.Urgency;
import io.frameloom.taskgraph.worker.BlockingRegion;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The part of a {@link StallGraph} for the work that workers have to run. Used as that is. */
final class WorkerStalls {
    private final StallGraph stalls;
    private final GraphParts graph;

    WorkerStalls(StallGraph stalls, GraphParts graph) {
        this.stalls = stalls;
        this.graph = graph;
    }

    /** A task that is queued for workers. */
    StallNode queued(Task task) {
        Able able = able(Urgency.level(task.urgency()));
        StallNode made = new StallNode(
                "'" + task.name() + "'", "is queued for workers at " + task.target + "; " + able.words, null, true);
        stalls.later(() -> {
            for (WorkerThread worker : able.workers) {
                CoreEvent awaited = stalls.awaitedBy(worker.context);
                made.need(
                        awaited != null && helps(awaited, task)
                                ? new StallNode("thread " + worker.getName(), "is about to run it", null, false)
                                : stalls.node(worker.context));
            }
        });
        return made;
    }

    /** A node of a run that any worker can run. */
    StallNode ready(String name, WorkerLevel level) {
        Able able = able(level);
        StallNode made = new StallNode(name, "is ready for workers at " + level + "; " + able.words, null, true);
        stalls.later(() -> {
            for (WorkerThread worker : able.workers) {
                made.need(stalls.node(worker.context));
            }
        });
        return made;
    }

    /** Whether a worker that waits for one event runs the other meanwhile; it walks as {@code Retraction} does. */
    static boolean helps(CoreEvent awaited, CoreEvent wanted) {
        Set<CoreEvent> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<CoreEvent> open = new ArrayDeque<>();
        open.add(awaited);
        for (CoreEvent event = open.poll(); event != null; event = open.poll()) {
            if (event == wanted) {
                return true;
            }
            if (!event.isComplete() && seen.add(event)) {
                for (@Nullable CoreEvent input : event.inputs()) {
                    if (input != null) {
                        open.add(input);
                    }
                }
                open.addAll(Arrays.asList(event.alternatives()));
            }
        }
        return false;
    }

    /** The workers that could take something if they were free, and why there are no others. */
    private record Able(List<WorkerThread> workers, String words) {}

    private Able able(WorkerLevel level) {
        List<WorkerThread> all = new ArrayList<>();
        List<WorkerThread> inBackground = new ArrayList<>();
        for (WorkerThread worker : graph.workers().workers()) {
            if (!worker.resting) {
                all.add(worker);
                if (worker.holdsBackgroundPermit) {
                    inBackground.add(worker);
                }
            }
        }
        TaskGraphOptions options = graph.options();
        int capacity = options.workers() - options.reservedWorkers();
        return level != WorkerLevel.BACKGROUND || inBackground.size() < capacity
                ? new Able(all, words(all))
                : new Able(inBackground, permitsAreTaken(all, inBackground, capacity));
    }

    private String permitsAreTaken(List<WorkerThread> all, List<WorkerThread> inBackground, int capacity) {
        TaskGraphOptions options = graph.options();
        StringBuilder text = new StringBuilder("at most ").append(capacity);
        text.append(" of ").append(options.workers()).append(" workers may run that level at a time (reservedWorkers ");
        text.append(options.reservedWorkers())
                .append("), and that is used up: ")
                .append(words(inBackground));
        if (inBackground.stream().anyMatch(worker -> worker.region != null)) {
            text.append(", which counts even while it blocks");
        }
        List<String> idle = new ArrayList<>();
        for (WorkerThread worker : all) {
            if (!inBackground.contains(worker) && worker.context.currentTask() == null) {
                idle.add(worker.getName());
            }
        }
        if (!idle.isEmpty()) {
            text.append("; ").append(String.join(", ", idle)).append(idle.size() == 1 ? " is" : " are");
            text.append(" idle but must stay free for the other levels");
        }
        if (options.spareWorkers() > 0) {
            text.append("; a spare worker replaces a blocked one for the other levels only");
        }
        return text.toString();
    }

    private static String words(List<WorkerThread> workers) {
        StringBuilder text = new StringBuilder();
        for (WorkerThread worker : workers) {
            Task task = worker.context.currentTask();
            String region = BlockingRegion.openOn(worker);
            text.append(text.length() == 0 ? "" : ", ").append(worker.getName());
            text.append(task == null ? " is idle" : " runs '" + task.name() + "'");
            text.append(region == null ? "" : " in its blocking region '" + region + "'");
        }
        return text.toString();
    }
}
