package io.frameloom.gpu.record;

import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What lists have recorded last for an acceleration structure: checks of the next commands look at it. Any thread; lists
 * that are recorded at the same time for one structure leave it with one of their contents.
 */
public final class BuiltContents {
    private record State(
            boolean isAwaited,
            @Nullable AccelerationStructureDescription description,
            List<AccelerationStructure> bottoms) {}

    private static final State NOTHING = new State(true, null, List.of());
    private static final State READ_BACK = new State(false, null, List.of());

    private volatile State state = NOTHING;

    /** Returns whether no list has recorded a build of it. One that another thread records may come before, though. */
    boolean isAwaited() {
        return state.isAwaited;
    }

    /** Returns what it is built of, or null if that is not known: nothing yet, or a serialised one. */
    @Nullable
    AccelerationStructureDescription description() {
        return state.description;
    }

    /** Returns a bottom level that a top level refers to and that is closed, or null. */
    public @Nullable Resource firstClosed() {
        List<AccelerationStructure> bottoms = state.bottoms;
        for (int i = 0; i < bottoms.size(); i++) {
            if (bottoms.get(i).isClosed()) {
                return bottoms.get(i);
            }
        }
        return null;
    }

    List<AccelerationStructure> bottoms() {
        return state.bottoms;
    }

    void build(AccelerationStructureDescription description, List<AccelerationStructure> bottoms) {
        state = new State(false, description, bottoms);
    }

    void copy(BuiltContents source) {
        state = source.state;
    }

    void forget() {
        state = READ_BACK;
    }
}
