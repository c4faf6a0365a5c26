package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.BindlessSlot;
import io.frameloom.gpu.pipeline.BindlessTable.Kind;
import java.util.concurrent.atomic.AtomicBoolean;

/** A filled slot of a bindless table. Any thread. */
public abstract class TableSlot implements BindlessSlot {
    private final Perishable table;
    private final Kind kind;
    private final int index;
    private final AtomicBoolean closed = new AtomicBoolean();

    protected TableSlot(Perishable table, Kind kind, int index) {
        this.table = table;
        this.kind = kind;
        this.index = index;
    }

    @Override
    public final Kind kind() {
        return kind;
    }

    @Override
    public final int index() {
        if (closed.get() || table.isClosed()) {
            throw new IllegalStateException(this + " is closed; its number may be another resource's");
        }
        return index;
    }

    @Override
    public final void close() {
        if (closed.compareAndSet(false, true)) {
            free(index);
        }
    }

    /** Frees the number, once; the slot counts as closed. */
    protected abstract void free(int number);

    @Override
    public final String toString() {
        return "slot " + index + " of " + kind + " in " + table.describe();
    }
}
