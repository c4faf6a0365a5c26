package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.resource.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A command in its submission.
 *
 * @param at sequence number of the command on its queue
 * @param began sequence number of the begin of the pass that the command is or continues
 */
record Submitted(SubmissionRecord record, int index, QueueClocks clocks, long at, long began) {
    int queue() {
        return clocks.queue();
    }

    int family() {
        return record.queue().family();
    }

    /** Returns whether this continues a pass after a barrier inside of it. */
    boolean continues() {
        return began < at;
    }

    /** Returns whether an access is of the same pass; transitions are of none. */
    boolean isOwn(int queue, int stages, long sequence) {
        return queue == queue() && sequence >= began && stages != 1 << Scopes.TRANSITION;
    }

    /** Returns the next pass of the submission that uses a resource, or else the submission itself, as a name. */
    String nextUser(Resource resource) {
        for (int i = index; i < record.commands().size(); i++) {
            if (record.commands().get(i) instanceof SubmissionRecord.Pass pass) {
                for (ResourceUse use : pass.uses()) {
                    if (use.resource() == resource) {
                        return pass.name();
                    }
                }
            }
        }
        return "submission '" + record.label() + "'";
    }

    static String transitionOf(BarrierBatch.TextureBarrier barrier) {
        return "transition of '" + barrier.texture().name() + "' to " + barrier.newLayout();
    }

    /** Returns a resource as it is named in messages; {@code alias} is what the message is about if not itself. */
    static String nameOf(Resource resource, @Nullable Resource alias) {
        return alias == null ? resource.name() : resource.name() + "' (aliases '" + alias.name() + "')";
    }
}
