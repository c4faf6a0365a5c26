package io.frameloom.taskgraph.waiting;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.task.Completer;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.worker.Broadcast;
import io.frameloom.taskgraph.worker.ThreadContext;
import io.frameloom.taskgraph.worker.WorkerQueues;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Lets a waiting worker run what it waits for: the awaited task and those of its prerequisites and children that are
 * queued for workers and not claimed. It runs nothing else, so unrelated work cannot hold up a wait ("retraction" in
 * Unreal Engine's public documentation of its Tasks System).
 *
 * <p>A walk over everything that the awaited event needs leaves its number there, which names the worker. The {@link
 * Completer} lets the waiting worker go on with a task of that number when it becomes ready, and wakes the worker for
 * it when another thread makes it ready. Numbers are overwritten when two workers wait for the same task; then one of
 * them finds it by its next walk. Used by the waiting worker only.
 *
 * <p>A share of a broadcast belongs to one thread and is in no queue: the waiting worker runs its own if the awaited
 * event needs it, after its shares of earlier broadcasts.
 */
final class Retraction {
    private final ThreadContext context;
    private final WorkerThread worker;
    private final CoreEvent awaited;
    private final ArrayDeque<@Nullable CoreEvent[]> open = new ArrayDeque<>();
    /** What one of several alternatives needs: worth running, but the wait may end without it. */
    private final ArrayDeque<@Nullable CoreEvent[]> uncertain = new ArrayDeque<>();

    private final ArrayList<Task> queued = new ArrayList<>();
    /** Whether the walk met a share of a broadcast that this worker has to run itself. */
    private boolean ownShare;

    Retraction(ThreadContext context, WorkerThread worker, CoreEvent awaited) {
        this.context = context;
        this.worker = worker;
        this.awaited = awaited;
    }

    void run() {
        int outer = context.wantedWalk();
        try {
            while (!awaited.isComplete()) {
                context.graph.requireRunning();
                int walk = walk();
                if (ownShare) {
                    runMail();
                    continue;
                }
                if (queued.isEmpty()) {
                    break;
                }
                context.setWantedWalk(walk);
                for (int i = 0; i < queued.size() && !awaited.isComplete(); i++) {
                    Task task = queued.get(i);
                    context.graph.reached(SchedulingPoint.CLAIM, task.name());
                    if (WorkerQueues.claim(worker, task)) {
                        runChain(task);
                    }
                }
                runOwn(walk);
            }
        } finally {
            context.setWantedWalk(outer);
        }
    }

    /** The oldest first: two workers that wait for each other's broadcasts would never end otherwise. */
    private void runMail() {
        Task share = worker.pool.broadcasts().poll(context);
        if (share != null) {
            context.execute(share);
        }
    }

    /** What became ready meanwhile and is wanted; another walk finds the rest. */
    private void runOwn(int walk) {
        while (!awaited.isComplete()) {
            Task task = WorkerQueues.popWanted(worker, walk);
            if (task == null) {
                return;
            }
            runChain(task);
        }
    }

    private void runChain(Task first) {
        Task task = first;
        while (task != null) {
            ExecutionTarget target = task.target;
            if (target == null) {
                return;
            }
            Task next = context.executeAndContinue(task, target);
            if (next != null) {
                next.setRunning();
            }
            task = next;
        }
    }

    /**
     * Whether {@link #run()} would find something. To be called after the park was announced: what becomes ready
     * later carries the number of a walk and so leads to a wake-up.
     */
    boolean canRun() {
        while (true) {
            boolean anyNew = walkFindsNew();
            if (ownShare || !queued.isEmpty()) {
                return true;
            }
            if (!anyNew) {
                return false;
            }
            // The numbers left just now must be visible before the tasks are looked at for the last time.
            VarHandle.fullFence();
        }
    }

    private int walk() {
        walkFindsNew();
        return context.walk();
    }

    /** Collects the queued tasks. Returns whether something was found that had no number of this worker. */
    private boolean walkFindsNew() {
        int walk = context.nextWalk();
        boolean anyNew = false;
        queued.clear();
        ownShare = false;
        open.clear();
        uncertain.clear();
        WaitGraph.requireCanEnd(context, awaited, awaited);
        anyNew |= visit(awaited, walk, open);
        for (@Nullable CoreEvent[] events = open.poll(); events != null; events = open.poll()) {
            for (CoreEvent event : events) {
                if (event != null && !event.isComplete() && event.walk() != walk) {
                    WaitGraph.requireCanEnd(context, awaited, event);
                    anyNew |= visit(event, walk, open);
                }
            }
        }
        for (@Nullable CoreEvent[] events = uncertain.poll(); events != null; events = uncertain.poll()) {
            for (CoreEvent event : events) {
                if (event != null && !event.isComplete() && event.walk() != walk) {
                    anyNew |= visit(event, walk, uncertain);
                }
            }
        }
        return anyNew;
    }

    private boolean visit(CoreEvent event, int walk, ArrayDeque<@Nullable CoreEvent[]> next) {
        int before = event.walk();
        event.setWalk(walk);
        if (event instanceof Task task && task.target instanceof WorkerLevel && task.isQueued()) {
            queued.add(task);
        } else if (event instanceof Task share && Broadcast.ownerOf(share) == context) {
            ownShare = true;
        } else {
            @Nullable CoreEvent[] inputs = event.inputs();
            if (inputs.length > 0) {
                next.add(inputs);
            }
            CoreEvent[] alternatives = event.alternatives();
            if (alternatives.length > 0) {
                uncertain.add(alternatives);
            }
        }
        return before == 0 || ThreadContext.walker(before) != ThreadContext.walker(walk);
    }
}
