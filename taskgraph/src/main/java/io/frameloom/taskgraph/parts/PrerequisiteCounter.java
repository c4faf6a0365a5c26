package io.frameloom.taskgraph.parts;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts what still has to happen before something starts or completes. Reaches zero once.
 *
 * <p>The creator counts one more than the prerequisites (the "+1 lock") while it is still registering
 * them, and takes that one off at the end: then no prerequisite that completes early can start the task
 * before it is set up.
 *
 * <p>Any thread that holds an outstanding count may complete it. <b>Linearization.</b> At the
 * read-modify-write; for the shortcut of {@link #completeOne()} at its load. <b>Memory order.</b> Each
 * decrement is a volatile read-modify-write, so that the thread that brings the count to zero sees what
 * <em>all</em> decrementers did before, not only the last. The shortcut keeps this: loading 1 with
 * acquire semantics reads from the release sequence of all earlier decrements. <b>Progress.</b>
 * Wait-free, except {@link #tryAdd()}, which is lock-free.
 *
 * <p>A base class, so that a task, its counter and its list of subsequents are one object; its operations
 * are for the subclass to offer.
 */
public abstract class PrerequisiteCounter {
    private static final VarHandle OUTSTANDING =
            Fields.handle(MethodHandles.lookup(), PrerequisiteCounter.class, "outstanding", int.class);

    private volatile int outstanding;

    public PrerequisiteCounter(int outstanding) {
        OUTSTANDING.set(this, outstanding);
    }

    /**
     * Takes one off. Not together with {@link #tryAdd()} by threads that hold no count: the last holder saves the
     * atomic decrement. Returns whether this was the last one; one caller gets true.
     */
    public final boolean completeOne() {
        if (isLastOne()) {
            completeLastOne();
            return true;
        }
        return complete(1);
    }

    /** Whether only the caller's own count is left. It holds a count, so the answer yes stays true. */
    public final boolean isLastOne() {
        // Guards race 7, acquire: see counter.LastDecrementStress (on hardware that reorders loads).
        return (int) OUTSTANDING.getAcquire(this) == 1;
    }

    /** Takes the last one off, after {@link #isLastOne()}. */
    public final void completeLastOne() {
        OUTSTANDING.setOpaque(this, 0);
    }

    /** Takes several off at once, 1 or more. Returns whether these were the last ones; one caller gets true. */
    public final boolean complete(int n) {
        // Guards races 3, 5 and 7: see counter.LastDecrementStress and counter.BatchDecrementStress.
        int before = (int) OUTSTANDING.getAndAdd(this, -n);
        if (before < n) {
            throw new IllegalStateException("completed " + n + " prerequisites of which only " + before + " were left");
        }
        return before == n;
    }

    /** Adds one. Returns false if it is too late: the count has reached zero. */
    public final boolean tryAdd() {
        while (true) {
            int seen = outstanding;
            if (seen == 0) {
                return false;
            }
            // Guards race 8: see counter.AddAgainstLastStress.
            if (OUTSTANDING.compareAndSet(this, seen, seen + 1)) {
                return true;
            }
        }
    }

    /** What is left; 0 once everything has happened. */
    protected final int outstanding() {
        return outstanding;
    }

    /** Sets the count of something that no other thread knows yet, or that all others have left. */
    public final void setOutstandingPlain(int count) {
        OUTSTANDING.set(this, count);
    }
}
