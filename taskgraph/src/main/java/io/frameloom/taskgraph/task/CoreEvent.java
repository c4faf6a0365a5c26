package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.ThreadParker;
import io.frameloom.taskgraph.queue.SubsequentList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What every {@link GraphEvent} is: its state and its protocol, in one object with the list of what waits for it and
 * the counter of what it waits for.
 *
 * <p>A {@link Task} fits into a cache line of 64 bytes ({@code TaskLayoutTest}). What only few events have is in a
 * {@link RareState} of its own, which the first thread that needs one sets by a compare-and-set.
 */
public abstract sealed class CoreEvent extends SubsequentList<Subsequent> implements GraphEvent
        permits Task, ManualEvent {
    public static final CoreEvent[] NO_EVENTS = {};

    private static final VarHandle GATE =
            Fields.handle(MethodHandles.lookup(), CoreEvent.class, "gate", CompletionGate.class);
    private static final VarHandle URGENCY =
            Fields.handle(MethodHandles.lookup(), CoreEvent.class, "urgency", byte.class);
    private static final VarHandle RARE =
            Fields.handle(MethodHandles.lookup(), CoreEvent.class, "rare", RareState.class);

    private final GraphCore graph;
    private final String name;
    private volatile @Nullable CompletionGate gate;

    /** Null until there is something to keep in it. */
    private volatile @Nullable RareState rare;

    /** See {@code Retraction}. */
    private int walk;

    /** See {@link PriorityInheritance}. */
    private volatile byte urgency;

    CoreEvent(GraphCore graph, String name, int outstanding) {
        super(outstanding);
        this.graph = graph;
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final boolean isComplete() {
        return isClosed();
    }

    @Override
    public final boolean isFailed() {
        return failure() != null;
    }

    @Override
    public boolean wasSkipped() {
        return false;
    }

    @Override
    public final @Nullable Throwable failure() {
        Throwable outcome = outcome();
        if (outcome != null) {
            graph.failures().see(outcome);
        }
        return outcome;
    }

    /** As {@link #failure()}, for code that passes the failure on: that does not count as seeing it. */
    public final @Nullable Throwable outcome() {
        return isClosed() ? failureSoFar() : null;
    }

    @Override
    public final void trigger() {
        completeManually(null);
    }

    @Override
    public final void fail(Throwable failure) {
        completeManually(Arguments.required(failure, "failure", kind(), name));
    }

    @Override
    public final void dontCompleteUntil(GraphEvent event) {
        CoreEvent other = (CoreEvent) Arguments.required(event, "other", kind(), name);
        graph.requireRunning();
        if (other == this) {
            throw new IllegalArgumentException(kind() + " '" + name
                    + "' cannot wait for its own completion; give dontCompleteUntil another event");
        }
        graph.requireOwn(other, "dontCompleteUntil of", this);
        if (CircleSearch.needs(other, this)) {
            throw new IllegalArgumentException(kind() + " '" + name + "' cannot wait for " + other.kind() + " '"
                    + other.name() + "' to complete: that one waits for '" + name + "'; remove one of the two");
        }
        requireStillOpen();
        try {
            addChild(other);
        } catch (Error e) {
            graph.error = e;
            throw graph.stopped(e);
        }
    }

    private void addChild(CoreEvent other) {
        if (!tryAddChild(other)) {
            throw tooLateForChildren();
        }
    }

    /**
     * Delays the completion until another event is complete, too, which does not need this one. Returns false if it is
     * too late.
     */
    public final boolean tryAddChild(CoreEvent other) {
        graph.callBegins(SchedulingPoint.REGISTER, name);
        CompletionGate held = gate;
        if (held == null) {
            CompletionGate fresh = new CompletionGate(this);
            held = (CompletionGate) GATE.compareAndExchange(this, (CompletionGate) null, fresh);
            held = held == null ? fresh : held;
        }
        if (held == CompletionGate.NONE || !held.reserve()) {
            return false;
        }
        held.add(other);
        graph.inheritance().inherit(other, urgency);
        return true;
    }

    /** Whether a child is known to be one: it is, and nothing else has begun to wait for it. */
    public final boolean isOnlyWaiterFor(CoreEvent child) {
        CompletionGate held = gate;
        return held != null && child.isOnly(held);
    }

    /**
     * Checks that children may still be added.
     *
     * @throws IllegalStateException if not
     */
    abstract void requireStillOpen();

    /** What it is to the application, in one word: a task, a broadcast, or any other event. */
    public abstract String kind();

    abstract void completeManually(@Nullable Throwable outcome);

    final IllegalStateException tooLateForChildren() {
        return new IllegalStateException(
                "event '" + name + "' was triggered already; call dontCompleteUntil before the trigger");
    }

    /**
     * The body has ended. Children cannot be added any more, since only the body adds them.
     *
     * @return true if nothing else holds the event back; its failure is set then
     */
    final boolean ownPartDone(@Nullable Throwable outcome) {
        CompletionGate held = gate;
        if (held == null) {
            setFailure(outcome);
            return true;
        }
        return completeOwn(held, outcome);
    }

    /** As {@link #ownPartDone}, against other threads that add children at the same time. */
    final boolean sealChildren(@Nullable Throwable outcome) {
        CompletionGate held =
                (CompletionGate) GATE.compareAndExchange(this, (CompletionGate) null, CompletionGate.NONE);
        if (held == null) {
            setFailure(outcome);
            return true;
        }
        return completeOwn(held, outcome);
    }

    private boolean completeOwn(CompletionGate held, @Nullable Throwable outcome) {
        if (held.completeOwn(outcome)) {
            setFailure(held.takeFailure(name));
            return true;
        }
        return false;
    }

    /** For the thread that is about to complete the event. */
    final void setFailure(@Nullable Throwable outcome) {
        if (outcome != null) {
            rareState().failure = outcome;
        }
    }

    /** What only few events have, in an object that is made when it is needed. */
    final RareState rareState() {
        RareState seen = rare;
        if (seen == null) {
            RareState fresh = new RareState();
            seen = (RareState) RARE.compareAndExchange(this, (RareState) null, fresh);
            seen = seen == null ? fresh : seen;
        }
        return seen;
    }

    /** As {@link #rareState}, or null if there is none. */
    final @Nullable RareState rareStateOrNull() {
        return rare;
    }

    private @Nullable Object known() {
        RareState seen = rare;
        return seen == null ? null : seen.failure;
    }

    /** What {@link #setFailure} was given, complete or not; for the thread that met the last prerequisite. */
    final @Nullable Throwable failureSoFar() {
        Object known = known();
        return known instanceof Failure shared ? shared.thrown : (Throwable) known;
    }

    /**
     * The point of completion; the failure is set before.
     *
     * @return the subsequents, see {@link SubsequentList#closeAndTake}
     */
    public final @Nullable Object complete() {
        RareState seen = rare;
        if (seen != null && seen.failure instanceof Throwable thrown) {
            seen.failure = graph.failures().failed(name, thrown, this instanceof Task task ? task : null);
        }
        return closeAndTake();
    }

    /** As {@link #complete}, if nothing waits for the event and it has no rare state. Returns false if not. */
    final boolean completeUnheard() {
        return rare == null && closeIfEmpty();
    }

    /**
     * Registers something to be notified of the completion.
     *
     * @return false if the event is complete
     */
    public boolean addSubsequent(Subsequent subsequent) {
        graph.reached(SchedulingPoint.REGISTER, name);
        return addSubsequentItem(subsequent);
    }

    /**
     * A waiter that is registered with this event and serves no wait, or null. A thread that reuses it must look
     * afterwards whether the event is complete: the completion may have passed it.
     */
    public final @Nullable Waiter takeSpare() {
        RareState kept = rare;
        Waiter spare = kept == null ? null : kept.takeSpares();
        if (spare != null) {
            returnSpares(spare.nextSpare());
        }
        return spare;
    }

    /** Ends a wait before the event is complete; the registration is kept for the next one. */
    public final void forgetWaiter(Waiter waiter) {
        waiter.forget();
        returnSpare(waiter);
    }

    /** Keeps a registered waiter that serves no wait for the next one. */
    final void returnSpare(Waiter waiter) {
        waiter.setNextSpare(null);
        returnSpares(waiter);
    }

    private void returnSpares(@Nullable Waiter first) {
        Waiter at = first;
        while (at != null) {
            Waiter following = at.nextSpare();
            rareState().addSpare(at);
            at = following;
        }
    }

    /** Makes a waiter that is registered with this event, unless the event is complete already. */
    public final @Nullable Waiter registerWaiter(ThreadParker parker) {
        graph.reached(SchedulingPoint.REGISTER, name);
        Waiter spare = takeSpare();
        if (spare != null) {
            spare.reuse(parker);
            return spare;
        }
        Waiter waiter = new Waiter(parker);
        return addSubsequent(waiter) ? waiter : null;
    }

    public final GraphCore graph() {
        return graph;
    }

    /** The failure of a complete event that is known to have failed. */
    public final Throwable failureOfComplete() {
        return Objects.requireNonNull(failureSoFar(), "the event has not failed");
    }

    /** What a failure that follows from this complete event's holds on to. */
    final Failure[] origins() {
        Object known = known();
        if (known instanceof Failure own) {
            return new Failure[] {own};
        }
        return known instanceof FollowingFailure further ? further.origins() : Failure.NONE;
    }

    public final void throwIfFailed() {
        Throwable outcome = failure();
        if (outcome != null) {
            throw new TaskFailedException(kind(), name, outcome);
        }
    }

    /** The events that hold this one back from inside, as far as they are known. */
    final CoreEvent[] children() {
        CompletionGate held = gate;
        return held == null ? NO_EVENTS : held.children();
    }

    /** What waits for this one, see {@link SubsequentList#peek}. */
    final @Nullable Object subsequents() {
        return peek();
    }

    /** The events that this one needs first, as far as they are known; null entries count for nothing. */
    public @Nullable CoreEvent[] inputs() {
        return children();
    }

    /** Incomplete events of which one that completes may be enough for this one. */
    public CoreEvent[] alternatives() {
        return NO_EVENTS;
    }

    /** The number of the latest walk of a waiting worker that came here, or 0. */
    public final int walk() {
        return walk;
    }

    /** How urgent the work for this event is, see {@link Urgency#of}; 0 unless set. */
    public final int urgency() {
        return urgency;
    }

    /** Before any other thread knows the event. */
    final void setUrgencyPlain(int value) {
        URGENCY.set(this, (byte) value);
    }

    /** Returns false if it is as urgent as that already. */
    final boolean raiseUrgency(int value) {
        while (true) {
            byte seen = urgency;
            if (seen >= value) {
                return false;
            }
            if (URGENCY.compareAndSet(this, seen, (byte) value)) {
                return true;
            }
        }
    }

    public final void setWalk(int number) {
        walk = number;
    }

    @Override
    public final String toString() {
        return "GraphEvent[" + name + (isComplete() ? (outcome() != null ? ", failed]" : ", complete]") : ", pending]");
    }
}
