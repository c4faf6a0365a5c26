package io.frameloom.gpu.check;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.TextureLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A box of a resource whose parts share one history. */
final class Region {
    /** Owner of a resource that has not been transferred between families: any of them. */
    static final int SHARED = -1;

    private final Box box;

    @Nullable
    MemoryWrite write;

    List<Read> reads = List.of();
    boolean defined;
    TextureLayout layout = TextureLayout.UNDEFINED;
    int owner = SHARED;
    BarrierBatch.@Nullable OwnershipTransfer released;

    /**
     * The newest read of one queue and stage since the last write; it stands for all earlier ones.
     *
     * @param queue queue
     * @param stage stage
     * @param sequence sequence number
     * @param pass pass
     */
    record Read(int queue, int stage, long sequence, String pass) {}

    Region(Box box, boolean defined) {
        this.box = box;
        this.defined = defined;
    }

    Box box() {
        return box;
    }

    /** Returns a region with the same history in another box. */
    Region in(Box other) {
        Region copy = new Region(other, defined);
        copy.write = write == null ? null : write.copy();
        copy.reads = new ArrayList<>(reads);
        copy.layout = layout;
        copy.owner = owner;
        copy.released = released;
        return copy;
    }

    void addRead(int queue, int stages, long sequence, String pass) {
        if (stages == 0) {
            return;
        }
        if (reads.isEmpty()) {
            reads = new ArrayList<>(2);
        }
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            int stage = Integer.numberOfTrailingZeros(rest);
            reads.removeIf(read -> read.queue == queue && read.stage == stage);
            reads.add(new Read(queue, stage, sequence, pass));
        }
    }

    void forgetAccesses() {
        write = null;
        reads = List.of();
    }

    /** Forgets the accesses that the host has seen complete. */
    void retire(Clock host) {
        MemoryWrite last = write;
        if (last != null && host.covers(last.queue(), last.stages(), last.sequence())) {
            write = null;
        }
        if (!reads.isEmpty()) {
            reads.removeIf(read -> host.get(Clock.column(read.queue, read.stage)) >= read.sequence);
            if (reads.isEmpty()) {
                reads = List.of();
            }
        }
    }

    /** Returns whether both say the same of the parts that they share, given that the host has seen {@code host}. */
    boolean sameAbove(Clock host, Region other) {
        MemoryWrite mine = pending(host, write);
        MemoryWrite theirs = pending(host, other.write);
        boolean sameWrite = mine == null ? theirs == null : theirs != null && mine.sameAs(theirs);
        return sameWrite
                && defined == other.defined
                && layout == other.layout
                && owner == other.owner
                && Objects.equals(released, other.released)
                && pending(host, reads).equals(pending(host, other.reads));
    }

    private static @Nullable MemoryWrite pending(Clock host, @Nullable MemoryWrite write) {
        return write == null || host.covers(write.queue(), write.stages(), write.sequence()) ? null : write;
    }

    private static Set<Read> pending(Clock host, List<Read> reads) {
        Set<Read> pending = new HashSet<>(reads);
        pending.removeIf(read -> host.get(Clock.column(read.queue, read.stage)) >= read.sequence);
        return pending;
    }

    boolean quiet() {
        return write == null && reads.isEmpty();
    }

    boolean sameQuietState(Region other) {
        return quiet()
                && other.quiet()
                && defined == other.defined
                && layout == other.layout
                && owner == other.owner
                && Objects.equals(released, other.released);
    }
}
