package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.AnyEvent;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.PrerequisiteCounter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The race for an {@link AnyEvent}.
 *
 * <p>Called by the threads that complete the events, at any time and at the same time. {@code winner} goes from NOBODY
 * to an index once, by compare-and-set: that is where a success wins. {@code unfailed} counts down for every failure
 * and can only reach zero if no event succeeds. So exactly one completion of the promise is attempted, by the winner or
 * by the last to fail. What came before an event's completion is visible after the promise if the event won (its thread
 * completes the promise) or if all failed (through the counter).
 *
 * <p>The race stands in the list of each event as a {@link Waiter}. The thread that ends it gives the waiters of the
 * losers back to their events, which keep them for the next race. A waiter is written to {@code waiters} before the
 * entering thread looks whether the race is over. The ending thread looks for it there after it set {@code winner}. All
 * these accesses are volatile, so one of the two sees the other, and gives it back. <b>Progress.</b> Lock-free.
 */
public final class AnyRace extends PrerequisiteCounter implements AnyEvent, Needs {
    private static final int NOBODY = -1;

    private static final VarHandle WINNER = Fields.handle(MethodHandles.lookup(), AnyRace.class, "winner", int.class);

    private final Promise promise;
    /** Null once the race is over, so that a kept result does not keep the losers. */
    private volatile CoreEvent @Nullable [] events;

    private volatile @Nullable CoreEvent winningEvent;
    private volatile int winner = NOBODY;
    /** What is registered with each event; null once it is given back, so that a kept result keeps no other race. */
    private final AtomicReferenceArray<@Nullable Waiter> waiters;

    private final int[] indices;

    private AnyRace(GraphCore graph, String name, CoreEvent[] events, int[] indices) {
        super(events.length);
        this.events = events;
        this.waiters = new AtomicReferenceArray<>(events.length);
        this.indices = indices;
        this.promise = new Promise(graph, name, this);
    }

    public static AnyRace start(GraphCore graph, String name, @Nullable GraphEvent... given) {
        Arguments.required(given, "events", "event", name);
        CoreEvent[] events = new CoreEvent[given.length];
        int[] indices = new int[given.length];
        int count = 0;
        for (int i = 0; i < given.length; i++) {
            CoreEvent event = (CoreEvent) given[i];
            if (event != null) {
                if (event.graph() != graph) {
                    throw graph.foreign(event, "an alternative of event '" + name + "'");
                }
                indices[count] = i;
                events[count++] = event;
            }
        }
        if (count == 0) {
            throw new IllegalArgumentException("whenAny '" + name + "' has no events and would never complete");
        }
        graph.requireOpen(name);
        events = Arrays.copyOf(events, count);
        AnyRace race = new AnyRace(graph, name, events, indices);
        try {
            race.enter(events, graph.completer());
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
        return race;
    }

    private void enter(CoreEvent[] entering, Completer completer) {
        // All of them, also after one has won: a race sees the failures of its events.
        for (int i = 0; i < entering.length; i++) {
            CoreEvent event = entering[i];
            Waiter spare = event.takeSpare();
            if (spare != null) {
                graph().reached(SchedulingPoint.REGISTER, event.name());
                spare.reuse(this, indices[i]);
                registered(spare, i, event);
                graph().reached(SchedulingPoint.RECHECK, event.name());
                if (event.isComplete()) {
                    spare.finish(this, event, completer);
                }
                continue;
            }
            Waiter fresh = new Waiter(this, indices[i]);
            if (event.addSubsequent(fresh)) {
                registered(fresh, i, event);
            } else {
                finished(indices[i], event, completer);
            }
        }
    }

    private void registered(Waiter waiter, int place, CoreEvent event) {
        waiters.set(place, waiter);
        graph().reached(SchedulingPoint.RECHECK, event.name());
        if (winner != NOBODY) {
            leave(place, event);
        }
    }

    private GraphCore graph() {
        return promise.event().graph();
    }

    /** Called once for each event that is complete, as long as none has won. */
    void finished(int index, CoreEvent event, Completer completer) {
        CoreEvent[] all = events;
        Throwable failure = event.outcome();
        if (failure != null) {
            // Others may do in its place: to fail is what the race is there for.
            graph().failures().see(failure);
            if (complete(1) && all != null) {
                end(all, allFailed(all), completer);
            }
        } else if (WINNER.compareAndSet(this, NOBODY, index) && all != null) {
            winningEvent = event;
            end(all, null, completer);
        }
    }

    private void end(CoreEvent[] all, @Nullable Throwable failure, Completer completer) {
        events = null;
        for (int i = 0; i < all.length; i++) {
            leave(i, all[i]);
        }
        promise.tryComplete(failure, completer);
    }

    private void leave(int place, CoreEvent event) {
        Waiter waiter = waiters.getAndSet(place, null);
        if (waiter != null && waiter.tryForget(this)) {
            event.returnSpare(waiter);
        }
    }

    private Throwable allFailed(CoreEvent[] all) {
        FailedPrerequisite failures = new FailedPrerequisite(all[0], null);
        for (int i = 1; i < all.length; i++) {
            failures = new FailedPrerequisite(all[i], failures);
        }
        return failures.toFailure(promise.event().name(), Failure.NONE);
    }

    @Override
    public CoreEvent event() {
        return promise.event();
    }

    @Override
    public int winnerIndex() {
        return event().isComplete() ? winner : NOBODY;
    }

    @Override
    public @Nullable CoreEvent winner() {
        return event().isComplete() ? winningEvent : null;
    }

    @Override
    public CoreEvent[] alternatives() {
        CoreEvent[] all = events;
        return all == null ? CoreEvent.NO_EVENTS : all;
    }

    @Override
    public @Nullable WaitReason waitReason() {
        CoreEvent[] all = events;
        if (all == null) {
            return null;
        }
        List<CoreEvent> open = new ArrayList<>();
        for (CoreEvent event : all) {
            if (!event.isComplete()) {
                open.add(event);
            } else if (event.outcome() == null) {
                return WaitReason.of("is about to complete, because '" + event.name() + "' has");
            }
        }
        int failed = all.length - open.size();
        return switch (open.size()) {
            case 0 -> WaitReason.of("is about to fail, because all of its events have");
            case 1 ->
                new WaitReason(
                        "waits for its only event" + (failed == 0 ? " " : " that has not failed, ")
                                + WaitReason.names(open),
                        open);
            default ->
                new WaitReason(
                        "waits for any of " + WaitReason.names(open)
                                + (failed == 0 ? "" : " (events that failed: " + failed + ")"),
                        open);
        };
    }

    @Override
    public String toString() {
        return "AnyEvent[" + event().name() + ", winner " + winnerIndex() + "]";
    }
}
