package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.RdgException;
import io.frameloom.taskgraph.GraphEvent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The two halves of a history, and which of them the next frame reads.
 *
 * @param <R> texture or buffer
 * @param <D> its description
 */
public final class HistoryState<R extends Resource, D> {
    private record Old(Resource resource, @Nullable GraphEvent lastUse) {}

    private final String name;
    private final Access rest;
    private final BiFunction<String, D, R> create;
    private final List<Old> old = new ArrayList<>(0);
    private @Nullable R previous;
    private @Nullable R current;
    private @Nullable D description;
    private @Nullable GraphEvent lastUse;
    private boolean hasContents;
    /** Which halves there are, and how they stand to each other. */
    private long state;

    private boolean closed;

    public HistoryState(String name, Access rest, boolean fits, BiFunction<String, D, R> create) {
        if (!fits || (rest.memoryAccess() & MemoryAccess.HOST_READ.bit()) != 0 || rest.writes()) {
            throw new IllegalArgumentException("history '" + name + "' is to rest ready for " + rest
                    + "; name an access that reads such a resource on the device");
        }
        this.name = name;
        this.rest = rest;
        this.create = create;
    }

    /** Returns the debug name. */
    public String name() {
        return name;
    }

    /** Returns the access that both resources are ready for between frames. */
    public Access rest() {
        return rest;
    }

    /** Returns whether the next frame finds what a former one wrote, and not what was cleared. */
    public boolean hasContents() {
        return hasContents;
    }

    /**
     * Forgets what was written, such as at a cut of the camera: the next frame that is declared reads what was cleared.
     */
    public void reset() {
        state += hasContents ? 1 : 0;
        hasContents = false;
    }

    /** Makes the resources of a shape if there are none, and frees former ones that no frame uses any more. */
    void prepare(D shape) {
        if (closed) {
            throw new RdgException("history '" + name + "' is closed; make a new one");
        }
        Iterator<Old> all = old.iterator();
        while (all.hasNext()) {
            Old former = all.next();
            if (former.lastUse == null || former.lastUse.isComplete()) {
                former.resource.close();
                all.remove();
            }
        }
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
    long state() {
        return state;
    }

    R previous() {
        return made(previous);
    }

    R current() {
        return made(current);
    }

    private R made(@Nullable R resource) {
        if (resource == null) {
            throw new IllegalStateException("history '" + name + "' has no resources yet");
        }
        return resource;
    }

    /**
     * Notes that a frame was launched.
     *
     * @param completed event of the frame
     * @param written whether it writes the current resource, which then changes places with the other
     */
    void launched(GraphEvent completed, boolean written) {
        lastUse = completed;
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
            old.add(new Old(previous, lastUse));
        }
        if (current != null) {
            old.add(new Old(current, lastUse));
        }
        previous = null;
        current = null;
    }

    /** Destroys the resources; a second call does nothing. */
    /** Closes what no frame uses any more. */
    public void close() {
        if (!closed) {
            closed = true;
            retire();
            old.forEach(former -> former.resource.close());
            old.clear();
        }
    }
}
