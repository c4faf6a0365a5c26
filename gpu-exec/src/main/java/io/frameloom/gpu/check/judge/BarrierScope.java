package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.device.StageScopes;
import io.frameloom.gpu.resource.Resource;

/**
 * One barrier at one place of a queue, or a split one at two: its scopes, and what its source half is known to follow.
 *
 * @param at the sequence number on its queue at which the first scope ends
 * @param end the sequence number at which the second scope begins; later than {@code at} if the barrier is split
 * @param before what has executed before the second scope, and the writes that were available before, with that
 *     operation in the first scope
 */
record BarrierScope(int queue, long at, long end, BarrierBatch.Scope scope, Past before) {
    int destinationStages() {
        return StageScopes.namedDestination(scope.dstStages());
    }

    int destinationAccess() {
        return Scopes.accesses(scope.dstAccess());
    }

    int destinationExecution() {
        return StageScopes.destination(scope.dstStages());
    }

    /** Returns whether the first access scope covers the writes of a stage of the same queue. */
    boolean makesAvailable(int stage) {
        int write = Scopes.writeOf(stage);
        return (StageScopes.namedSource(scope.srcStages()) & (1 << stage)) != 0
                && (Scopes.accesses(scope.srcAccess()) & write) == write;
    }

    /**
     * Returns whether a write through the barrier's resource is available to later work, by the barrier or from before.
     */
    boolean hasAvailable(MemoryWrite write) {
        return makesAvailable(write) || before.hasAvailable(write);
    }

    /**
     * Returns whether the first access scope covers a write, if it is through the barrier's resource. The writes of the
     * same command come no earlier.
     */
    boolean makesAvailable(MemoryWrite write) {
        if (write.queue() != queue || write.sequence() >= at) {
            return false;
        }
        for (int rest = write.stages(); rest != 0; rest &= rest - 1) {
            if (!makesAvailable(Integer.numberOfTrailingZeros(rest))) {
                return false;
            }
        }
        return true;
    }

    void applyTo(MemoryWrite write, Resource named) {
        if (makesAvailable(write)) {
            write.madeAvailable(queue, end, destinationExecution());
        } else if (!before.hasAvailable(write)) {
            return;
        }
        write.madeVisible(named, this);
    }

    /** Applies the barrier to a write through a resource that shares memory with the one that it names. */
    void applyToAlias(MemoryWrite write, Resource named) {
        if (before.hasAvailable(write)) {
            write.madeVisible(named, this);
        }
    }
}
