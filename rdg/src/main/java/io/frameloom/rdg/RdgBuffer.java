package io.frameloom.rdg;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.TextureLayout;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A handle of a buffer of one graph. */
public final class RdgBuffer extends RdgResource {
    private final BufferDescription description;
    private final Map<Range, RdgBufferView> views = new HashMap<>(2);

    private record Range(long offset, long bytes) {}

    RdgBuffer(
            RenderGraph graph,
            int index,
            String name,
            BufferDescription description,
            @Nullable TextureLayout passthrough) {
        super(graph, index, name, passthrough);
        this.description = description;
    }

    /** Returns the shape as declared; the usage of a transient is completed by the compiler. */
    public BufferDescription description() {
        return description;
    }

    /** Returns the view of all bytes. */
    public RdgBufferView view() {
        return view(0, description.bytes());
    }

    /**
     * Returns the view of {@code bytes} bytes from {@code offset} on (Unreal's FRDGBufferSRV and FRDGBufferUAV in one);
     * equal arguments give the same object. The thread that declares the graph.
     *
     * @throws RdgException if the range is not within the buffer
     */
    public RdgBufferView view(long offset, long bytes) {
        Range key = new Range(offset, bytes);
        RdgBufferView known = views.get(key);
        if (known != null) {
            return known;
        }
        if (offset < 0 || bytes < 1 || offset > description.bytes() - bytes) {
            throw new RdgException("graph '" + graph().name() + "': buffer '" + name() + "'"
                    + graph().siteOf(this) + " has " + description.bytes() + " bytes, but a view of " + bytes
                    + " bytes at " + offset + " is asked for; name a range within the buffer");
        }
        RdgBufferView view = new RdgBufferView(this, offset, bytes);
        views.put(key, view);
        return view;
    }
}
