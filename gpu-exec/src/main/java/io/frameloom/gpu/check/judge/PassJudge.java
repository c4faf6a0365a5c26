package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.judge.HazardReport.Found;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges the declared uses of passes: first all against earlier accesses, then they become history. After a barrier
 * inside of a pass all its uses come again, since it is unknown which commands are on which side. So the barrier orders
 * nothing that the pass shares with others.
 */
record PassJudge(ResourceTable resources, HostView host, HostJudge hosts, HazardSink report) {
    void judge(Submitted at, SubmissionRecord.Pass pass) {
        if (!pass.continued()) {
            LocalReads.check(at, pass, report);
        }
        for (ResourceUse use : pass.uses()) {
            check(at, pass, use);
        }
        for (ResourceUse use : pass.uses()) {
            if (use.access().writes() && use.access() != Access.HOST_WRITE) {
                noteWrite(at, pass.name(), use);
            }
        }
        for (ResourceUse use : pass.uses()) {
            if (use.access() == Access.HOST_WRITE) {
                noteWrite(at, pass.name(), use);
            }
        }
        for (ResourceUse use : pass.uses()) {
            if (!use.access().writes()) {
                noteRead(at, pass.name(), use);
            }
        }
    }

    private void check(Submitted at, SubmissionRecord.Pass of, ResourceUse use) {
        String pass = of.name();
        String name = use.resource().name();
        checkOpen(pass, use);
        TrackedResource tracked = resources.of(use.resource());
        if (tracked.isPresentationEngines()) {
            report.add(
                    Found.of(Hazard.Kind.NOT_ACQUIRED, use.resource(), pass),
                    () -> PresentationJudge.notAcquired("pass '" + pass + "' uses '" + name + "' as " + use.access()));
        }
        hosts.requireNotOpen(pass, use);
        Box box = tracked.clip(Box.of(use));
        if (box == null) {
            return;
        }
        // It finds what the pass itself has written, not what was there before.
        boolean local = LocalReads.writerOf(of, use) != null;
        List<Box> filled = filled(of, use, tracked, box);
        for (Region region : tracked.select(box)) {
            if (!local) {
                checkAccesses(at, pass, use, tracked, region, null);
                checkContents(at, pass, use, region, filled);
            }
            checkState(at, pass, use, region, name);
        }
        if (!local) {
            checkAliases(at, pass, use, tracked, box);
        }
    }

    private void checkOpen(String pass, ResourceUse use) {
        String name = use.resource().name();
        if (use.resource().isClosed()) {
            report.add(
                    Found.of(Hazard.Kind.USE_AFTER_FREE, use.resource(), pass),
                    () -> "pass '" + pass + "' uses '" + name + "' as " + use.access()
                            + ", but it was closed before the submission; close it after its last submission"
                            + " completed");
        }
    }

    private void checkAliases(Submitted at, String pass, ResourceUse use, TrackedResource tracked, Box box) {
        for (TrackedResource other : resources.aliasesOf(tracked)) {
            for (Region region : other.selectAliased(tracked, box)) {
                checkAccesses(at, pass, use, tracked, region, other.resource());
            }
        }
    }

    /** Judges a read of something that the pass does not declare; then it becomes history, but for ownership. */
    void judgeUndeclared(Submitted at, String pass, ResourceUse read) {
        checkOpen(pass, read);
        checkUndeclared(at, pass, read);
        TrackedResource tracked = resources.of(read.resource());
        Box box = tracked.clip(Box.of(read));
        if (box != null) {
            tracked.select(box)
                    .forEach(region -> region.addRead(at.queue(), read.access().stages(), at.at(), pass));
        }
    }

    /** Judges a read of something that the pass does not declare, whose contents are unknown for that reason. */
    void checkUndeclared(Submitted at, String pass, ResourceUse read) {
        TrackedResource tracked = resources.of(read.resource());
        Box box = tracked.clip(Box.of(read));
        if (box == null) {
            return;
        }
        for (Region region : tracked.select(box)) {
            checkAccesses(at, pass, read, tracked, region, null);
            checkState(at, pass, read, region, read.resource().name());
        }
        checkAliases(at, pass, read, tracked, box);
    }

    /** Returns the part of a box without contents that the pass itself fills and reads; regions are cut there. */
    private List<Box> filled(SubmissionRecord.Pass pass, ResourceUse use, TrackedResource tracked, Box box) {
        if (!use.access().reads()
                || use.discard()
                || tracked.select(box).stream().allMatch(region -> region.defined)) {
            return List.of();
        }
        List<Box> filled = new ArrayList<>();
        for (ResourceUse other : pass.uses()) {
            boolean fills = other.access().writes()
                    && (other.discard() || !other.access().reads());
            Box written = fills && resources.of(other.resource()) == tracked ? tracked.clip(Box.of(other)) : null;
            fill(filled, tracked, written, box);
        }
        for (SubmissionRecord.Cleared cleared : pass.cleared()) {
            if (resources.of(cleared.texture()) == tracked) {
                fill(filled, tracked, Box.of(cleared.range()), box);
            }
        }
        return filled;
    }

    private static void fill(List<Box> filled, TrackedResource tracked, @Nullable Box written, Box box) {
        Box common = written == null ? null : written.intersection(box);
        if (common != null) {
            tracked.select(common);
            filled.add(common);
        }
    }

    /** Checks a use against earlier accesses; {@code alias} is null for the resource itself. */
    private void checkAccesses(
            Submitted at, String pass, ResourceUse use, TrackedResource used, Region region, @Nullable Resource alias) {
        String name = Submitted.nameOf(use.resource(), alias);
        Region.Accesses earlier = alias == null ? region.lastBefore(use) : region.last();
        for (MemoryWrite write : earlier.writes()) {
            if (!sees(at, use, used, write)) {
                Hazard.Kind kind = use.access().reads() ? Hazard.Kind.READ_AFTER_WRITE : Hazard.Kind.WRITE_AFTER_WRITE;
                report.add(
                        Found.of(kind, use.resource(), write.pass(), pass), () -> unseen(at, pass, use, write, alias));
            }
        }
        HostNeed need = HostNeed.of(use);
        if (need != null) {
            for (Region.Hidden hidden : alias == null ? region.hiddenFrom(use) : region.hidden()) {
                MemoryWrite write = hidden.write();
                if (!hidden.isShown(host.shown(), used.resource(), queueBefore(at, use), need)
                        && (use.access().writes()
                                || !hidden.isShown(at.clocks().shown(), used.resource(), at.queue(), need))) {
                    report.add(
                            Found.of(HostJudge.afterWrite(use), use.resource(), write.pass(), pass),
                            () -> unseen(at, pass, use, write, alias));
                }
            }
        }
        if (!use.access().writes()) {
            return;
        }
        for (Region.Read read : earlier.reads()) {
            if (!follows(at, use.access(), read)) {
                report.add(
                        Found.of(Hazard.Kind.WRITE_AFTER_READ, use.resource(), read.pass(), pass),
                        () -> "pass '" + pass + "' writes '" + name + "' as " + use.access() + " on queue '"
                                + at.record().queue().name() + "' while pass '" + read.pass() + "' on queue "
                                + read.queue() + " may still read it in " + stage(read.stage())
                                + (read.isByHost()
                                        ? "; " + Region.Read.UNSEEN
                                        : "; no barrier or wait orders them: add one from " + stage(read.stage())
                                                + " to "
                                                + PipelineStage.describe(
                                                        use.access().stages())));
            }
        }
    }

    private boolean sees(Submitted at, ResourceUse use, TrackedResource used, MemoryWrite write) {
        if (at.isOwn(write.queue(), write.stages(), write.sequence())) {
            return true;
        }
        Access access = use.access();
        HostNeed need = HostNeed.of(use);
        if (need != null) {
            return (access == Access.HOST_READ || host.hasSeen(write)) && isShown(at, use, used, write, need);
        }
        if (host.hasSeen(write)) {
            return true;
        }
        if (access.stages() == 0) {
            // A presentation follows a signal, which follows all of its queue and what that has waited for.
            return write.queue() == at.queue() || at.clocks().waitedFor(write);
        }
        int writes = MemoryAccess.writesOf(access.memoryAccess());
        return (!access.writes() || write.availableTo(at.clocks(), access.stages()))
                && write.visibleTo(at.clocks(), used.resource(), access.stages(), access.memoryAccess() & ~writes);
    }

    /** The host reads when the queue has finished later work, and has written before the submission. */
    private boolean isShown(Submitted at, ResourceUse use, TrackedResource used, MemoryWrite write, HostNeed need) {
        return write.isShown(host.shown(), used.resource(), queueBefore(at, use), need)
                || (!use.access().writes() && write.isShown(at.clocks().shown(), used.resource(), at.queue(), need));
    }

    private static int queueBefore(Submitted at, ResourceUse use) {
        return use.access().writes() ? Clock.HOST : at.queue();
    }

    private boolean follows(Submitted at, Access access, Region.Read read) {
        if (at.isOwn(read.queue(), 1 << read.stage(), read.sequence())) {
            return true;
        }
        if (read.seenBy(host)) {
            return true;
        }
        if (access == Access.HOST_WRITE || read.isByHost()) {
            return false;
        }
        return ordered(at, access.stages(), 1 << read.stage(), read.queue(), read.sequence());
    }

    private static boolean ordered(Submitted at, int stages, int earlierStages, int queue, long sequence) {
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            int stage = Integer.numberOfTrailingZeros(rest);
            if (!at.clocks().past(stage).executed().covers(queue, earlierStages, sequence)) {
                return false;
            }
        }
        return true;
    }

    private String unseen(Submitted at, String pass, ResourceUse use, MemoryWrite write, @Nullable Resource alias) {
        Access access = use.access();
        String name = Submitted.nameOf(use.resource(), alias);
        String what = "pass '" + pass + "' uses '" + name + "' as " + access + " on queue '"
                + at.record().queue().name() + "', written before by '" + write.pass() + "' on queue " + write.queue();
        if (access == Access.HOST_WRITE && !host.hasSeen(write)) {
            return what + ", but the host has not waited for that; wait for its timeline value before writing";
        }
        if (access.stages() == 0) {
            return what + ", which its queue has not waited for; add a timeline wait";
        }
        HostNeed need = HostNeed.of(use);
        if (need != null) {
            return what + need.missing(write.stages());
        }
        String mend = " from " + Scopes.describe(write.stages()) + " to " + PipelineStage.describe(access.stages())
                + " / " + MemoryAccess.describe(access.memoryAccess());
        if (!host.hasExecuted(write)
                && !ordered(at, access.stages(), write.stages(), write.queue(), write.sequence())
                && !write.availableTo(at.clocks(), access.stages())) {
            boolean sameQueue = write.queue() == at.queue();
            return what + ", but nothing orders the two; add a " + (sameQueue ? "barrier" : "timeline wait or barrier")
                    + (alias == null ? "" : " of all memory") + mend;
        }
        String ordered = what + "; the two are ordered, but the write is not made available"
                + (access.reads() ? " and visible: " : ": ");
        return alias == null
                ? ordered + "extend the barrier's accesses" + mend
                : ordered
                        + "a barrier of one resource does not reach what is written through another, so use one of all"
                        + " memory" + mend;
    }

    private void checkContents(Submitted at, String pass, ResourceUse use, Region region, List<Box> filled) {
        Access access = use.access();
        String name = use.resource().name();
        // A pass's own accesses, to aliases included, take nothing from it.
        if (access.reads()
                && !use.discard()
                && !region.defined
                && !use.resource().isShared()
                && !at.continues()
                && filled.stream().noneMatch(box -> box.contains(region.box()))) {
            report.add(
                    Found.of(Hazard.Kind.UNDEFINED_CONTENTS, use.resource(), pass),
                    () -> "pass '" + pass + "' reads '" + name + "' " + region.box() + " as " + access
                            + ", but nothing has written it since it was created, discarded or aliased");
        }
    }

    private void checkState(Submitted at, String pass, ResourceUse use, Region region, String name) {
        if (!resources.of(use.resource()).sharedWith(at.family())) {
            report.add(
                    Found.of(Hazard.Kind.WRONG_OWNER, use.resource(), pass),
                    () -> "pass '" + pass + "' uses '" + name + "' on queue family " + at.family()
                            + ", but it is shared by families "
                            + use.resource().sharedFamilies() + "; record it on a queue of those");
        }
        boolean foreign = !isOnHost(use) && region.belongsToAnotherThan(at.family());
        if (!use.discard() && (region.released != null || foreign)) {
            report.add(
                    Found.of(Hazard.Kind.WRONG_OWNER, use.resource(), pass),
                    () -> "pass '" + pass + "' uses '" + name + "' on queue family " + at.family() + ", but it "
                            + (region.released != null
                                    ? "is released from family "
                                            + region.released.transfer().from() + " to "
                                            + region.released.transfer().to() + " and not acquired"
                                    : "belongs to family " + region.owner)
                            + "; add the missing half of the ownership transfer");
        }
        if (!region.bound) {
            report.add(
                    Found.of(Hazard.Kind.NOT_RESIDENT, use.resource(), pass),
                    () -> "pass '" + pass + "' uses '" + name + "' " + region.box() + " as " + use.access()
                            + ", which has no memory there; bind these levels before, or leave them out of the use");
        }
        if (use instanceof ResourceUse.OfTexture texture) {
            checkLayout(at, pass, texture, region, name);
        }
    }

    private void checkLayout(Submitted at, String pass, ResourceUse.OfTexture use, Region region, String name) {
        if (at.continues() && region.layout == TextureLayout.UNDEFINED) {
            return;
        }
        if (region.layout != use.layout()) {
            report.add(
                    Found.of(Hazard.Kind.WRONG_LAYOUT, use.resource(), pass),
                    () -> "pass '" + pass + "' uses '" + name + "' " + region.box() + " in layout " + use.layout()
                            + ", but it is in " + region.layout
                            + (at.continues()
                                    ? " after a barrier inside of the pass; end the pass before the transition"
                                    : "; add a transition"));
        } else if (!suits(use.access(), use.layout())) {
            report.add(
                    Found.of(Hazard.Kind.WRONG_LAYOUT, use.resource(), pass),
                    () -> "pass '" + pass + "' uses '" + name + "' as " + use.access() + " in layout " + use.layout()
                            + ", which does not allow it; use " + use.access().layout());
        }
    }

    private static boolean suits(Access access, TextureLayout layout) {
        if (layout == access.layout()) {
            return layout != TextureLayout.UNDEFINED;
        }
        return switch (access) {
            case SAMPLED_FRAGMENT, SAMPLED_VERTEX, SAMPLED_COMPUTE, SAMPLED_RAYS ->
                layout == TextureLayout.GENERAL || layout == TextureLayout.DEPTH_RO;
            case DEPTH_READ, STENCIL_READ ->
                layout == TextureLayout.GENERAL || layout == TextureLayout.DEPTH || layout == TextureLayout.LOCAL_READ;
            case COLOR_WRITE,
                    COLOR_READ_WRITE,
                    DEPTH_WRITE,
                    DEPTH_READ_WRITE,
                    STENCIL_WRITE,
                    STENCIL_READ_WRITE,
                    DEPTH_RESOLVE_SRC -> layout == TextureLayout.GENERAL || layout == TextureLayout.LOCAL_READ;
            case PRESENT, INPUT_ATTACHMENT -> false;
            default -> layout == TextureLayout.GENERAL && access.layout() != TextureLayout.UNDEFINED;
        };
    }

    private void noteWrite(Submitted at, String pass, ResourceUse use) {
        TrackedResource tracked = resources.of(use.resource());
        Box box = tracked.clip(Box.of(use));
        if (box == null) {
            return;
        }
        List<Region> regions = tracked.select(box);
        // What was before a group, or was written by another use of this pass, may differ from part to part.
        if (use.overlapGroup() == null && regions.stream().noneMatch(region -> region.writtenBy(at.queue(), at.at()))) {
            regions = tracked.unite(box, regions);
        }
        for (Region region : regions) {
            if (use.access() != Access.HOST_WRITE) {
                region.addWrite(new MemoryWrite(at.queue(), use.access().stages(), at.at(), pass), use.overlapGroup());
            } else if (!region.writtenBy(at.queue(), at.at())) {
                region.forgetAccesses();
            } else {
                region.endGroup();
            }
            region.defined = true;
            noteState(at, use, region);
        }
        for (TrackedResource other : resources.aliasesOf(tracked)) {
            for (Region aliased : other.selectAliased(tracked, box)) {
                if (other.coveredBy(aliased, tracked, box) && !aliased.writtenBy(at.queue(), at.at())) {
                    for (Region region : regions) {
                        if (tracked.sharesMemory(region, other, aliased)) {
                            region.keepBefore(aliased);
                        }
                    }
                    aliased.forgetAccesses();
                }
                aliased.lostContents();
            }
        }
    }

    private void noteRead(Submitted at, String pass, ResourceUse use) {
        TrackedResource tracked = resources.of(use.resource());
        Box box = tracked.clip(Box.of(use));
        if (box == null) {
            return;
        }
        for (Region region : tracked.select(box)) {
            region.addRead(at.queue(), use.access().stages(), at.at(), pass);
            noteState(at, use, region);
        }
    }

    private static void noteState(Submitted at, ResourceUse use, Region region) {
        if (use instanceof ResourceUse.OfTexture texture) {
            region.layout = texture.layout();
        }
        region.owner = region.owner == Region.UNKNOWN ? Region.SHARED : region.owner;
        if (isOnHost(use)) {
            return;
        }
        if (use.discard()) {
            region.discardedBy(at.family());
        } else if (region.released != null || region.owner == Region.NO_FAMILY) {
            region.released = null;
            region.owner = at.family();
        }
    }

    /** Returns whether the host uses it, which is of no queue family. */
    private static boolean isOnHost(ResourceUse use) {
        return use.access() == Access.HOST_READ || use.access() == Access.HOST_WRITE;
    }

    private static String stage(int stage) {
        return Scopes.describe(1 << stage);
    }
}
