package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.PrerequisiteFailedException;
import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.parts.Fields;
import io.frameloom.taskgraph.parts.PrerequisiteCounter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds an event back until its children are complete. Exists only for events that have children.
 *
 * <p>The counter starts at one for the body (or the trigger of a manual event). Every child adds one while that one is
 * still out. So the event completes exactly when body and children are done, on the thread that does the last of these.
 */
final class CompletionGate extends PrerequisiteCounter implements Subsequent {
    /** Closes the place of the gate in an event that completes without children. */
    static final CompletionGate NONE = new CompletionGate(null);

    private static final VarHandle FAILED =
            Fields.handle(MethodHandles.lookup(), CompletionGate.class, "failed", FailedPrerequisite.class);
    private static final VarHandle CHILDREN =
            Fields.handle(MethodHandles.lookup(), CompletionGate.class, "children", Child.class);

    private final @Nullable CoreEvent parent;
    private volatile @Nullable FailedPrerequisite failed;
    private volatile @Nullable Child children;
    /** Written before the body's own count is taken off. */
    private @Nullable Throwable ownFailure;

    /** Adds after which complete children are looked for, at least. */
    private static final int SWEEP = 64;

    /** {@code left} is the number of children that may be added to this one before the next sweep. */
    private record Child(CoreEvent event, @Nullable Child next, int left) {}

    CompletionGate(@Nullable CoreEvent parent) {
        super(1);
        this.parent = parent;
    }

    /** Counts one more child. Returns false if the event is complete. */
    boolean reserve() {
        return tryAdd();
    }

    /**
     * Registers a child for which {@link #reserve()} has counted. Lets go of the newest ones that are complete: where a
     * group is forked into from inside its tasks, those are most of them. Lets go of all that are complete when there
     * may be twice as many as the last time: an add costs constant time on average.
     */
    void add(CoreEvent child) {
        Child seen;
        Child rest;
        do {
            seen = children;
            rest = newestIncomplete(seen);
            if (rest != null && rest.left == 0) {
                rest = incomplete(rest);
            }
        } while (!CHILDREN.compareAndSet(this, seen, new Child(child, rest, rest == null ? SWEEP : rest.left - 1)));
        if (!child.addSubsequent(this)) {
            prerequisiteComplete(child, child.graph().completer());
        }
    }

    private static @Nullable Child newestIncomplete(@Nullable Child newest) {
        Child at = newest;
        while (at != null && at.event.isComplete()) {
            at = at.next;
        }
        return at;
    }

    /** A copy of a list without those that are complete. */
    private static @Nullable Child incomplete(Child newest) {
        List<CoreEvent> kept = new ArrayList<>();
        for (Child at = newest; at != null; at = at.next) {
            if (!at.event.isComplete()) {
                kept.add(at.event);
            }
        }
        Child copy = null;
        int left = Math.max(SWEEP, kept.size());
        for (int i = kept.size() - 1; i >= 0; i--) {
            copy = new Child(kept.get(i), copy, left);
        }
        return copy;
    }

    @Override
    public @Nullable CoreEvent dependent() {
        return parent;
    }

    @Override
    public void prerequisiteComplete(CoreEvent child, Completer completer) {
        if (child.outcome() != null) {
            FailedPrerequisite seen;
            do {
                seen = failed;
            } while (!FAILED.compareAndSet(this, seen, new FailedPrerequisite(child, seen)));
        }
        CoreEvent event = parent;
        child.graph().reached(SchedulingPoint.COUNT, child.name());
        if (complete(1) && event != null) {
            event.setFailure(takeFailure(event.name()));
            completer.complete(event);
        }
    }

    /** Takes off the count of the body. Returns true if the event is complete with that. */
    boolean completeOwn(@Nullable Throwable failure) {
        ownFailure = failure;
        return complete(1);
    }

    /**
     * The outcome, once the count is zero. Lets go of the children: a chain of frames, each the child of
     * the one before, must not keep all of them alive.
     */
    @Nullable
    Throwable takeFailure(String name) {
        FailedPrerequisite failures = failed;
        Throwable own = ownFailure;
        failed = null;
        children = null;
        ownFailure = null;
        if (failures == null) {
            return own;
        }
        PrerequisiteFailedException ofChildren = failures.toFailure(name);
        if (own == null) {
            return ofChildren;
        }
        if (own != ofChildren.getCause()) {
            own.addSuppressed(ofChildren);
        }
        return own;
    }

    CoreEvent[] children() {
        List<CoreEvent> events = new ArrayList<>();
        for (Child at = children; at != null; at = at.next) {
            events.add(at.event);
        }
        return events.toArray(CoreEvent.NO_EVENTS);
    }
}
