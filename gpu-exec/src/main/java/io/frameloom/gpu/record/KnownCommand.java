package io.frameloom.gpu.record;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.ResourceUse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a list has found out about a repeated command: it is allowed on a queue while nothing that it names is closed, and
 * these are its structures. Lists name it in place of everything that it names. Any thread.
 */
final class KnownCommand implements NamedObjects {
    private final GpuQueue queue;
    /** The declaration of the pass in which it is allowed; null for any. */
    private final @Nullable List<ResourceUse> within;

    private final List<Perishable> named;
    private final long[] structures;
    /** The number of closings up to which nothing named was closed. */
    private volatile long open;

    KnownCommand(
            GpuQueue queue, @Nullable List<ResourceUse> within, List<Perishable> named, long[] structures, long open) {
        this.queue = queue;
        this.within = within;
        this.named = named;
        this.structures = structures;
        this.open = open;
    }

    /** Returns whether this was found out on a queue, and in the pass that {@code layouts} are of. */
    boolean isFor(GpuQueue recording, PassLayouts layouts) {
        return queue == recording && (within == null || within == layouts.declared());
    }

    /** Returns whether everything named was open at a moment with this number of closings. */
    boolean wasOpen(long closings) {
        return open == closings;
    }

    /** Notes that everything named was open after the number of closings was read. */
    void open(long closings) {
        open = closings;
    }

    long[] structures() {
        return structures;
    }

    @Override
    public @Nullable String closedPart() {
        for (int i = 0; i < named.size(); i++) {
            String closed = named.get(i).closedPart();
            if (closed != null) {
                return closed;
            }
        }
        return null;
    }
}
