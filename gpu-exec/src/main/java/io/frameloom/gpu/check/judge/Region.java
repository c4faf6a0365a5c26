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
    private Accesses last = Accesses.NONE;
    /** Last writes that the host has seen complete but may not read: no barrier has made them visible to it. */
    private List<Hidden> hidden = List.of();
    /** The group of the last writes that need no order among each other, null if anything else came after them. */
    private @Nullable Object group;
    /** What was before the first write of the group. */
    private Accesses before = Accesses.NONE;

    boolean defined;
    /** Whether it has memory: of a sparse texture while that is bound, of all else always. */
    boolean bound = true;

    TextureLayout layout = TextureLayout.UNDEFINED;
    int owner = SHARED;

    @Nullable
    Release released;

    /**
     * The first half of an ownership transfer, which the second half has to repeat.
     *
     * @param from layout before
     */
    record Release(BarrierBatch.OwnershipTransfer transfer, TextureLayout from, TextureLayout to) {}

    /**
     * A write that the host has seen complete and that is not visible to it; it may be available.
     *
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

    /** The newest read of one queue and stage since the last write; it stands for all earlier ones. */
    record Read(int queue, int stage, long sequence, String pass) {
        /** How to fix a conflict with a read by the host that is not over. */
        static final String UNSEEN = "the host has not waited for that submission, which alone ends its reading:"
                + " wait for its timeline value before submitting this";

        /** Returns whether the host reads, which no barrier and no wait of a queue orders. */
        boolean isByHost() {
            return stage == HOST;
        }

        boolean seenBy(HostView host) {
            return host.past().executed().get(Clock.column(queue, stage)) >= sequence;
        }

        boolean isBefore(Clock clock) {
            return !isByHost() && clock.get(Clock.column(queue, stage)) >= sequence;
        }
    }

    /** The last writes, several if they were of one pass or of one group, and the reads since. */
    record Accesses(List<MemoryWrite> writes, List<Read> reads) {
        private static final Accesses NONE = new Accesses(List.of(), List.of());

        boolean isEmpty() {
            return writes.isEmpty() && reads.isEmpty();
        }

        private Accesses copy() {
            return isEmpty()
                    ? NONE
                    : new Accesses(writes.stream().map(MemoryWrite::copy).toList(), reads);
        }

        private Accesses with(Accesses others) {
            return new Accesses(both(writes, others.writes), both(reads, others.reads));
        }

        /** Returns those that the host has not seen; this if it has seen none. */
        private Accesses pending(HostView host) {
            return isSeenInPart(host)
                    ? new Accesses(
                            writes.stream()
                                    .filter(write -> !host.hasSeen(write))
                                    .toList(),
                            reads.stream().filter(read -> !read.seenBy(host)).toList())
                    : this;
        }

        private boolean isSeenInPart(HostView host) {
            for (MemoryWrite write : writes) {
                if (host.hasSeen(write)) {
                    return true;
                }
            }
            for (Read read : reads) {
                if (read.seenBy(host)) {
                    return true;
                }
            }
            return false;
        }

        private boolean sameAs(Accesses other) {
            return same(writes, other.writes, MemoryWrite::sameAs)
                    && Set.copyOf(reads).equals(Set.copyOf(other.reads));
        }
    }

    private static <T> List<T> both(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
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
        copy.last = last.copy();
        copy.hidden = hidden.isEmpty()
                ? List.of()
                : hidden.stream()
                        .map(each -> new Hidden(each.write.copy(), each.since))
                        .toList();
        copy.group = group;
        copy.before = before.copy();
        copy.bound = bound;
        copy.layout = layout;
        copy.owner = owner;
        copy.released = released;
        return copy;
    }

    Accesses last() {
        return last;
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
        return before.writes.isEmpty() ? last.writes : both(last.writes, before.writes);
    }

    /** Returns the writes that a use must see, and the reads that a write must follow. */
    Accesses lastBefore(ResourceUse use) {
        return joins(use) ? before : last;
    }

    private boolean joins(ResourceUse use) {
        return group != null && use.access().writes() && group == use.overlapGroup();
    }

    boolean writtenBy(int queue, long sequence) {
        return last.writes.stream().anyMatch(write -> write.queue() == queue && write.sequence() == sequence);
    }

    /** Adds a write of a pass; it replaces those that it is ordered after. */
    void addWrite(MemoryWrite added, @Nullable Object overlapGroup) {
        boolean samePass = writtenBy(added.queue(), added.sequence());
        boolean joins = group != null && group == overlapGroup;
        if (!joins) {
            before = overlapGroup != null && !samePass ? last : Accesses.NONE;
            group = samePass ? null : overlapGroup;
            hidden = samePass ? hidden : List.of();
        }
        List<MemoryWrite> writes = new ArrayList<>(last.writes.size() + 1);
        for (MemoryWrite write : joins || samePass ? last.writes : List.<MemoryWrite>of()) {
            // Work that follows the newer one of a queue and its stages follows the older one, too.
            if (write.queue() != added.queue() || (write.stages() & ~added.stages()) != 0) {
                writes.add(write);
            }
        }
        writes.add(added);
        last = new Accesses(writes, joins ? last.reads : List.of());
    }

    /** Keeps the part of an alias that is about to be forgotten, for the writes that still join the group. */
    void keepBefore(Region alias) {
        if (group != null && !alias.quiet()) {
            before = before.with(alias.last.copy());
        }
    }

    /** Returns whether both belong to the same family, or are on the way between the same two. */
    boolean hasOwnerOf(Region other) {
        return owner == other.owner && Objects.equals(released, other.released);
    }

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
        before = Accesses.NONE;
    }

    void rewrite(MemoryWrite write) {
        forgetAccesses();
        last = new Accesses(List.of(write), List.of());
    }

    void addRead(int queue, int stages, long sequence, String pass) {
        endGroup();
        if (stages == 0) {
            return;
        }
        List<Read> more = new ArrayList<>(last.reads);
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            int stage = Integer.numberOfTrailingZeros(rest);
            more.removeIf(read -> read.queue == queue && read.stage == stage);
            more.add(new Read(queue, stage, sequence, pass));
        }
        last = new Accesses(last.writes, more);
    }

    void forgetAccesses() {
        last = Accesses.NONE;
        hidden = List.of();
        endGroup();
    }

    /**
     * Forgets the accesses that the host has seen complete.
     *
     * @param mapped whether the host could read what was written
     */
    void retire(HostView host, boolean mapped) {
        if (mapped) {
            hide(host);
        }
        last = last.pending(host);
        before = before.pending(host);
        if (last.writes.isEmpty()) {
            group = null;
        }
    }

    private void hide(HostView host) {
        for (MemoryWrite write : last.writes) {
            if (host.hasSeen(write) && !write.isShown(host.shown(), HostNeed.VISIBLE)) {
                hidden = both(hidden, List.of(new Hidden(write, host.waits())));
            }
        }
    }

    /** Returns whether the host may not read all that it has seen complete, given what is visible to it. */
    boolean hides(Shown known, Resource readAs) {
        return hidden.stream().anyMatch(each -> !each.isShown(known, readAs, Clock.HOST, HostNeed.VISIBLE));
    }

    /** Returns whether the host may not read all that was written when it has waited for everything. */
    boolean hidesAnything(Shown known, Resource readAs) {
        return hides(known, readAs)
                || last.writes.stream().anyMatch(write -> !write.isShown(known, readAs, Clock.HOST, HostNeed.VISIBLE));
    }

    /**
     * Returns the pass of an access of the device that the host has not seen complete, null if there is none. Reads by
     * the host do not count: no wait of another queue orders them, and the host knows them itself.
     */
    @Nullable
    String pendingPass(HostView host) {
        for (MemoryWrite write : last.writes) {
            if (!host.hasExecuted(write)) {
                return write.pass();
            }
        }
        for (Read read : last.reads) {
            if (!read.isByHost() && !read.seenBy(host)) {
                return read.pass;
            }
        }
        return null;
    }

    /** Returns whether both are equal in the parts that they share, given what the host has seen. */
    boolean sameAbove(HostView host, Region other) {
        return group == other.group
                && defined == other.defined
                && bound == other.bound
                && layout == other.layout
                && hasOwnerOf(other)
                && last.pending(host).sameAs(other.last.pending(host))
                && before.pending(host).sameAs(other.before.pending(host))
                && same(hidden, other.hidden, Hidden::sameAs);
    }

    private static <T> boolean same(List<T> mine, List<T> theirs, BiPredicate<T, T> alike) {
        return mine.size() == theirs.size()
                && mine.stream().allMatch(one -> theirs.stream().anyMatch(other -> alike.test(one, other)));
    }

    boolean quiet() {
        return last.isEmpty();
    }

    boolean settled() {
        return last.isEmpty() && before.isEmpty();
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
                && bound == other.bound
                && layout == other.layout
                && hasOwnerOf(other)
                && same(hidden, other.hidden, Hidden::sameAs);
    }
}
