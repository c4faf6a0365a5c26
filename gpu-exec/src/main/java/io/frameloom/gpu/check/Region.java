package io.frameloom.gpu.check;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.TextureLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A box of a resource whose parts share one history. */
final class Region {
    /** Owner of a resource that has not been transferred between families: any of them. */
    static final int SHARED = -1;

    private static final int HOST = Integer.numberOfTrailingZeros(PipelineStage.HOST.bit());

    private final Box box;
    private List<MemoryWrite> writes = List.of();
    private List<Read> reads = List.of();
    /** What the last writes have in common that need no order among each other, null if anything else came after them. */
    private @Nullable Object group;
    /** What was before the first write of the group. */
    private List<MemoryWrite> writesBefore = List.of();

    private List<Read> readsBefore = List.of();
    boolean defined;
    TextureLayout layout = TextureLayout.UNDEFINED;
    int owner = SHARED;

    @Nullable
    Release released;

    /**
     * The first half of an ownership transfer, which the second half has to repeat.
     *
     * @param transfer families
     * @param from layout before
     * @param to layout after
     */
    record Release(BarrierBatch.OwnershipTransfer transfer, TextureLayout from, TextureLayout to) {}

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
        copy.writes = copies(writes);
        copy.reads = List.copyOf(reads);
        copy.group = group;
        copy.writesBefore = copies(writesBefore);
        copy.readsBefore = List.copyOf(readsBefore);
        copy.layout = layout;
        copy.owner = owner;
        copy.released = released;
        return copy;
    }

    private static List<MemoryWrite> copies(List<MemoryWrite> all) {
        return all.isEmpty() ? List.of() : all.stream().map(MemoryWrite::copy).toList();
    }

    /** Returns the last writes: several if they were of one pass, or of one group. */
    List<MemoryWrite> writes() {
        return writes;
    }

    /** Returns the last writes and those before their group, to be made available and visible. */
    List<MemoryWrite> allWrites() {
        if (writesBefore.isEmpty()) {
            return writes;
        }
        List<MemoryWrite> all = new ArrayList<>(writes);
        all.addAll(writesBefore);
        return all;
    }

    /** Returns the writes that a use must see. */
    List<MemoryWrite> writesBefore(ResourceUse use) {
        return joins(use) ? writesBefore : writes;
    }

    /** Returns the reads since the last write, or those before its group, that a write must follow. */
    List<Read> readsBefore(ResourceUse use) {
        return joins(use) ? readsBefore : reads;
    }

    /** Returns the reads since the last write. */
    List<Read> reads() {
        return reads;
    }

    private boolean joins(ResourceUse use) {
        return group != null && use.access().writes() && group == use.overlapGroup();
    }

    /** Returns whether a pass has written the region. */
    boolean writtenBy(int queue, long sequence) {
        return writes.stream().anyMatch(write -> write.queue() == queue && write.sequence() == sequence);
    }

    /** Adds a write of a pass; it replaces those that it is ordered after. */
    void addWrite(MemoryWrite added, @Nullable Object overlapGroup) {
        boolean samePass = writtenBy(added.queue(), added.sequence());
        if (group == null || group != overlapGroup) {
            if (overlapGroup != null && !samePass) {
                writesBefore = writes;
                readsBefore = reads;
            } else {
                writesBefore = List.of();
                readsBefore = List.of();
            }
            group = samePass ? null : overlapGroup;
            writes = samePass ? writes : List.of();
            reads = List.of();
        }
        List<MemoryWrite> more = new ArrayList<>(writes.size() + 1);
        for (MemoryWrite write : writes) {
            // Whoever follows the newer one of a queue and its stages follows the older one, too.
            if (write.queue() != added.queue() || (write.stages() & ~added.stages()) != 0) {
                more.add(write);
            }
        }
        more.add(added);
        writes = more;
    }

    /** Keeps what an alias says, which is to be forgotten, for the writes that still join the group. */
    void keepBefore(Region alias) {
        if (group != null && !alias.quiet()) {
            List<MemoryWrite> moreWrites = new ArrayList<>(writesBefore);
            moreWrites.addAll(copies(alias.writes));
            writesBefore = moreWrites;
            List<Read> moreReads = new ArrayList<>(readsBefore);
            moreReads.addAll(alias.reads);
            readsBefore = moreReads;
        }
    }

    /** Gives the region to a family that needs none of its contents, if it was ever handed from one to another. */
    void discardedBy(int family) {
        if (owner != SHARED || released != null) {
            owner = family;
            released = null;
        }
    }

    /** Replaces the whole history by one write. */
    void rewrite(MemoryWrite write) {
        forgetAccesses();
        writes = List.of(write);
    }

    void addRead(int queue, int stages, long sequence, String pass) {
        group = null;
        writesBefore = List.of();
        readsBefore = List.of();
        if (stages == 0) {
            return;
        }
        List<Read> more = new ArrayList<>(reads);
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            int stage = Integer.numberOfTrailingZeros(rest);
            more.removeIf(read -> read.queue == queue && read.stage == stage);
            more.add(new Read(queue, stage, sequence, pass));
        }
        reads = more;
    }

    void forgetAccesses() {
        writes = List.of();
        reads = List.of();
        group = null;
        writesBefore = List.of();
        readsBefore = List.of();
    }

    /** Forgets the accesses that the host has seen complete. */
    void retire(Clock host) {
        writes = pending(host, writes);
        reads = pendingReads(host, reads);
        writesBefore = pending(host, writesBefore);
        readsBefore = pendingReads(host, readsBefore);
        if (writes.isEmpty()) {
            group = null;
        }
    }

    /**
     * Returns the pass of an access of the device that the host has not seen complete, null if there is none. What the host
     * reads it reads itself: no wait of another queue orders that, and nobody needs to tell the host of it.
     */
    @Nullable
    String pendingPass(Clock host) {
        List<MemoryWrite> left = pending(host, writes);
        if (!left.isEmpty()) {
            return left.get(0).pass();
        }
        for (Read read : pendingReads(host, reads)) {
            if (read.stage != HOST) {
                return read.pass;
            }
        }
        return null;
    }

    /** Returns whether both say the same of the parts that they share, given that the host has seen {@code host}. */
    boolean sameAbove(Clock host, Region other) {
        return same(pending(host, writes), pending(host, other.writes))
                && same(pending(host, writesBefore), pending(host, other.writesBefore))
                && group == other.group
                && defined == other.defined
                && layout == other.layout
                && owner == other.owner
                && Objects.equals(released, other.released)
                && Set.copyOf(pendingReads(host, reads)).equals(Set.copyOf(pendingReads(host, other.reads)))
                && Set.copyOf(pendingReads(host, readsBefore))
                        .equals(Set.copyOf(pendingReads(host, other.readsBefore)));
    }

    private static boolean same(List<MemoryWrite> mine, List<MemoryWrite> theirs) {
        return mine.size() == theirs.size()
                && mine.stream().allMatch(write -> theirs.stream().anyMatch(write::sameAs));
    }

    private static List<MemoryWrite> pending(Clock host, List<MemoryWrite> writes) {
        for (MemoryWrite write : writes) {
            if (host.covers(write.queue(), write.stages(), write.sequence())) {
                return writes.stream()
                        .filter(each -> !host.covers(each.queue(), each.stages(), each.sequence()))
                        .toList();
            }
        }
        return writes;
    }

    private static List<Read> pendingReads(Clock host, List<Read> reads) {
        for (Read read : reads) {
            if (host.get(Clock.column(read.queue, read.stage)) >= read.sequence) {
                return reads.stream()
                        .filter(each -> host.get(Clock.column(each.queue, each.stage)) < each.sequence)
                        .toList();
            }
        }
        return reads;
    }

    boolean quiet() {
        return writes.isEmpty() && reads.isEmpty();
    }

    boolean settled() {
        return quiet() && writesBefore.isEmpty() && readsBefore.isEmpty();
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
