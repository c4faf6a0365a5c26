package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.device.StageScopes;

/**
 * What the source halves of the barriers of one command follow at one place of a queue: for a split barrier the place
 * where its event is set, whatever comes before the wait.
 */
final class FirstHalf {
    private static final int HOST = Integer.numberOfTrailingZeros(PipelineStage.HOST.bit());

    private final int queue;
    private final long at;
    private final Past[] stages;
    private final HostView seen;

    /**
     * Takes the pasts by stage of a queue, which stay as they are while this is used.
     *
     * @param seen what the host had seen by then: what it sees later may be beside a split barrier
     */
    FirstHalf(int queue, long at, Past[] stages, HostView seen) {
        this.queue = queue;
        this.at = at;
        this.stages = stages;
        this.seen = seen;
    }

    /** Returns what follows nothing: the event was never set. */
    static FirstHalf ofNothing(int queue, HostView seen) {
        return new FirstHalf(queue, 1, new Past[0], seen);
    }

    /** Returns a half that stays as it is whatever comes next. */
    FirstHalf copy() {
        return new FirstHalf(queue, at, Past.copies(stages), seen.copy());
    }

    int queue() {
        return queue;
    }

    HostView seen() {
        return seen;
    }

    /** Returns a barrier whose second scope begins at {@code end}. */
    BarrierScope open(BarrierBatch.Scope scope, long end) {
        int source = StageScopes.source(scope.srcStages());
        Past before = new Past();
        for (int stage = 0; stage < Scopes.STAGES; stage++) {
            if (stage != HOST && (source & (1 << stage)) != 0) {
                before.executed().raise(Clock.column(queue, stage), at - 1);
                if (stage < stages.length) {
                    before.raise(stages[stage]);
                }
            }
        }
        return new BarrierScope(queue, at, end, scope, before);
    }

    /** Returns whether both follow the same, given what the host had seen. */
    boolean sameAs(FirstHalf other) {
        return seen.sameAs(other.seen) && at == other.at && Past.sameAbove(seen.past(), stages, other.stages);
    }
}
