package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.execute.FramePipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

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
    /** A resource that was replaced, and the last frame that uses it. */
    private record Old(Resource resource, @Nullable FramePipeline pipeline, long lastUse) {}

    private final String name;
    private final Access rest;
    private final BiFunction<String, D, R> create;
    private final List<Old> old = new ArrayList<>(0);
    private @Nullable R previous;
    private @Nullable R current;
    private @Nullable D description;
    /** What has launched the last frame with it. Not the frame itself, which keeps its plan and bodies. */
    private @Nullable FramePipeline pipeline;

    private long lastUse;
    private boolean hasContents;
    /** Which halves there are, and how they stand to each other. */
    private long state;

    private boolean closed;

    RdgHistory(String name, Access rest, boolean fits, BiFunction<String, D, R> create) {
        if (!fits || (rest.memoryAccess() & MemoryAccess.HOST_READ.bit()) != 0 || rest.writes()) {
            throw new IllegalArgumentException("history '" + name + "' is to rest ready for " + rest
                    + "; name an access that reads such a resource on the device");
        }
        this.name = name;
        this.rest = rest;
        this.create = create;
    }

    /** Returns the debug name. */
    public final String name() {
        return name;
    }

    /** Returns the access that both resources are ready for between frames. */
    public final Access rest() {
        return rest;
    }

    /** Returns whether the next frame finds what a former one wrote, and not cleared contents. */
    public final boolean hasContents() {
        return hasContents;
    }

    /**
     * Forgets what was written, such as at a cut of the camera. The next frame that is declared reads cleared contents.
     */
    public final void reset() {
        state += hasContents ? 1 : 0;
        hasContents = false;
    }

    /** Makes the resources of a shape if there are none, and frees former ones that no frame uses any more. */
    final void prepare(D shape) {
        if (closed) {
            throw new RdgException("history '" + name + "' is closed; make a new one");
        }
        old.removeIf(former -> {
            boolean unused = former.pipeline == null || former.pipeline.isOver(former.lastUse);
            if (unused) {
                former.resource.close();
            }
            return unused;
        });
        if (shape.equals(description)) {
            return;
        }
        R first = create.apply(name + " 0", shape);
        try {
            R second = create.apply(name + " 1", shape);
            retire();
            previous = first;
            current = second;
        } catch (RuntimeException failure) {
            first.close();
            throw failure;
        }
        description = shape;
        hasContents = false;
        state++;
    }

    /** Returns a number that changes with the halves and with their places. */
    final long state() {
        return state;
    }

    /** Returns the half that frames read; after {@link #prepare}. */
    final R previous() {
        return Objects.requireNonNull(previous);
    }

    /** Returns the half that a frame may write; after {@link #prepare}. */
    final R current() {
        return Objects.requireNonNull(current);
    }

    /**
     * Notes that a frame was launched.
     *
     * @param pipeline what has launched it
     * @param frame its number
     * @param written whether it writes the current resource, which then changes places with the other
     */
    final void launched(FramePipeline pipeline, long frame, boolean written) {
        this.pipeline = pipeline;
        lastUse = frame;
        if (written) {
            R former = previous;
            previous = current;
            current = former;
            hasContents = true;
            state++;
        }
    }

    private void retire() {
        if (previous != null) {
            old.add(new Old(previous, pipeline, lastUse));
        }
        if (current != null) {
            old.add(new Old(current, pipeline, lastUse));
        }
        previous = null;
        current = null;
    }

    /** Destroys the resources; a second call does nothing. */
    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            retire();
            old.forEach(former -> former.resource.close());
            old.clear();
        }
    }
}
