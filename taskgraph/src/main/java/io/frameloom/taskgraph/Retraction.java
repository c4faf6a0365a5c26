package io.frameloom.taskgraph;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Lets a waiting worker run what it waits for: the awaited task and those of its prerequisites and
 * children that are queued for workers and that nobody has claimed. Never anything else, so a wait cannot
 * be held up by unrelated work ("retraction" in Unreal Engine's public documentation of its Tasks System).
 *
 * <p>A depth-first walk, prerequisites before dependents, so that a task whose prerequisites were run by
 * the walk is found ready when it is left. Used by the waiting worker only.
 */
final class Retraction {
    private final ThreadContext context;
    private final GraphEvent awaited;
    private final ArrayDeque<Step> path = new ArrayDeque<>();
    private final Set<GraphEvent> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private static final class Step {
        final GraphEvent event;
        final GraphEvent[] inputs;
        int next;

        Step(GraphEvent event) {
            this.event = event;
            this.inputs = event.inputs();
        }
    }

    Retraction(ThreadContext context, GraphEvent awaited) {
        this.context = context;
        this.awaited = awaited;
    }

    /** Runs what can be run. Returns whether anything was. */
    boolean run() {
        boolean any = false;
        while (!awaited.isComplete() && walk(true)) {
            any = true;
        }
        return any;
    }

    /** Whether {@link #run()} would find something. */
    boolean canRun() {
        return walk(false);
    }

    private boolean walk(boolean run) {
        boolean found = false;
        path.clear();
        seen.clear();
        enter(awaited);
        for (Step step = path.peek(); step != null; step = path.peek()) {
            if (step.next < step.inputs.length) {
                GraphEvent input = step.inputs[step.next++];
                if (!input.isComplete() && seen.add(input)) {
                    enter(input);
                }
                continue;
            }
            path.pop();
            Task task = step.event.task();
            if (task == null || !(task.target instanceof WorkerLevel) || !task.isQueued()) {
                continue;
            }
            if (!run) {
                return true;
            }
            context.graph.reached(SchedulingPoint.CLAIM, task.name);
            if (task.claim()) {
                context.execute(task);
                found = true;
            }
        }
        return found;
    }

    private void enter(GraphEvent event) {
        WaitGraph.requireCanEnd(context, awaited, event);
        path.push(new Step(event));
    }
}
