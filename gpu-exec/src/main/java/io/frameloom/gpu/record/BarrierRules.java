package io.frameloom.gpu.record;

import static io.frameloom.gpu.Capability.ACCELERATION_STRUCTURES;
import static io.frameloom.gpu.Capability.RAY_TRACING_PIPELINES;
import static io.frameloom.gpu.command.PipelineStage.ACCELERATION_STRUCTURE_BUILD;
import static io.frameloom.gpu.command.PipelineStage.RAY_TRACING_SHADER;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.BufferBarrier;
import io.frameloom.gpu.command.BarrierBatch.OwnershipTransfer;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The checks of barriers, split or not: ranges, stages that the queue has, accesses that the stages make, families.
 * Stateless.
 */
public final class BarrierRules {
    private static final int SHADERS = PipelineStage.mask(
            PipelineStage.VERTEX_SHADER,
            PipelineStage.FRAGMENT_SHADER,
            PipelineStage.COMPUTE_SHADER,
            PipelineStage.RAY_TRACING_SHADER);
    private static final int LOCAL_STAGES =
            PipelineStage.mask(PipelineStage.FRAGMENT_SHADER, PipelineStage.DEPTH_TESTS, PipelineStage.COLOR_OUTPUT);
    private static final int RAYS = PipelineStage.mask(ACCELERATION_STRUCTURE_BUILD, RAY_TRACING_SHADER);
    private static final int ALL_ACCESSES = MemoryAccess.mask(MemoryAccess.values());
    /** By access: the stages that make it; 0 for those that any stage makes. */
    private static final int[] STAGES_OF_ACCESS = stagesOfAccess();

    private BarrierRules() {}

    private static int[] stagesOfAccess() {
        int[] table = new int[Integer.SIZE];
        for (MemoryAccess access : MemoryAccess.values()) {
            table[Integer.numberOfTrailingZeros(access.bit())] = switch (access) {
                case INDIRECT_READ -> PipelineStage.DRAW_INDIRECT.bit();
                case INDEX_READ, VERTEX_READ -> PipelineStage.VERTEX_INPUT.bit();
                case UNIFORM_READ, SAMPLED_READ, STORAGE_WRITE -> SHADERS;
                case STORAGE_READ, ACCELERATION_STRUCTURE_READ -> SHADERS | ACCELERATION_STRUCTURE_BUILD.bit();
                case ACCELERATION_STRUCTURE_WRITE -> ACCELERATION_STRUCTURE_BUILD.bit();
                case COLOR_READ, COLOR_WRITE -> PipelineStage.COLOR_OUTPUT.bit();
                case DEPTH_READ, DEPTH_WRITE -> PipelineStage.DEPTH_TESTS.bit();
                case COPY_READ, COPY_WRITE -> PipelineStage.COPY.bit();
                case HOST_READ, HOST_WRITE -> PipelineStage.HOST.bit();
                case MEMORY_READ, MEMORY_WRITE -> 0;
            };
        }
        return table;
    }

    /** Checks and notes a batch for the list of {@code rules}. Allocates nothing if all is well. */
    public static void check(RecordingRules rules, BarrierBatch batch) {
        requireSound(rules, batch);
        rules.barrier();
    }

    /**
     * Checks a batch inside of the open render pass: barriers of attachments in {@link TextureLayout#LOCAL_READ}, among
     * the stages that draw to them.
     */
    static void checkLocal(RecordingRules rules, BarrierBatch batch) {
        rules.requireRecording("barrier");
        RenderingInfo open = Objects.requireNonNull(rules.rendering());
        requireSound(rules, batch);
        boolean local = batch.buffers().isEmpty() && batch.globals().isEmpty();
        for (int i = 0; i < batch.textures().size(); i++) {
            TextureBarrier barrier = batch.textures().get(i);
            Scope scope = barrier.scope();
            local &= barrier.oldLayout() == TextureLayout.LOCAL_READ
                    && barrier.newLayout() == TextureLayout.LOCAL_READ
                    && barrier.ownership() == null
                    && ((scope.srcStages() | scope.dstStages()) & ~LOCAL_STAGES) == 0
                    && isAttached(barrier.texture(), open);
        }
        if (!local) {
            throw new IllegalStateException(rules.where("barrier") + " is inside a render pass, where barriers are of"
                    + " its attachments in layout LOCAL_READ and of stages " + PipelineStage.describe(LOCAL_STAGES)
                    + " alone; call endRendering first, or name such");
        }
    }

    private static boolean isAttached(Texture texture, RenderingInfo open) {
        RenderingInfo.DepthAttachment depth = open.depth();
        RenderingInfo.StencilAttachment stencil = open.stencil();
        for (int i = 0; i < open.colors().size(); i++) {
            if (open.colors().get(i).view().texture() == texture) {
                return true;
            }
        }
        return (depth != null && depth.view().texture() == texture)
                || (stencil != null && stencil.view().texture() == texture);
    }

    /**
     * Checks a half of a split barrier for the list of {@code rules}: what a barrier is checked for, and the further
     * rules of events ("vkCmdSetEvent2" and "vkCmdWaitEvents2" in the Vulkan specification). Allocates nothing if all
     * is well.
     */
    static void checkHalf(RecordingRules rules, String command, BarrierBatch batch) {
        rules.requireBetweenPasses(command);
        // Queues that only copy have no events.
        rules.requireQueue(command, QueueKind.COMPUTE);
        if (batch.isEmpty()) {
            throw new IllegalArgumentException(rules.where(command) + " has no barriers; leave out both halves");
        }
        requireSound(rules, batch);
        for (int i = 0; i < batch.textures().size(); i++) {
            BarrierBatch.TextureBarrier barrier = batch.textures().get(i);
            splittable(rules, command, barrier.scope(), barrier.ownership(), barrier.texture());
        }
        for (int i = 0; i < batch.buffers().size(); i++) {
            BarrierBatch.BufferBarrier barrier = batch.buffers().get(i);
            splittable(rules, command, barrier.scope(), barrier.ownership(), barrier.buffer());
        }
        for (int i = 0; i < batch.globals().size(); i++) {
            splittable(rules, command, batch.globals().get(i).scope(), null, null);
        }
    }

    private static void splittable(
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

    private static void requireSound(RecordingRules rules, BarrierBatch batch) {
        for (int i = 0; i < batch.textures().size(); i++) {
            TextureBarrier barrier = batch.textures().get(i);
            Ranges.range(rules, "barrier", barrier.texture(), barrier.range());
            if (barrier.newLayout() == TextureLayout.UNDEFINED) {
                throw new IllegalArgumentException(rules.where("barrier") + " takes texture '"
                        + barrier.texture().name() + "' to layout UNDEFINED; name the layout of its next use");
            }
            layout(rules, barrier.texture(), barrier.oldLayout());
            layout(rules, barrier.texture(), barrier.newLayout());
            scope(rules, barrier.scope(), barrier.texture());
            families(rules, barrier.ownership(), barrier.texture());
        }
        for (int i = 0; i < batch.buffers().size(); i++) {
            BufferBarrier barrier = batch.buffers().get(i);
            Ranges.range(rules, "barrier", barrier.buffer(), barrier.offset(), barrier.bytes());
            scope(rules, barrier.scope(), barrier.buffer());
            families(rules, barrier.ownership(), barrier.buffer());
        }
        for (int i = 0; i < batch.globals().size(); i++) {
            scope(rules, batch.globals().get(i).scope(), null);
        }
    }

    private static void layout(RecordingRules rules, Texture texture, TextureLayout layout) {
        // An engine's own images may be those of its own swapchain.
        if (layout == TextureLayout.PRESENT && !texture.isSwapchainImage() && texture.imported() == null) {
            throw new IllegalArgumentException(where(rules, texture) + " names layout PRESENT, but the texture is no"
                    + " image of a swapchain; render to a SwapchainImage, or name the layout of its next use");
        }
        TextureUsage needed = layout.requiredUsage();
        if (needed != null && !texture.description().usage().contains(needed)) {
            throw new IllegalArgumentException(where(rules, texture) + " names layout " + layout
                    + ", but the texture was created without usage " + needed);
        }
    }

    private static void scope(RecordingRules rules, Scope scope, @Nullable Resource resource) {
        half(rules, resource, "after", scope.srcStages(), scope.srcAccess());
        half(rules, resource, "before", scope.dstStages(), scope.dstAccess());
    }

    private static void half(RecordingRules rules, @Nullable Resource resource, String half, int stages, int accesses) {
        int possible = PipelineStage.of(rules.queue().kind());
        if ((stages & ~possible) != 0) {
            throw new IllegalArgumentException(where(rules, resource) + " comes " + half + " "
                    + PipelineStage.describe(stages) + ", but queue '"
                    + rules.queue().name() + "' has only " + PipelineStage.describe(possible)
                    + "; name those, or record it on another queue");
        }
        // A mask of all stages has those that the device can have.
        if ((stages & RAYS) != 0 && (possible & ~stages & ~PipelineStage.of(QueueKind.COPY)) != 0) {
            requireStage(rules, resource, half, stages, ACCELERATION_STRUCTURE_BUILD, ACCELERATION_STRUCTURES);
            requireStage(rules, resource, half, stages, RAY_TRACING_SHADER, RAY_TRACING_PIPELINES);
        }
        if ((accesses & ~ALL_ACCESSES) != 0) {
            throw new IllegalArgumentException(where(rules, resource) + " names accesses 0x"
                    + Integer.toHexString(accesses & ~ALL_ACCESSES) + ", which are none; use MemoryAccess.mask");
        }
        int made = (stages & PipelineStage.ALL_COMMANDS.bit()) != 0 ? stages | ~PipelineStage.HOST.bit() : stages;
        for (int rest = accesses; rest != 0; rest &= rest - 1) {
            int makers = STAGES_OF_ACCESS[Integer.numberOfTrailingZeros(rest)];
            if (makers != 0 && (makers & made) == 0) {
                throw new IllegalArgumentException(where(rules, resource) + " names access "
                        + MemoryAccess.describe(Integer.lowestOneBit(rest)) + " of stages "
                        + PipelineStage.describe(stages) + ", which do not make it; name one of "
                        + PipelineStage.describe(makers));
            }
        }
    }

    private static void requireStage(
            RecordingRules rules,
            @Nullable Resource resource,
            String half,
            int stages,
            PipelineStage stage,
            Capability capability) {
        if ((stages & stage.bit()) != 0 && !rules.capabilities().has(capability)) {
            throw new IllegalArgumentException(where(rules, resource) + " comes " + half + " " + stage
                    + ", and device '" + rules.capabilities().name() + "' has no "
                    + capability.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                    + "; leave the stage out, or open the device with DeviceOptions.require");
        }
    }

    private static void families(RecordingRules rules, @Nullable OwnershipTransfer transfer, Resource resource) {
        if (transfer == null) {
            return;
        }
        int count = rules.queue().familyCount();
        if (Math.min(transfer.from(), transfer.to()) < 0 || Math.max(transfer.from(), transfer.to()) >= count) {
            throw new IllegalArgumentException(where(rules, resource) + " hands over from queue family "
                    + transfer.from() + " to " + transfer.to() + ", but the device has "
                    + (count == 1 ? "family 0 alone; leave the transfer out" : "families 0 to " + (count - 1)));
        }
        int own = rules.queue().family();
        if (transfer.from() == transfer.to() || (transfer.from() != own && transfer.to() != own)) {
            throw new IllegalArgumentException(where(rules, resource) + " hands over from queue family "
                    + transfer.from() + " to " + transfer.to() + ", but a transfer is between two families, one of them"
                    + " that of queue '" + rules.queue().name() + "', " + own);
        }
        if (!resource.isExclusive()) {
            throw new IllegalArgumentException(where(rules, resource) + " hands over between queue families what "
                    + (resource.sharedFamilies().isEmpty()
                            ? "the families of all queues share; leave the transfer out, or make it with"
                                    + " withSharing(QueueSharing.EXCLUSIVE)"
                            : "families " + resource.sharedFamilies() + " share; leave the transfer out"));
        }
    }

    private static String where(RecordingRules rules, @Nullable Resource resource) {
        return rules.where("barrier") + (resource == null ? "" : ": that of '" + resource.name() + "'");
    }
}
