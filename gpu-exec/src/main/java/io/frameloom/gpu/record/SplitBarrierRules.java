package io.frameloom.gpu.record;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.OwnershipTransfer;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Resource;
import org.jspecify.annotations.Nullable;

/**
 * The checks of both halves of a split barrier: those of a barrier, and the further rules of events ("vkCmdSetEvent2"
 * and "vkCmdWaitEvents2" in the Vulkan specification). Stateless.
 */
public final class SplitBarrierRules {
    private SplitBarrierRules() {}

    /**
     * Checks a half for the list of {@code rules}. Allocates nothing if all is well.
     *
     * @param command name of the command
     */
    public static void check(RecordingRules rules, String command, BarrierBatch batch) {
        rules.requireBetweenPasses(command);
        // Queues that only copy have no events.
        rules.requireQueue(command, QueueKind.COMPUTE);
        if (batch.isEmpty()) {
            throw new IllegalArgumentException(rules.where(command) + " has no barriers; leave out both halves");
        }
        BarrierRules.requireSound(rules, batch);
        for (int i = 0; i < batch.textures().size(); i++) {
            BarrierBatch.TextureBarrier barrier = batch.textures().get(i);
            half(rules, command, barrier.scope(), barrier.ownership(), barrier.texture());
        }
        for (int i = 0; i < batch.buffers().size(); i++) {
            BarrierBatch.BufferBarrier barrier = batch.buffers().get(i);
            half(rules, command, barrier.scope(), barrier.ownership(), barrier.buffer());
        }
        for (int i = 0; i < batch.globals().size(); i++) {
            half(rules, command, batch.globals().get(i).scope(), null, null);
        }
    }

    private static void half(
            RecordingRules rules,
            String command,
            Scope scope,
            @Nullable OwnershipTransfer transfer,
            @Nullable Resource resource) {
        if (((scope.srcStages() | scope.dstStages()) & PipelineStage.HOST.bit()) != 0) {
            throw new IllegalArgumentException(where(rules, command, resource)
                    + " names the host, which neither sets events nor waits for them; issue it by barrier");
        }
        if (transfer != null) {
            throw new IllegalArgumentException(where(rules, command, resource) + " hands over from queue family "
                    + transfer.from() + " to " + transfer.to()
                    + ", whose halves are on two queues, and an event is of one; issue it by barrier");
        }
    }

    private static String where(RecordingRules rules, String command, @Nullable Resource resource) {
        return rules.where(command) + ": the barrier of "
                + (resource == null ? "all memory" : "'" + resource.name() + "'");
    }
}
