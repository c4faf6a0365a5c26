package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.HeapSearch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The search for lower heaps of one kept plan, see {@link HeapSearch#REUSED}. The compiler asks for it when it finds
 * the plan again. An executor that executes the plan then runs it, once, on a thread of its choice. From then on the
 * compiler hands out what it found. A search that fails has found nothing. Any thread.
 */
public final class LowerHeaps {
    private enum State {
        /** The plan was not found again yet. */
        UNWANTED,
        WANTED,
        /** A thread runs the search or has run it. */
        TAKEN
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.UNWANTED);
    private final PlanStructure plan;
    private final Supplier<PlanStructure> searching;
    private volatile @Nullable PlanStructure found;

    LowerHeaps(PlanStructure plan, Supplier<PlanStructure> searching) {
        this.plan = plan;
        this.searching = searching;
    }

    /** Asks for the search, once. Returns the plan with lower heaps if it is found, or null. */
    public @Nullable PlanStructure want() {
        if (state.get() == State.UNWANTED) {
            state.compareAndSet(State.UNWANTED, State.WANTED);
        }
        return found;
    }

    /** Returns whether the caller is to run the search: true for one caller, after it was asked for. */
    public boolean take() {
        return state.get() == State.WANTED && state.compareAndSet(State.WANTED, State.TAKEN);
    }

    /** Searches; by the caller that {@link #take} has chosen. */
    public void search() {
        PlanStructure searched = searching.get();
        if (searched.arrays().heapBytes() < plan.arrays().heapBytes()) {
            found = searched;
        }
    }
}
