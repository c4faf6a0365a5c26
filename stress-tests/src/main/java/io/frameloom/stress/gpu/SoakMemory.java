package io.frameloom.stress.gpu;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Memory of one resource, or of several that alias: who has accessed it last. One thread. */
final class SoakMemory {
    private @Nullable Use write;
    private final List<Use> reads = new ArrayList<>();
    private @Nullable SoakResource owner;

    /**
     * An access by a submission.
     *
     * @param queue index of its queue
     * @param value timeline value that it reaches
     * @param stages stages
     * @param writes writes to be made available, none for a read
     */
    record Use(int queue, long value, int stages, int writes) {}

    /** Returns what an access has to come after: the last write, and if it changes something the reads since. */
    List<Use> before(boolean changes) {
        List<Use> all = new ArrayList<>();
        if (write != null) {
            all.add(write);
        }
        if (changes) {
            all.addAll(reads);
        }
        return all;
    }

    /** Notes an access; {@code changes} if it writes or moves the layout. */
    void accessed(Use use, boolean writes, boolean changes) {
        if (changes) {
            write = use;
            reads.clear();
        }
        if (!writes) {
            reads.add(use);
        }
    }

    /** Returns the resource whose contents are in the memory, null for none. */
    @Nullable
    SoakResource owner() {
        return owner;
    }

    void own(SoakResource resource) {
        owner = resource;
    }
}
