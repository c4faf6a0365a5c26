package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.Hazard;
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
final class BarrierJudge {
    private final ResourceTable resources;
    private final HostView host;
    private final HazardSink report;

    BarrierJudge(ResourceTable resources, HostView host, HazardSink report) {
        this.resources = resources;
        this.host = host;
        this.report = report;
    }

    /**
     * One barrier of a resource. {@code through} is the resource that represents all imports of its object, {@code
     * seen} is what the host had seen before it began, and it {@code moves} if it changes the layout and not the owner.
     */
    private record Step(
            Resource resource,
            Resource through,
            boolean imported,
            HostView seen,
            BarrierScope scope,
            boolean discards,
            boolean rewrites,
            boolean releases,
            boolean acquires,
            boolean moves,
            String name,
            Set<BarrierScope> global) {

        /**
         * Returns whether this acquires from a family a resource that another owner has released there: the engine that
         * made an imported resource, of which nothing is known, or has got it back and gives it again.
         */
        boolean acquiresForeign(Region region, BarrierBatch.@Nullable OwnershipTransfer transfer) {
            if (!acquires || !imported || transfer == null) {
                return false;
            }
            Region.Release released = region.released;
            return released == null
                    ? region.owner == Region.UNKNOWN
                    : released.transfer().to() == transfer.from();
        }

        /**
         * Returns whether a write through this resource, or one that shares its memory, is available to a rewrite. It
         * may be known to be executed.
         */
        boolean hasAvailable(MemoryWrite write, boolean executed, boolean aliased) {
            return (aliased ? scope.wasAvailable(write) : scope.hasAvailable(write))
                    || ((executed || scope.follows(write))
                            && global.stream().anyMatch(all -> all.makesAvailable(write)));
        }
    }

    void judge(Submitted at, BarrierBatch batch) {
        judge(at, batch, "", host, scope -> at.clocks().open(scope, at.at()));
    }

    /** Judges the second half of a split barrier. */
    void judgeSplit(Submitted at, BarrierBatch batch, SetEvents.Half first) {
        judge(at, batch, "split ", first.seen(), scope -> first.source().open(scope, at.at()));
    }

    private void judge(
            Submitted at,
            BarrierBatch batch,
            String kind,
            HostView seen,
            Function<BarrierBatch.Scope, BarrierScope> opener) {
        Map<BarrierBatch.Scope, BarrierScope> scopes = new HashMap<>();
        Set<BarrierScope> global = new LinkedHashSet<>();
        for (BarrierBatch.GlobalBarrier barrier : batch.globals()) {
            global.add(scopes.computeIfAbsent(barrier.scope(), opener));
        }
        for (BarrierBatch.TextureBarrier barrier : batch.textures()) {
            BarrierScope scope = scopes.computeIfAbsent(barrier.scope(), opener);
            texture(at, kind, seen, barrier, scope, global);
        }
        for (boolean releases : new boolean[] {false, true}) {
            for (BarrierBatch.BufferBarrier barrier : batch.buffers()) {
                if (releases == isRelease(at, barrier.ownership())) {
                    buffer(at, seen, barrier, scopes.computeIfAbsent(barrier.scope(), opener), global);
                }
            }
        }
        scopes.values().forEach(at.clocks()::close);
        global.forEach(scope -> at.clocks().closeGlobal(scope, seen.waits()));
    }

    private void texture(
            Submitted at,
            String kind,
            HostView seen,
            BarrierBatch.TextureBarrier barrier,
            BarrierScope scope,
            Set<BarrierScope> global) {
        TrackedResource tracked = resources.of(barrier.texture());
        Box box = tracked.clip(Box.of(barrier.range()));
        if (box == null) {
            return;
        }
        String name = barrier.texture().name();
        if (tracked.isPresentationEngines()) {
            report.add(
                    Hazard.Kind.NOT_ACQUIRED,
                    barrier.texture(),
                    "",
                    at.nextUser(barrier.texture()),
                    () -> PresentationJudge.notAcquired("the " + Submitted.transitionOf(barrier) + " rewrites it"));
        }
        boolean discards = barrier.oldLayout() == TextureLayout.UNDEFINED;
        BarrierBatch.OwnershipTransfer transfer = barrier.ownership();
        Step step = new Step(
                barrier.texture(),
                tracked.resource(),
                tracked.isImported(),
                seen,
                scope,
                discards,
                changesOwner(transfer) || barrier.oldLayout() != barrier.newLayout(),
                isRelease(at, transfer),
                transfer != null && changesOwner(transfer) && at.family() == transfer.to(),
                !changesOwner(transfer) && barrier.oldLayout() != barrier.newLayout(),
                kind + Submitted.transitionOf(barrier),
                global);
        for (Region region : tracked.select(box)) {
            // The owner that released it may have moved it as the acquire declares; the import names the layout before
            // or after.
            boolean moved = step.acquiresForeign(region, transfer)
                    && (region.released != null || region.layout == barrier.newLayout());
            if (!discards && !moved && region.layout != barrier.oldLayout()) {
                TextureLayout actual = region.layout;
                layout(
                        at,
                        step,
                        () -> "a barrier of '" + name + "' " + region.box() + " expects layout " + barrier.oldLayout()
                                + ", but it is in " + actual + "; name that, or UNDEFINED to discard");
            }
            if (barrier.newLayout() == TextureLayout.UNDEFINED) {
                layout(
                        at,
                        step,
                        () -> "a barrier moves '" + name + "' to layout UNDEFINED, which is none;"
                                + " name the layout of the next use");
            }
            owner(at, step, release(transfer, barrier.oldLayout(), barrier.newLayout()), region);
            take(at, step, region);
            if (!step.releases) {
                region.layout = barrier.newLayout();
            }
            if (discards) {
                region.defined = false;
            }
        }
        aliases(at, step, tracked, box);
    }

    private void buffer(
            Submitted at,
            HostView seen,
            BarrierBatch.BufferBarrier barrier,
            BarrierScope scope,
            Set<BarrierScope> global) {
        TrackedResource tracked = resources.of(barrier.buffer());
        Box box = tracked.clip(Box.bytes(barrier.offset(), barrier.bytes()));
        if (box == null) {
            return;
        }
        BarrierBatch.OwnershipTransfer transfer = barrier.ownership();
        Step step = new Step(
                barrier.buffer(),
                tracked.resource(),
                tracked.isImported(),
                seen,
                scope,
                false,
                changesOwner(transfer),
                isRelease(at, transfer),
                transfer != null && changesOwner(transfer) && at.family() == transfer.to(),
                false,
                "ownership transfer of '" + barrier.buffer().name() + "'",
                global);
        for (Region region : tracked.select(box)) {
            owner(at, step, release(transfer, TextureLayout.UNDEFINED, TextureLayout.UNDEFINED), region);
            take(at, step, region);
        }
        aliases(at, step, tracked, box);
    }

    private static Region.@Nullable Release release(
            BarrierBatch.@Nullable OwnershipTransfer transfer, TextureLayout from, TextureLayout to) {
        return transfer == null ? null : new Region.Release(transfer, from, to);
    }

    private static boolean changesOwner(BarrierBatch.@Nullable OwnershipTransfer transfer) {
        return transfer != null && transfer.from() != transfer.to();
    }

    private static boolean isRelease(Submitted at, BarrierBatch.@Nullable OwnershipTransfer transfer) {
        return transfer != null && changesOwner(transfer) && at.family() == transfer.from();
    }

    private void layout(Submitted at, Step step, Supplier<String> explanation) {
        report.add(Hazard.Kind.WRONG_LAYOUT, step.resource, "", at.nextUser(step.resource), explanation);
    }

    private void owner(Submitted at, Step step, Region.@Nullable Release half, Region region) {
        String wrong = null;
        BarrierBatch.OwnershipTransfer transfer = half == null ? null : half.transfer();
        Region.Release released = region.released;
        if (half != null && transfer != null && (step.releases || step.acquires)) {
            if (step.acquiresForeign(region, transfer)) {
                wrong = null;
            } else if (step.acquires && (released == null || !transfer.equals(released.transfer()))) {
                wrong = "acquires it from family " + transfer.from() + ", which has not released it";
            } else if (step.acquires && released != null && !released.equals(half)) {
                wrong = "acquires it from " + half.from() + " to " + half.to() + ", but it was released from "
                        + released.from() + " to " + released.to();
            } else if (step.releases && released != null) {
                wrong = "releases it from family " + transfer.from() + ", but it is released to family "
                        + released.transfer().to() + " and not acquired";
            } else if (step.releases && region.belongsToAnotherThan(transfer.from())) {
                wrong = "releases it from family " + transfer.from() + ", but it belongs to family " + region.owner;
            }
        } else if (transfer != null && transfer.from() != transfer.to()) {
            wrong = "transfers it between families " + transfer.from() + " and " + transfer.to()
                    + " on a queue of family " + at.family();
        } else if (!step.discards && released != null) {
            wrong = "uses it although it is released to family "
                    + released.transfer().to() + " and not acquired";
        } else if (!step.discards && region.belongsToAnotherThan(at.family())) {
            wrong = "uses it on a queue of family " + at.family() + ", but it belongs to family " + region.owner;
        }
        if (wrong != null) {
            String text = wrong;
            report.add(
                    Hazard.Kind.WRONG_OWNER,
                    step.resource,
                    "",
                    at.nextUser(step.resource),
                    () -> "a barrier of '" + step.resource.name() + "' on queue '"
                            + at.record().queue().name() + "' " + text + "; release on the source queue and acquire on"
                            + " the destination queue, with equal ranges and layouts");
        }
        if (step.releases) {
            region.released = half;
        } else if (step.acquires && transfer != null) {
            region.released = null;
            region.owner = transfer.to();
        } else if (step.discards) {
            region.discardedBy(at.family());
        }
        if (step.resource.isClosed()) {
            report.add(
                    Hazard.Kind.USE_AFTER_FREE,
                    step.resource,
                    "",
                    at.nextUser(step.resource),
                    () -> "a barrier names '" + step.resource.name() + "', which was closed before the submission");
        }
    }

    /** Checks the accesses that the barrier itself overwrites, and makes writes available and visible. */
    private void take(Submitted at, Step step, Region region) {
        if (!step.rewrites) {
            region.allWrites().forEach(write -> step.scope.applyTo(write, step.through));
            region.hidden().forEach(hidden -> hidden.write().madeShown(step.through, step.scope));
            return;
        }
        conflicts(at, step, region, null);
        MemoryWrite write = step.moves
                ? MemoryWrite.ofTransition(at.queue(), at.at(), step.name)
                : new MemoryWrite(at.queue(), 1 << Scopes.TRANSITION, at.at(), step.name);
        write.madeAvailable(at.queue(), at.at(), step.scope.destinationExecution());
        write.madeVisible(step.through, step.scope);
        region.rewrite(write);
    }

    private void aliases(Submitted at, Step step, TrackedResource tracked, Box box) {
        for (TrackedResource other : resources.aliasesOf(tracked)) {
            for (Region region : other.selectAliased(tracked, box)) {
                if (step.rewrites) {
                    conflicts(at, step, region, other.resource());
                    region.lostContents();
                }
                if (step.rewrites && other.coveredBy(region, tracked, box)) {
                    region.forgetAccesses();
                } else {
                    region.allWrites().forEach(write -> step.scope.applyToAlias(write, step.through));
                    region.hidden().forEach(hidden -> hidden.write().madeShown(step.through, step.scope));
                }
            }
        }
    }

    /** Checks a rewrite against earlier accesses; {@code alias} is null for the resource itself. */
    private void conflicts(Submitted at, Step step, Region region, @Nullable Resource alias) {
        String name = Submitted.nameOf(step.resource, alias);
        for (MemoryWrite write : region.writes()) {
            if (step.seen.hasSeen(write)
                    || (step.moves && write.precedesTransition(at.queue(), step.scope.at()))
                    || step.hasAvailable(write, step.seen.hasExecuted(write), alias != null)
                    || (step.acquires && (step.seen.hasExecuted(write) || orderedForAcquire(at, step, write)))) {
                continue;
            }
            report.add(
                    Hazard.Kind.WRITE_AFTER_WRITE,
                    step.resource,
                    write.pass(),
                    at.nextUser(step.resource),
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
        for (Region.Read read : region.reads()) {
            if (!read.seenBy(step.seen) && !read.isBefore(step.scope.before())) {
                report.add(
                        Hazard.Kind.WRITE_AFTER_READ,
                        step.resource,
                        read.pass(),
                        at.nextUser(step.resource),
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
    private static boolean orderedForAcquire(Submitted at, Step step, MemoryWrite release) {
        int stages = step.scope.destinationStages() & ~(1 << Scopes.TRANSITION);
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            Clock before = at.clocks().ordered(Integer.numberOfTrailingZeros(rest));
            if (!before.covers(release.queue(), release.stages(), release.sequence())) {
                return false;
            }
        }
        return stages != 0;
    }
}
