package io.frameloom.taskgraph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Completes events and passes on what becomes ready, in a loop however long the chain of completions is.
 *
 * <p>Belongs to one thread: every worker and named thread keeps one, other threads make one when they
 * need it. Wake-ups come last, because one can cost more than publishing a hundred tasks.
 */
final class Completer implements Consumer<Subsequent> {
    /** Tasks published between two looks for sleeping workers. */
    private static final int SIGNAL_EVERY = 64;

    private final TaskGraph graph;
    private final ArrayDeque<GraphEvent> toComplete = new ArrayDeque<>(4);
    private final ArrayList<Wakeable> toWake = new ArrayList<>(4);
    private boolean draining;
    private @Nullable GraphEvent completing;
    private @Nullable ExecutionTarget continueOn;
    private @Nullable Task continuation;
    private int pushed;
    private boolean pushedBackground;

    Completer(TaskGraph graph) {
        this.graph = graph;
    }

    /** Completes an event whose failure is set. Returns when everything that follows from it is published. */
    void complete(GraphEvent event) {
        if (draining) {
            toComplete.add(event);
            return;
        }
        draining = true;
        try {
            for (GraphEvent next = event; next != null; next = toComplete.poll()) {
                graph.reached(SchedulingPoint.COMPLETE, next.name());
                completing = next;
                closeGuarded(next);
            }
        } finally {
            completing = null;
            draining = false;
            flush();
        }
    }

    /** Running out of memory while one event is passed on must not leave the following ones incomplete. */
    private void closeGuarded(GraphEvent event) {
        try {
            event.close(this);
        } catch (RuntimeException | Error e) {
            graph.reportUncaught("completion of '" + event.name() + "'", e);
        }
    }

    @Override
    public void accept(Subsequent subsequent) {
        GraphEvent event = completing;
        if (event != null) {
            subsequent.prerequisiteComplete(event, this);
        }
    }

    /** Ends a task whose body has returned or thrown. */
    void finish(Task task, @Nullable Throwable failure) {
        task.setReturned();
        GraphEvent event = task.event;
        if (event == null) {
            if (failure != null) {
                graph.reportUncaught(task.name, failure);
            }
        } else if (event.ownPartDone(failure)) {
            complete(event);
        }
    }

    /**
     * As {@link #finish}, on a worker that will run one task that becomes ready by this, if it goes to the
     * given target.
     *
     * @return that task, not yet claimed, or null
     */
    @Nullable
    Task finishAndContinue(Task task, @Nullable Throwable failure, ExecutionTarget target) {
        continueOn = target;
        try {
            finish(task, failure);
        } finally {
            continueOn = null;
        }
        Task next = continuation;
        continuation = null;
        return next;
    }

    /** Passes on a task whose prerequisites are complete, from outside of a completion. */
    void launch(Task task) {
        ready(task);
        if (!draining) {
            flush();
        }
    }

    /** Passes on a task whose prerequisites are complete. */
    void ready(Task task) {
        ExecutionTarget target = task.target;
        Throwable refusal = task.skipReason();
        if (refusal == null && target != null && graph.isClosing()) {
            refusal = graph.refusals().closedWhilePending(task.name);
        }
        NamedLane lane = task.lane;
        if (refusal != null || target == null) {
            finish(task, refusal);
        } else if (lane != null) {
            lane.enqueue(task);
            wakeLater(lane);
        } else if (target == continueOn) {
            continueOrPush(task);
        } else {
            push(task);
        }
    }

    private void continueOrPush(Task task) {
        Task held = continuation;
        if (held == null) {
            continuation = task;
        } else if (task.high && !held.high) {
            continuation = task;
            push(held);
        } else {
            push(task);
        }
    }

    private void push(Task task) {
        graph.workers().push(task);
        pushedBackground |= task.target == WorkerLevel.BACKGROUND;
        if (++pushed >= SIGNAL_EVERY) {
            signal();
        }
    }

    void wakeLater(Wakeable wakeable) {
        toWake.add(wakeable);
    }

    private void signal() {
        boolean background = pushedBackground;
        pushed = 0;
        pushedBackground = false;
        graph.workers().signal(background);
    }

    private void flush() {
        if (pushed > 0) {
            signal();
        }
        if (!toWake.isEmpty()) {
            for (int i = 0; i < toWake.size(); i++) {
                toWake.get(i).wake();
            }
            toWake.clear();
        }
    }
}
