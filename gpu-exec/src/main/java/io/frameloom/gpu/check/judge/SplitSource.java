package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.device.StageScopes;

/**
 * What the source halves of the barriers of one command follow at one place of a queue: for a split barrier the place
 * where its event is set, whatever comes before the wait.
 */
final class SplitSource {
    private static final int HOST = Integer.numberOfTrailingZeros(PipelineStage.HOST.bit());

    private final int queue;
    private final long at;
    private final Clock[] ordered;
    private final Clock[] available;

    /** Takes the clocks by stage of a queue, which stay as they are while this is used. */
    SplitSource(int queue, long at, Clock[] ordered, Clock[] available) {
        this.queue = queue;
        this.at = at;
        this.ordered = ordered;
        this.available = available;
    }

    int queue() {
        return queue;
    }

    /** Returns what follows nothing: the event was never set. */
    static SplitSource ofNothing(int queue) {
        return new SplitSource(queue, 1, new Clock[0], new Clock[0]);
    }

    /** Returns the source half of a barrier whose second scope begins at {@code end}. */
    BarrierScope open(BarrierBatch.Scope scope, long end) {
        int source = StageScopes.source(scope.srcStages());
        Clock before = new Clock();
        Clock writes = new Clock();
        for (int stage = 0; stage < Scopes.STAGES; stage++) {
            if (stage != HOST && (source & (1 << stage)) != 0) {
                before.raise(Clock.column(queue, stage), at - 1);
                if (stage < ordered.length) {
                    before.raise(ordered[stage]);
                    writes.raise(available[stage]);
                }
            }
        }
        return new BarrierScope(queue, at, end, scope, before, writes);
    }

    /** Returns whether both follow the same, given what the host has seen. */
    boolean sameAbove(HostView host, SplitSource other) {
        if (at != other.at || ordered.length != other.ordered.length) {
            return false;
        }
        for (int stage = 0; stage < ordered.length; stage++) {
            if (!ordered[stage].sameAbove(host.executed(), other.ordered[stage])
                    || !available[stage].sameAbove(host.available(), other.available[stage])) {
                return false;
            }
        }
        return true;
    }
}
