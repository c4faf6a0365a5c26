package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.SchedulingPoint;
import io.frameloom.taskgraph.parts.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An event that the application completes.
 *
 * <p>Any thread may trigger it; the compare-and-set of the state decides which one does. Guards the race
 * of two triggers, and of a trigger with the closing of the graph.
 */
public final class ManualEvent extends CoreEvent {
    private static final int OPEN = 0;
    private static final int TRIGGERED = 1;
    private static final int FAILED_BY_CLOSE = 2;

    private static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), ManualEvent.class, "state", int.class);

    /** Dropped at the end, so that the event does not hold what completes it. */
    private @Nullable Supplier<String> reason;

    private volatile int state;

    /** @param reason answers what the event waits for, or null if that is the code that holds it */
    public ManualEvent(GraphCore graph, String name, @Nullable Supplier<String> reason) {
        super(graph, name, 1);
        this.reason = reason;
    }

    /** What it waits for before it is triggered; for reports. */
    public String reason() {
        Supplier<String> known = reason;
        return known == null ? "was never triggered; call trigger() or fail() on it" : WaitReason.said(known);
    }

    @Override
    void requireStillOpen() {
        if (state != OPEN) {
            throw tooLateForChildren();
        }
    }

    @Override
    public String kind() {
        return "event";
    }

    @Override
    void completeManually(@Nullable Throwable outcome) {
        if (!tryComplete(outcome)) {
            throw new IllegalStateException("event '" + name() + "' was triggered already; an event completes once");
        }
    }

    /** Triggers the event, or lets it fail, unless the application has. Returns whether it did. */
    public boolean tryComplete(@Nullable Throwable outcome) {
        graph().requireRunning();
        try {
            return completeOnce(outcome);
        } catch (Error e) {
            graph().error = e;
            throw graph().stopped(e);
        }
    }

    private boolean completeOnce(@Nullable Throwable outcome) {
        graph().reached(SchedulingPoint.COMPLETE, name());
        if (STATE.compareAndSet(this, OPEN, TRIGGERED)) {
            // A thread that begins to wait later looks at the state after its registration and takes it off itself.
            if (hasItems()) {
                graph().roots().remove(this);
            }
            GuardedObserver observer = graph().observer();
            if (observer != null) {
                observer.eventCompletes(this);
            }
            finish(outcome);
            return true;
        }
        return STATE.compareAndSet(this, FAILED_BY_CLOSE, TRIGGERED);
    }

    /** Fails an event that was not triggered, because its graph closes. */
    void failByClose() {
        graph().roots().remove(this);
        if (STATE.compareAndSet(this, OPEN, FAILED_BY_CLOSE)) {
            finish(graph().closedWhilePending(name()));
        }
    }

    /** Whether it was triggered or failed, by the application or by closing. */
    public boolean isTriggered() {
        return state != OPEN;
    }

    private void finish(@Nullable Throwable outcome) {
        reason = null;
        if (sealChildren(outcome)) {
            graph().completer().complete(this);
        }
    }

    @Override
    public boolean addSubsequent(Subsequent subsequent) {
        PendingRoots roots = graph().roots();
        roots.add(this);
        return afterAdding(super.addSubsequent(subsequent), roots);
    }

    private boolean afterAdding(boolean added, PendingRoots roots) {
        if (!added || isTriggered()) {
            // The trigger may have taken it off the roots before it was put there.
            roots.remove(this);
        } else if (graph().isClosing()) {
            // The closing thread may have looked at the roots before this one was among them.
            failByClose();
        }
        return added;
    }
}
