package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** A box of a resource whose parts share one history. */
final class Region {
    /** Owner of a resource that has not been transferred between families: any of them. */
    static final int SHARED = -1;

    /**
     * Owner of an exclusive resource that is unused so far, or has lost its contents: the first family that uses it.
     */
    static final int NO_FAMILY = -3;

    /** Owner of an imported resource that is unused here so far. */
    static final int UNKNOWN = -2;

    private static final int HOST = Integer.numberOfTrailingZeros(PipelineStage.HOST.bit());

    private final Box box;
    private List<MemoryWrite> writes = List.of();
    private List<Read> reads = List.of();
    /** Last writes that the host has seen complete but may not read: no barrier has made them visible to it. */
    private List<Hidden> hidden = List.of();
    /** The group of the last writes that need no order among each other, null if anything else came after them. */
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
     * A write that the host has seen complete and that is not visible to it; it may be available.
     *
     * @param write write
     * @param since the wait of the host after which that was so
     */
    record Hidden(MemoryWrite write, long since) {
        /** As of the write, by barriers since as well. */
        boolean isShown(Shown known, Resource through, int afterQueue, HostNeed need) {
            return known.hasSeenOf(since, need) || write.isShown(known, through, afterQueue, need);
        }

        boolean sameAs(Hidden other) {
            return since == other.since && write.sameAs(other.write);
        }
    }

    /**
     * The newest read of one queue and stage since the last write; it stands for all earlier ones.
     *
     * @param queue queue
     * @param stage stage
     * @param sequence sequence number
     * @param pass pass
     */
    record Read(int queue, int stage, long sequence, String pass) {
        /** How to fix a conflict with a read by the host that is not over. */
        static final String UNSEEN = "the host has not waited for that submission, which alone ends its reading:"
                + " wait for its timeline value before submitting this";

        /** Returns whether the host reads, which no barrier and no wait of a queue orders. */
        boolean isByHost() {
            return stage == HOST;
        }

        /** Returns whether the host has seen this complete. */
        boolean seenBy(HostView host) {
            return host.executed().get(Clock.column(queue, stage)) >= sequence;
        }

        /** Returns whether work of the device that follows {@code clock} follows this. */
        boolean isBefore(Clock clock) {
            return !isByHost() && clock.get(Clock.column(queue, stage)) >= sequence;
        }
    }

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
        copy.hidden = hidden.isEmpty()
                ? List.of()
                : hidden.stream()
                        .map(each -> new Hidden(each.write.copy(), each.since))
                        .toList();
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

    /** Returns those of the last writes that the host has seen complete and may not read. */
    List<Hidden> hidden() {
        return hidden;
    }

    /** Returns those that a use by the host must see and may not read. */
    List<Hidden> hiddenFrom(ResourceUse use) {
        return joins(use) ? List.of() : hidden;
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
            hidden = samePass ? hidden : List.of();
            reads = List.of();
        }
        List<MemoryWrite> more = new ArrayList<>(writes.size() + 1);
        for (MemoryWrite write : writes) {
            // Work that follows the newer one of a queue and its stages follows the older one, too.
            if (write.queue() != added.queue() || (write.stages() & ~added.stages()) != 0) {
                more.add(write);
            }
        }
        more.add(added);
        writes = more;
    }

    /** Keeps the part of an alias that is about to be forgotten, for the writes that still join the group. */
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

    /** Returns whether both belong to the same family, or are on the way between the same two. */
    boolean hasOwnerOf(Region other) {
        return owner == other.owner && Objects.equals(released, other.released);
    }

    /** Returns whether another family than this one has it. */
    boolean belongsToAnotherThan(int family) {
        return owner >= 0 && owner != family;
    }

    /** Gives the region to a family that needs none of its contents, if it was ever handed from one to another. */
    void discardedBy(int family) {
        if (owner >= 0 || owner == NO_FAMILY || released != null) {
            owner = family;
            released = null;
        }
    }

    /** Notes that what shares its memory was written. */
    void lostContents() {
        defined = false;
        layout = TextureLayout.UNDEFINED;
        released = null;
        owner = owner >= 0 ? NO_FAMILY : owner;
    }

    /** Notes that what comes next is not of the group. */
    void endGroup() {
        group = null;
        writesBefore = List.of();
        readsBefore = List.of();
    }

    /** Replaces the whole history by one write. */
    void rewrite(MemoryWrite write) {
        forgetAccesses();
        writes = List.of(write);
    }

    void addRead(int queue, int stages, long sequence, String pass) {
        endGroup();
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
        hidden = List.of();
        endGroup();
    }

    /**
     * Forgets the accesses that the host has seen complete.
     *
     * @param mapped whether the host could read what was written
     */
    void retire(HostView host, boolean mapped) {
        List<MemoryWrite> left = pending(host, writes);
        if (mapped && left != writes) {
            hide(host);
        }
        writes = left;
        reads = pendingReads(host, reads);
        writesBefore = pending(host, writesBefore);
        readsBefore = pendingReads(host, readsBefore);
        if (writes.isEmpty()) {
            group = null;
        }
    }

    private void hide(HostView host) {
        List<Hidden> more = new ArrayList<>(hidden);
        for (MemoryWrite write : writes) {
            if (host.hasSeen(write) && !write.isShown(host.shown(), HostNeed.VISIBLE)) {
                more.add(new Hidden(write, host.waits()));
            }
        }
        hidden = more;
    }

    /** Returns whether the host may not read all that it has seen complete, given what is visible to it. */
    boolean hides(Shown known, Resource readAs) {
        return hidden.stream().anyMatch(each -> !each.isShown(known, readAs, Clock.HOST, HostNeed.VISIBLE));
    }

    /** Returns whether the host may not read all that was written when it has waited for everything. */
    boolean hidesAnything(Shown known, Resource readAs) {
        return hides(known, readAs)
                || writes.stream().anyMatch(write -> !write.isShown(known, readAs, Clock.HOST, HostNeed.VISIBLE));
    }

    /**
     * Returns the pass of an access of the device that the host has not seen complete, null if there is none. Reads by
     * the host do not count: no wait of another queue orders them, and the host knows them itself.
     */
    @Nullable
    String pendingPass(HostView host) {
        for (MemoryWrite write : writes) {
            if (!host.hasExecuted(write)) {
                return write.pass();
            }
        }
        for (Read read : pendingReads(host, reads)) {
            if (!read.isByHost()) {
                return read.pass;
            }
        }
        return null;
    }

    /** Returns whether both are equal in the parts that they share, given what the host has seen. */
    boolean sameAbove(HostView host, Region other) {
        return same(pending(host, writes), pending(host, other.writes))
                && same(pending(host, writesBefore), pending(host, other.writesBefore))
                && same(hidden, other.hidden, Hidden::sameAs)
                && group == other.group
                && defined == other.defined
                && layout == other.layout
                && hasOwnerOf(other)
                && Set.copyOf(pendingReads(host, reads)).equals(Set.copyOf(pendingReads(host, other.reads)))
                && Set.copyOf(pendingReads(host, readsBefore))
                        .equals(Set.copyOf(pendingReads(host, other.readsBefore)));
    }

    private static boolean same(List<MemoryWrite> mine, List<MemoryWrite> theirs) {
        return same(mine, theirs, MemoryWrite::sameAs);
    }

    private static <T> boolean same(List<T> mine, List<T> theirs, BiPredicate<T, T> alike) {
        return mine.size() == theirs.size()
                && mine.stream().allMatch(one -> theirs.stream().anyMatch(other -> alike.test(one, other)));
    }

    private static List<MemoryWrite> pending(HostView host, List<MemoryWrite> writes) {
        for (MemoryWrite write : writes) {
            if (host.hasSeen(write)) {
                return writes.stream().filter(each -> !host.hasSeen(each)).toList();
            }
        }
        return writes;
    }

    private static List<Read> pendingReads(HostView host, List<Read> reads) {
        for (Read read : reads) {
            if (read.seenBy(host)) {
                return reads.stream().filter(each -> !each.seenBy(host)).toList();
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

    /** Returns whether accesses to resources that share its memory neither concern nor change it. */
    boolean dormant() {
        return settled()
                && hidden.isEmpty()
                && !defined
                && layout == TextureLayout.UNDEFINED
                && released == null
                && owner < 0;
    }

    boolean sameQuietState(Region other) {
        return quiet()
                && other.quiet()
                && defined == other.defined
                && layout == other.layout
                && hasOwnerOf(other)
                && same(hidden, other.hidden, Hidden::sameAs);
    }
}
