package io.frameloom.gpu.check;

import io.frameloom.gpu.BarrierBatch;

/** One barrier at one place of a queue: its scopes, and what its source half is known to follow. */
final class BarrierScope {
    private final int queue;
    private final long at;
    private final Clock before;
    private final Clock availableBefore;
    private final int sourceStages;
    private final int sourceAccess;
    private final int destinationStages;
    private final int destinationAccess;
    private final int destinationExecution;

    BarrierScope(int queue, long at, BarrierBatch.Scope scope, Clock before, Clock availableBefore) {
        this.queue = queue;
        this.at = at;
        this.before = before;
        this.availableBefore = availableBefore;
        this.sourceStages = Scopes.namedSource(scope.srcStages());
        this.sourceAccess = Scopes.accesses(scope.srcAccess());
        this.destinationStages = Scopes.namedDestination(scope.dstStages());
        this.destinationAccess = Scopes.accesses(scope.dstAccess());
        this.destinationExecution = Scopes.destination(scope.dstStages());
    }

    int queue() {
        return queue;
    }

    /** Returns the sequence number of the barrier on its queue. */
    long at() {
        return at;
    }

    /** Returns what has executed before the second scope. */
    Clock before() {
        return before;
    }

    /** Returns the writes that were available before, with that operation in the first scope. */
    Clock availableBefore() {
        return availableBefore;
    }

    int destinationStages() {
        return destinationStages;
    }

    int destinationAccess() {
        return destinationAccess;
    }

    int destinationExecution() {
        return destinationExecution;
    }

    /** Returns whether the first access scope covers the writes of a stage of the same queue. */
    boolean makesAvailable(int stage) {
        int write = Scopes.writeOf(stage);
        return (sourceStages & (1 << stage)) != 0 && (sourceAccess & write) == write;
    }

    /** Returns whether a write is available to whatever follows the barrier, by this barrier or from before. */
    boolean hasAvailable(MemoryWrite write) {
        return makesAvailable(write)
                || availableBefore.covers(write.queue(), write.stages(), write.sequence())
                || write.availableBefore(before);
    }

    private boolean makesAvailable(MemoryWrite write) {
        if (write.queue() != queue) {
            return false;
        }
        for (int rest = write.stages(); rest != 0; rest &= rest - 1) {
            if (!makesAvailable(Integer.numberOfTrailingZeros(rest))) {
                return false;
            }
        }
        return true;
    }

    /** Applies the barrier to a write of the resource that it names. */
    void applyTo(MemoryWrite write) {
        if (makesAvailable(write)) {
            write.madeAvailable(queue, at, destinationExecution);
        } else if (!hasAvailable(write)) {
            return;
        }
        write.madeVisible(queue, destinationStages, destinationAccess);
    }
}
