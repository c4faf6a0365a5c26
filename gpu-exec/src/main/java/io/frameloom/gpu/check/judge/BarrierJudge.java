package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.judge.HazardReport.Found;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Judges barriers (transitions write, layouts and owners must match) and lets them take effect.
 *
 * <p>The barriers of one command do not follow each other, with one exception: what a barrier of all memory makes
 * available is available to the transitions of the same command that wait for the same work. Nor does a release of a
 * buffer come before other barriers of the command on it.
 */
record BarrierJudge(ResourceTable resources, HostView host, HazardSink report) {
    /**
     * One barrier of a resource.
     *
     * @param seen what the host had seen before it began
     * @param global the barriers of all memory of the same command
     * @param half its half of an ownership transfer, or null for none
     */
    private record Step(
            Submitted at,
            HostView seen,
            BarrierScope scope,
            Set<BarrierScope> global,
            TrackedResource tracked,
            Resource resource,
            Region.@Nullable Release half,
            boolean changesLayout,
            boolean discards,
            String name) {
        boolean changesOwner() {
            return half != null && half.transfer().from() != half.transfer().to();
        }

        boolean releases() {
            return half != null
                    && changesOwner()
                    && at.family() == half.transfer().from();
        }

        boolean acquires() {
            return half != null
                    && changesOwner()
                    && at.family() == half.transfer().to();
        }

        boolean rewrites() {
            return changesOwner() || changesLayout;
        }

        /** Returns whether it is a transition that changes no owner. */
        boolean moves() {
            return changesLayout && !changesOwner();
        }

        String nextUser() {
            return at.nextUser(resource);
        }

        /**
         * Returns whether this acquires from a family a resource that another owner has released there: the engine that
         * made an imported resource, of which nothing is known, or has got it back and gives it again.
         */
        boolean acquiresForeign(Region region) {
            if (!acquires() || !tracked.isImported() || half == null) {
                return false;
            }
            Region.Release released = region.released;
            return released == null
                    ? region.owner == Region.UNKNOWN
                    : released.transfer().to() == half.transfer().from();
        }

        /** Returns whether a write through this resource, or one that shares its memory, is available to a rewrite. */
        boolean hasAvailable(MemoryWrite write, boolean aliased) {
            return (aliased ? scope.before().hasAvailable(write) : scope.hasAvailable(write))
                    || ((seen.hasExecuted(write) || scope.before().hasExecuted(write))
                            && global.stream().anyMatch(all -> all.makesAvailable(write)));
        }

        /** Makes writes available and visible that the barrier orders. */
        void applyTo(Region region, boolean aliased) {
            for (MemoryWrite write : region.allWrites()) {
                if (aliased) {
                    scope.applyToAlias(write, tracked.resource());
                } else {
                    scope.applyTo(write, tracked.resource());
                }
            }
            region.hidden().forEach(hidden -> hidden.write().madeShown(tracked.resource(), scope));
        }
    }

    void judge(Submitted at, BarrierBatch batch) {
        judge(at, batch, "", at.clocks().half(at.at(), host));
    }

    void judgeSplit(Submitted at, BarrierBatch batch, FirstHalf first) {
        judge(at, batch, "split ", first);
    }

    private void judge(Submitted at, BarrierBatch batch, String kind, FirstHalf first) {
        Function<BarrierBatch.Scope, BarrierScope> opener = scope -> first.open(scope, at.at());
        Map<BarrierBatch.Scope, BarrierScope> scopes = new HashMap<>();
        Set<BarrierScope> global = new LinkedHashSet<>();
        for (BarrierBatch.GlobalBarrier barrier : batch.globals()) {
            global.add(scopes.computeIfAbsent(barrier.scope(), opener));
        }
        for (BarrierBatch.TextureBarrier barrier : batch.textures()) {
            Step step = new Step(
                    at,
                    first.seen(),
                    scopes.computeIfAbsent(barrier.scope(), opener),
                    global,
                    resources.of(barrier.texture()),
                    barrier.texture(),
                    release(barrier.ownership(), barrier.oldLayout(), barrier.newLayout()),
                    barrier.oldLayout() != barrier.newLayout(),
                    barrier.oldLayout() == TextureLayout.UNDEFINED,
                    kind + Submitted.transitionOf(barrier));
            texture(step, barrier);
        }
        for (boolean releases : new boolean[] {false, true}) {
            for (BarrierBatch.BufferBarrier barrier : batch.buffers()) {
                if (releases == isRelease(at, barrier.ownership())) {
                    Step step = new Step(
                            at,
                            first.seen(),
                            scopes.computeIfAbsent(barrier.scope(), opener),
                            global,
                            resources.of(barrier.buffer()),
                            barrier.buffer(),
                            release(barrier.ownership(), TextureLayout.UNDEFINED, TextureLayout.UNDEFINED),
                            false,
                            false,
                            "ownership transfer of '" + barrier.buffer().name() + "'");
                    buffer(step, Box.bytes(barrier.offset(), barrier.bytes()));
                }
            }
        }
        scopes.values().forEach(at.clocks()::close);
        global.forEach(scope -> at.clocks().closeGlobal(scope, first.seen().waits()));
    }

    private static Region.@Nullable Release release(
            BarrierBatch.@Nullable OwnershipTransfer transfer, TextureLayout from, TextureLayout to) {
        return transfer == null ? null : new Region.Release(transfer, from, to);
    }

    private static boolean isRelease(Submitted at, BarrierBatch.@Nullable OwnershipTransfer transfer) {
        return transfer != null && transfer.from() != transfer.to() && at.family() == transfer.from();
    }

    private void texture(Step step, BarrierBatch.TextureBarrier barrier) {
        Box box = step.tracked.clip(Box.of(barrier.range()));
        if (box == null) {
            return;
        }
        String name = barrier.texture().name();
        if (step.tracked.isPresentationEngines()) {
            report.add(
                    Found.of(Hazard.Kind.NOT_ACQUIRED, barrier.texture(), step.nextUser()),
                    () -> PresentationJudge.notAcquired("the " + Submitted.transitionOf(barrier) + " rewrites it"));
        }
        for (Region region : step.tracked.select(box)) {
            // The owner that released it may have moved it as the acquire declares; the import names the layout before
            // or after.
            boolean moved =
                    step.acquiresForeign(region) && (region.released != null || region.layout == barrier.newLayout());
            if (!step.discards && !moved && region.layout != barrier.oldLayout()) {
                TextureLayout actual = region.layout;
                layout(
                        step,
                        () -> "a barrier of '" + name + "' " + region.box() + " expects layout " + barrier.oldLayout()
                                + ", but it is in " + actual + "; name that, or UNDEFINED to discard");
            }
            if (barrier.newLayout() == TextureLayout.UNDEFINED) {
                layout(
                        step,
                        () -> "a barrier moves '" + name + "' to layout UNDEFINED, which is none;"
                                + " name the layout of the next use");
            }
            owner(step, region);
            take(step, region);
            if (!step.releases()) {
                region.layout = barrier.newLayout();
            }
            if (step.discards) {
                region.defined = false;
            }
        }
        aliases(step, box);
    }

    private void buffer(Step step, Box bytes) {
        Box box = step.tracked.clip(bytes);
        if (box == null) {
            return;
        }
        for (Region region : step.tracked.select(box)) {
            owner(step, region);
            take(step, region);
        }
        aliases(step, box);
    }

    private void layout(Step step, Supplier<String> explanation) {
        report.add(Found.of(Hazard.Kind.WRONG_LAYOUT, step.resource, step.nextUser()), explanation);
    }

    /** Returns what is wrong with the family of a region, null if nothing is. */
    private static @Nullable String wrongOwner(Step step, Region region) {
        Region.Release half = step.half;
        Region.Release released = region.released;
        int family = step.at.family();
        if (half != null && step.releases()) {
            if (released != null) {
                return "releases it from family " + family + ", but it is released to family "
                        + released.transfer().to() + " and not acquired";
            }
            return region.belongsToAnotherThan(family)
                    ? "releases it from family " + family + ", but it belongs to family " + region.owner
                    : null;
        }
        if (half != null && step.acquires()) {
            if (step.acquiresForeign(region)) {
                return null;
            }
            if (released == null || !half.transfer().equals(released.transfer())) {
                return "acquires it from family " + half.transfer().from() + ", which has not released it";
            }
            return released.equals(half)
                    ? null
                    : "acquires it from " + half.from() + " to " + half.to() + ", but it was released from "
                            + released.from() + " to " + released.to();
        }
        if (half != null && step.changesOwner()) {
            return "transfers it between families " + half.transfer().from() + " and "
                    + half.transfer().to() + " on a queue of family " + family;
        }
        if (!step.discards && released != null) {
            return "uses it although it is released to family "
                    + released.transfer().to() + " and not acquired";
        }
        return !step.discards && region.belongsToAnotherThan(family)
                ? "uses it on a queue of family " + family + ", but it belongs to family " + region.owner
                : null;
    }

    private void owner(Step step, Region region) {
        String wrong = wrongOwner(step, region);
        if (wrong != null) {
            report.add(
                    Found.of(Hazard.Kind.WRONG_OWNER, step.resource, step.nextUser()),
                    () -> "a barrier of '" + step.resource.name() + "' on queue '"
                            + step.at.record().queue().name() + "' " + wrong + "; release on the source queue and"
                            + " acquire on the destination queue, with equal ranges and layouts");
        }
        if (step.releases()) {
            region.released = step.half;
        } else if (step.half != null && step.acquires()) {
            region.released = null;
            region.owner = step.half.transfer().to();
        } else if (step.discards) {
            region.discardedBy(step.at.family());
        }
        if (step.resource.isClosed()) {
            report.add(
                    Found.of(Hazard.Kind.USE_AFTER_FREE, step.resource, step.nextUser()),
                    () -> "a barrier names '" + step.resource.name() + "', which was closed before the submission");
        }
    }

    /** Checks the accesses that the barrier itself overwrites, and makes writes available and visible. */
    private void take(Step step, Region region) {
        if (!step.rewrites()) {
            step.applyTo(region, false);
            return;
        }
        conflicts(step, region, null);
        Submitted at = step.at;
        MemoryWrite write = step.moves()
                ? MemoryWrite.ofTransition(at.queue(), at.at(), step.name)
                : new MemoryWrite(at.queue(), 1 << Scopes.TRANSITION, at.at(), step.name);
        write.madeAvailable(at.queue(), at.at(), step.scope.destinationExecution());
        write.madeVisible(step.tracked.resource(), step.scope);
        region.rewrite(write);
    }

    private void aliases(Step step, Box box) {
        for (TrackedResource other : resources.aliasesOf(step.tracked)) {
            for (Region region : other.selectAliased(step.tracked, box)) {
                if (step.rewrites()) {
                    conflicts(step, region, other.resource());
                    region.lostContents();
                }
                if (step.rewrites() && other.coveredBy(region, step.tracked, box)) {
                    region.forgetAccesses();
                } else {
                    step.applyTo(region, true);
                }
            }
        }
    }

    /** Checks a rewrite against earlier accesses; {@code alias} is null for the resource itself. */
    private void conflicts(Step step, Region region, @Nullable Resource alias) {
        Submitted at = step.at;
        String name = Submitted.nameOf(step.resource, alias);
        for (MemoryWrite write : region.last().writes()) {
            if (step.seen.hasSeen(write)
                    || (step.moves() && write.precedesTransition(at.queue(), step.scope.at()))
                    || step.hasAvailable(write, alias != null)
                    || (step.acquires() && (step.seen.hasExecuted(write) || orderedForAcquire(step, write)))) {
                continue;
            }
            report.add(
                    Found.of(Hazard.Kind.WRITE_AFTER_WRITE, step.resource, write.pass(), step.nextUser()),
                    () -> "the " + step.name + " rewrites '" + name + "' without waiting for the write of '"
                            + write.pass()
                            + "' on queue " + write.queue()
                            + (alias == null
                                    ? "; extend its source scope to "
                                    : "; extend the source scopes of it and of a barrier of all memory beside it to ")
                            + PipelineStage.describe(write.stages()) + " / "
                            + MemoryAccess.describe(Scopes.writeOf(Integer.numberOfTrailingZeros(write.stages())))
                            + (write.queue() == at.queue() ? "" : ", after a wait for that queue"));
        }
        for (Region.Read read : region.last().reads()) {
            if (!read.seenBy(step.seen) && !read.isBefore(step.scope.before().executed())) {
                report.add(
                        Found.of(Hazard.Kind.WRITE_AFTER_READ, step.resource, read.pass(), step.nextUser()),
                        () -> "the " + step.name + " rewrites '" + name + "' while pass '" + read.pass() + "' on queue "
                                + read.queue() + " may still read it; "
                                + (read.isByHost()
                                        ? Region.Read.UNSEEN
                                        : "extend its source scope to "
                                                + PipelineStage.describe(1 << read.stage())
                                                + (read.queue() == at.queue() ? "" : ", after a wait for that queue")));
            }
        }
    }

    /** The source scope of an acquire is ignored: its destination stages must follow the release. */
    private static boolean orderedForAcquire(Step step, MemoryWrite release) {
        int stages = step.scope.destinationStages() & ~(1 << Scopes.TRANSITION);
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            if (!step.at.clocks().past(Integer.numberOfTrailingZeros(rest)).hasExecuted(release)) {
                return false;
            }
        }
        return stages != 0;
    }
}
