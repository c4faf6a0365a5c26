package io.frameloom.gpu.record;

import io.frameloom.gpu.resource.Resource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An object of a device that an application closes once; command lists name most of them. Any thread. */
public abstract class Perishable implements DeviceObject {
    private final Object device;
    private final String name;
    /** A field, not an object, since each command looks at it for each resource. Set under the lock of {@link #slots}. */
    private volatile boolean closed;
    /** The open slots of bindless tables that have this. */
    private final AtomicInteger slots = new AtomicInteger();

    /**
     * An open object.
     *
     * @param device what {@link #belongsTo} knows the device by
     */
    protected Perishable(Object device, String name) {
        this.device = device;
        this.name = name;
    }

    public final boolean belongsTo(Object other) {
        return device == other;
    }

    @Override
    public final String name() {
        return name;
    }

    public final boolean isClosed() {
        return closed;
    }

    /**
     * Checks that this is open.
     *
     * @param use what is about to be done with it, a participle
     * @throws IllegalStateException if it is closed
     */
    public final void requireOpen(String use) {
        if (closed) {
            throw new IllegalStateException(describe() + " is " + use + " after it was closed");
        }
    }

    /**
     * Counts a slot that has this. A close at the same time either finds the slot counted or is found here.
     *
     * @throws IllegalStateException if this is closed
     */
    final void enterTable() {
        slots.incrementAndGet();
        if (closed) {
            slots.decrementAndGet();
            requireOpen("put into a bindless table");
        }
    }

    final void leaveTable() {
        slots.decrementAndGet();
    }

    final boolean isInTable() {
        return slots.get() > 0;
    }

    /** Counts as closed from now on; returns whether this call did that. */
    protected final boolean end() {
        synchronized (slots) {
            boolean ends = !closed;
            closed = true;
            return ends;
        }
    }

    /** Returns a resource in this that is closed, or null. */
    public @Nullable Resource firstClosed() {
        return null;
    }

    /** Returns the first of some resources of devices that is closed, or a resource in it that is; null without. */
    public static @Nullable Resource firstClosed(List<? extends Resource> resources) {
        for (int i = 0; i < resources.size(); i++) {
            Resource resource = resources.get(i);
            Perishable ours = (Perishable) resource;
            Resource gone = ours.isClosed() ? resource : ours.firstClosed();
            if (gone != null) {
                return gone;
            }
        }
        return null;
    }

    /** Returns the closed part of this, in words for a message, or null while all of it is open. */
    public final @Nullable String closedPart() {
        if (closed) {
            return describe();
        }
        Resource gone = firstClosed();
        return gone == null ? null : "'" + gone.name() + "' in " + describe();
    }

    /** As {@link #closedPart}; names this without its kind. */
    public final @Nullable String closedName() {
        return closed ? "'" + name + "'" : closedPart();
    }

    @Override
    public String toString() {
        return describe();
    }
}
