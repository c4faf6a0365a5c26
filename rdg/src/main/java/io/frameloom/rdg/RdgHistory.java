package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.declare.HistoryState;
import java.util.function.BiFunction;

/**
 * A resource that each frame writes for the next. It is two of one shape that change places: a frame reads what the
 * former one wrote while it writes its own. Before there is a former frame, after a change of shape and after {@link
 * #reset}, what a frame reads is cleared.
 *
 * <p>A history belongs to one executor and outlives its graphs. A frame that does not write it leaves it as it is, also
 * where conditions ({@link PassBuilder#onlyIf}) leave out all passes that would. One pass that runs is enough for the
 * halves to change places. So give one condition object to passes that each write a part of it. A frame that fails
 * leaves unknown contents: {@link #reset} then.
 *
 * <p>A graph takes the halves as they are when it takes the history. So declare a frame with it only after the frame
 * before was executed. If another frame has changed the places or the shape since its declaration, its execution is
 * refused.
 *
 * <p>The thread that declares and executes graphs, one at a time; close it after the executor,
 * or when its frames have completed.
 *
 * @param <R> texture or buffer
 * @param <D> its description
 */
public abstract sealed class RdgHistory<R extends Resource, D> implements AutoCloseable
        permits TextureHistory, BufferHistory {
    private final HistoryState<R, D> state;

    RdgHistory(String name, Access rest, boolean fits, BiFunction<String, D, R> create) {
        state = new HistoryState<>(name, rest, fits, create);
    }

    HistoryState<R, D> state() {
        return state;
    }

    /** Returns the debug name. */
    public final String name() {
        return state.name();
    }

    /** Returns the access that both resources are ready for between frames. */
    public final Access rest() {
        return state.rest();
    }

    /** Returns whether the next frame finds what a former one wrote, and not cleared contents. */
    public final boolean hasContents() {
        return state.hasContents();
    }

    /**
     * Forgets what was written, such as at a cut of the camera. The next frame that is declared reads cleared contents.
     */
    public final void reset() {
        state.reset();
    }

    /** Destroys the resources; a second call does nothing. */
    @Override
    public final void close() {
        state.close();
    }
}
