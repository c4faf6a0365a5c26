package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.parts.Wakeable;
import io.frameloom.taskgraph.queue.SubsequentList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Completes events and passes on what becomes ready, in a loop however long the chain of completions is.
 *
 * <p>Belongs to one thread: every worker and named thread keeps one, which also runs its tasks ({@code ThreadContext});
 * other threads make one when they need it. Wake-ups come last, because one can cost more than publishing a hundred
 * tasks. What is at hand is kept in local variables: a reference stored into an old object costs a collector's barrier.
 */
public class Completer {
    /** Tasks published between two looks for sleeping workers. */
    private static final int SIGNAL_EVERY = 64;

    public final GraphCore graph;
    private final @Nullable TaskThread ownWorker;
    private @Nullable ArrayDeque<CoreEvent> toComplete;
    private @Nullable ArrayList<Wakeable> toWake;
    private boolean draining;
    private int pushed;
    /** The walk of the wait in which this worker runs what it waits for, or 0. */
    private int wantedWalk;
    /** Signs of the tasks published since the last look, a bit each. */
    private int pushedSigns;

    public Completer(GraphCore graph, @Nullable TaskThread worker) {
        this.graph = graph;
        this.ownWorker = worker;
    }

    /** The task that the thread is in, or null; any thread may ask. */
    public @Nullable Task currentTask() {
        return null;
    }

    public final boolean isWorker() {
        return ownWorker != null;
    }

    public final int wantedWalk() {
        return wantedWalk;
    }

    /** From now on this worker goes on only with a task that has this number; 0 for any. */
    public final void setWantedWalk(int walk) {
        wantedWalk = walk;
    }

    /** Completes an event whose failure is set. Returns when everything that follows from it is published. */
    final void complete(CoreEvent event) {
        graph.reached(SchedulingPoint.COMPLETE, event.name());
        // As most are: then nothing follows from it, whatever this thread is in the middle of.
        if (event.completeUnheard()) {
            return;
        }
        if (draining) {
            completeLater(event);
            return;
        }
        draining = true;
        drain(passOn(event, null, null), null);
        draining = false;
        flush();
    }

    private void completeLater(CoreEvent event) {
        ArrayDeque<CoreEvent> events = toComplete;
        if (events == null) {
            events = new ArrayDeque<>(4);
            toComplete = events;
        }
        events.add(event);
    }

    private @Nullable Task drain(@Nullable Task ready, @Nullable ExecutionTarget continueOn) {
        Task held = ready;
        ArrayDeque<CoreEvent> events = toComplete;
        while (events != null) {
            CoreEvent next = events.poll();
            if (next == null) {
                break;
            }
            graph.reached(SchedulingPoint.COMPLETE, next.name());
            held = passOn(next, continueOn, held);
        }
        return held;
    }

    /** Completes an event. Returns the task that the worker may go on with: the given one, or a better one. */
    private @Nullable Task passOn(CoreEvent event, @Nullable ExecutionTarget continueOn, @Nullable Task ready) {
        Object taken = event.complete();
        if (taken == null) {
            return ready;
        }
        if (!(taken instanceof Object[] first)) {
            Object second = event.takeSecond();
            return second == null
                    ? passOnTo(taken, false, event, continueOn, ready)
                    : passOnToBoth(taken, second, event, continueOn, ready);
        }
        Task held = ready;
        for (@Nullable Object[] items = first; items != null; items = SubsequentList.next(items)) {
            held = passOnToAll(items, event, continueOn, held);
        }
        return held;
    }

    /** As {@link #passOnToAll}. */
    private @Nullable Task passOnToBoth(
            Object first, Object second, CoreEvent event, @Nullable ExecutionTarget continueOn, @Nullable Task ready) {
        boolean firstIsLast = first instanceof Task task && task.isLastPrerequisite();
        boolean secondIsLast = second instanceof Task task && task.isLastPrerequisite();
        Task held = passOnTo(first, firstIsLast, event, continueOn, ready);
        return passOnTo(second, secondIsLast, event, continueOn, held);
    }

    /**
     * Looks at all tasks of an array before it does anything with the first, so that their cache misses overlap. A
     * read-modify-write in between would prevent that.
     */
    private @Nullable Task passOnToAll(
            @Nullable Object[] items, CoreEvent event, @Nullable ExecutionTarget continueOn, @Nullable Task ready) {
        int begin = SubsequentList.FIRST;
        int end = SubsequentList.end(items);
        int last = 0;
        for (int i = begin; i < end; i++) {
            if (items[i] instanceof Task task && task.isLastPrerequisite()) {
                last |= 1 << i;
            }
        }
        Task held = ready;
        for (int i = begin; i < end; i++) {
            Object subsequent = Objects.requireNonNull(items[i]);
            held = passOnTo(subsequent, (last & 1 << i) != 0, event, continueOn, held);
        }
        return held;
    }

    private @Nullable Task passOnTo(
            Object subsequent,
            boolean last,
            CoreEvent event,
            @Nullable ExecutionTarget continueOn,
            @Nullable Task held) {
        if (subsequent instanceof Task task) {
            return task.prerequisiteMet(event, last) ? passOnReady(task, continueOn, held) : held;
        }
        ((Subsequent) subsequent).prerequisiteComplete(event, this);
        return held;
    }

    /** Ends a task whose body has returned or thrown. */
    public final void finish(Task task, @Nullable Throwable failure) {
        if (end(task, failure)) {
            complete(task);
        }
    }

    /** Returns whether the task's event has to be completed now. */
    private boolean end(Task task, @Nullable Throwable failure) {
        task.setReturned();
        if (!task.isTracked()) {
            if (failure != null) {
                graph.reportUncaught(task.name(), failure);
            }
            return false;
        }
        return task.ownPartDone(failure);
    }

    /**
     * As {@link #finish}, on a worker that will run one task that becomes ready by this, if it goes to the
     * given target.
     *
     * @return that task, not yet claimed, or null
     */
    public final @Nullable Task finishAndContinue(Task task, @Nullable Throwable failure, ExecutionTarget target) {
        if (!end(task, failure)) {
            return null;
        }
        graph.reached(SchedulingPoint.COMPLETE, task.name());
        if (task.completeUnheard()) {
            return null;
        }
        if (draining) {
            completeLater(task);
            return null;
        }
        draining = true;
        Task next = drain(passOn(task, target, null), target);
        draining = false;
        flush();
        return next;
    }

    public final boolean isCompleting() {
        return draining;
    }

    /** Passes on a task whose prerequisites are complete, from outside of a completion. */
    final void launch(Task task) {
        ready(task);
        if (!draining) {
            flush();
        }
    }

    /** Passes on a task whose prerequisites are complete. */
    final void ready(Task task) {
        passOnReady(task, null, null);
    }

    private @Nullable Task passOnReady(Task task, @Nullable ExecutionTarget continueOn, @Nullable Task held) {
        ExecutionTarget target = task.target;
        Throwable refusal = task.skipReason();
        if (refusal == null && target != null && graph.isClosing()) {
            refusal = graph.closedWhilePending(task.name());
        }
        if (refusal != null || target == null) {
            endWithoutBody(task, refusal);
            return held;
        }
        Lane lane = task.lane;
        if (lane != null) {
            lane.enqueue(task);
            wakeLater(lane);
            return held;
        }
        if (wantedWalk != 0) {
            if (held == null && continueOn != null && task.walk() == wantedWalk) {
                return task;
            }
            push(task);
            return held;
        }
        if (target != continueOn) {
            push(task);
            return held;
        }
        if (held == null) {
            return task;
        }
        if (task.urgency() > held.urgency()) {
            push(held);
            return task;
        }
        push(task);
        return held;
    }

    private void endWithoutBody(Task task, @Nullable Throwable refusal) {
        GuardedObserver observer = task.target == null ? graph.observer() : null;
        if (observer != null) {
            observer.eventCompletes(task);
        }
        finish(task, refusal instanceof FailedPrerequisite.NotNeeded ? null : refusal);
    }

    private void push(Task task) {
        pushedSigns |= 1 << graph.workers().push(task, ownWorker);
        int walk = task.walk();
        if (walk != 0) {
            wakeLater(graph.workers().walker(walk));
        }
        if (++pushed >= SIGNAL_EVERY) {
            signal();
        }
    }

    public final void wakeLater(Wakeable wakeable) {
        ArrayList<Wakeable> list = toWake;
        if (list == null) {
            list = new ArrayList<>(4);
            toWake = list;
        }
        list.add(wakeable);
    }

    private void signal() {
        int signs = pushedSigns;
        pushed = 0;
        pushedSigns = 0;
        graph.workers().signal(signs);
    }

    private void flush() {
        if (pushed > 0) {
            signal();
        }
        ArrayList<Wakeable> list = toWake;
        if (list != null && !list.isEmpty()) {
            for (int i = 0; i < list.size(); i++) {
                list.get(i).wake();
            }
            list.clear();
        }
    }
}
