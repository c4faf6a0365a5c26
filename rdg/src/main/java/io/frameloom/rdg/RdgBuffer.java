package io.frameloom.rdg;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.BufferDescription;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A handle of a buffer of one graph. */
public abstract class RdgBuffer extends RdgResource {
    /** An application that asks for other ranges in every frame gets new views, so that their number stays bounded. */
    private static final int MOST_VIEWS = 64;

    private final BufferDescription description;
    private @Nullable Map<Range, RdgBufferView> views;

    private record Range(long offset, long bytes) {}

    /** For graphs alone, which make the handles of their resources. */
    protected RdgBuffer(int index, String name, BufferDescription description) {
        super(index, name);
        this.description = description;
    }

    /** Drops the views if they are many: the next frame may ask for others. */
    protected final void dropManyViews() {
        if (views != null && views.size() > MOST_VIEWS) {
            views = null;
        }
    }

    /** Returns the shape as declared; the usage of a transient is completed by the compiler. */
    public final BufferDescription description() {
        return description;
    }

    /** Returns the view of all bytes. */
    public final RdgBufferView view() {
        return view(0, description.bytes());
    }

    /**
     * Returns the view of {@code bytes} bytes from {@code offset} on (Unreal's FRDGBufferSRV and FRDGBufferUAV in one);
     * equal arguments give the same object. The thread that declares the graph.
     *
     * @throws RdgException if the range is not within the buffer
     */
    public final RdgBufferView view(long offset, long bytes) {
        Map<Range, RdgBufferView> kept = views;
        if (kept == null) {
            kept = new HashMap<>(2);
            views = kept;
        }
        Range key = new Range(offset, bytes);
        RdgBufferView known = kept.get(key);
        if (known != null) {
            return known;
        }
        if (offset < 0 || bytes < 1 || offset > description.bytes() - bytes) {
            throw new RdgException(subject("buffer") + " has " + Plural.of(description.bytes(), "byte")
                    + ", but a view of " + Plural.of(bytes, "byte") + " at " + offset
                    + " is asked for; name a range within the buffer");
        }
        RdgBufferView view = new RdgBufferView(this, offset, bytes);
        kept.put(key, view);
        return view;
    }
}
