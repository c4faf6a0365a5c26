package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.task.Completer;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.InheritedBindings;
import io.frameloom.taskgraph.task.Lane;
import io.frameloom.taskgraph.task.Needs;
import io.frameloom.taskgraph.task.Subsequent;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.TaskThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A body that runs once on every worker and attached named thread; made by {@link TaskGraph#broadcast}.
 *
 * <p>Its event is a join that the last share completes. {@code open} counts the shares that have not ended, and one for
 * the thread that hands them out, so that the join cannot complete before all of them are known. What the bodies wrote
 * is visible after the event: every share counts down by a read-modify-write after its body.
 */
public final class Broadcast implements Needs, Subsequent {
    private final WorkerPool pool;
    private final GraphCore graph;
    private final String name;
    private final TaskBody body;
    private final Task event;
    private final AtomicInteger open = new AtomicInteger(1);
    private final List<Throwable> failures = new ArrayList<>(0);
    /** Its prerequisites. Written before this object is registered with it. */
    private @Nullable CoreEvent ready;

    /** What it waits for: its prerequisites before it begins, then its shares. */
    private volatile CoreEvent[] needs = CoreEvent.NO_EVENTS;

    /**
     * The part that one thread has; the body of a task that only this thread runs.
     *
     * @param body what the broadcast does on every thread
     */
    private record Share(Broadcasts broadcasts, ThreadContext owner, TaskBody body) implements TaskBody {
        @Override
        public void run() throws Exception {
            broadcasts.begun(owner);
            body.run();
        }
    }

    /** The thread that alone may run the task, if that is an unstarted share of a broadcast; else null. */
    public static @Nullable ThreadContext ownerOf(Task task) {
        return task.body() instanceof Share share ? share.owner : null;
    }

    public Broadcast(WorkerPool pool, String name, TaskBody body) {
        this.pool = pool;
        this.graph = pool.graph;
        this.name = name;
        InheritedBindings bindings = TaskThread.inherited();
        this.body = bindings == null ? body : bindings.around(body);
        this.event = new Task(graph, name, this);
        event.setPlace(null, null, false);
        event.setBroadcast();
    }

    public void requireOwn(@Nullable GraphEvent... after) {
        for (GraphEvent given : after) {
            if (given != null) {
                graph.requireOwn((CoreEvent) given, "a prerequisite of", event);
            }
        }
    }

    /** Begins when the given event, which joins the prerequisites, is complete. */
    public void launch(CoreEvent prerequisites) {
        ready = prerequisites;
        needs = new CoreEvent[] {prerequisites};
        try {
            if (!prerequisites.addSubsequent(this)) {
                begin(prerequisites, graph.completer());
            }
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    public GraphEvent event() {
        return event;
    }

    private void begin(CoreEvent ready, Completer completer) {
        Throwable refusal = ready.outcome();
        if (refusal == null && graph.isClosing()) {
            refusal = graph.closedWhilePending(name);
        }
        refusal = refusal == null ? pool.spares().startAll(name) : refusal;
        if (refusal == null) {
            pool.broadcasts().handOut(this, completer);
        } else {
            completer.finish(event, refusal);
        }
    }

    String name() {
        return name;
    }

    /** The share of one thread; not yet where the thread looks. */
    Task makeShare(ThreadContext owner) {
        Task share = new Task(graph, name + " on " + owner.thread.getName(), new Share(pool.broadcasts(), owner, body));
        share.setBroadcast();
        Lane lane = owner.lane;
        if (lane == null) {
            share.setPlace(WorkerLevel.HIGH, null, true);
        } else {
            share.setPlace(lane.local(), lane, true);
            share.setQueued();
        }
        open.incrementAndGet();
        share.addSubsequent(this);
        return share;
    }

    /** From now on the event waits for these. */
    void setShares(CoreEvent[] shares) {
        needs = shares;
    }

    private void addFailure(Throwable failure) {
        synchronized (failures) {
            failures.add(failure);
        }
    }

    @Override
    public CoreEvent dependent() {
        return event;
    }

    @Override
    public void prerequisiteComplete(CoreEvent complete, Completer completer) {
        if (complete == ready) {
            begin(complete, completer);
            return;
        }
        Throwable failure = complete.outcome();
        if (failure != null) {
            addFailure(failure);
        }
        countDown(completer);
    }

    /** A share has ended, is not needed after all, or all have been handed out. */
    void countDown(Completer completer) {
        graph.reached(SchedulingPoint.COUNT, name);
        if (open.decrementAndGet() == 0) {
            needs = CoreEvent.NO_EVENTS;
            completer.finish(event, failure());
        }
    }

    private @Nullable Throwable failure() {
        synchronized (failures) {
            if (failures.isEmpty()) {
                return null;
            }
            Throwable first = failures.get(0);
            for (Throwable further : failures) {
                if (further != first) {
                    graph.failures().see(further);
                    first.addSuppressed(further);
                }
            }
            return first;
        }
    }

    @Override
    public CoreEvent[] needs() {
        return needs;
    }
}
