package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.BindlessTable.Kind;
import io.frameloom.gpu.resource.Resource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The slots of a bindless table, whose lock this is. Any thread. */
public final class SlotsByKind {
    private final Map<Kind, TableSlots> all = new EnumMap<>(Kind.class);
    private final Closings closings;
    /** The number of closings in tables up to which nothing in this one was closed. */
    private volatile long open;

    /**
     * No slot taken.
     *
     * @param unusedFirst as for {@link TableSlots}
     */
    public SlotsByKind(String table, ToIntFunction<Kind> capacities, boolean unusedFirst, Closings closings) {
        this.closings = closings;
        this.open = closings.inTables();
        for (Kind kind : Kind.values()) {
            all.put(kind, new TableSlots(table, kind, capacities.applyAsInt(kind), unusedFirst));
        }
    }

    public TableSlots of(Kind kind) {
        Objects.requireNonNull(kind, "kind must not be null");
        return Objects.requireNonNull(all.get(kind));
    }

    /** Returns a resource that is closed and whose slot is not, or null. Looks if something in any table was closed. */
    public @Nullable Resource firstClosed() {
        long now = closings.inTables();
        if (open == now) {
            return null;
        }
        synchronized (this) {
            for (TableSlots kind : all.values()) {
                Resource closed = kind.firstClosed();
                if (closed != null) {
                    return closed;
                }
            }
        }
        open = now;
        return null;
    }

    /** Forgets all resources: the table is closed. */
    public synchronized void clear() {
        all.values().forEach(TableSlots::clear);
    }
}
