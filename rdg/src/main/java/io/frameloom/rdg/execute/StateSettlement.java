package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.execute.ResourceStates.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Leaves the resources that outlive a frame which stopped half-way where its plan promises: textures in their last layouts,
 * and what belongs to one queue family at a time with that of the graphics queue. So the frames behind it, which may be
 * recorded already, find what they were compiled for. Part of the submit chain.
 *
 * <p>Starts from what the resources are really in ({@link ResourceStates}), not from the rest of the plan: a pass that was
 * not submitted has neither used nor taken anything. Each family that something was released to, or that has something,
 * acquires and releases it, and then the graphics queue acquires all of it and changes the layouts that are left, each
 * submission behind everything before. Contents are whatever the submitted passes left.
 *
 * <p>Why that is sound, by the sections of the Vulkan specification on queue family ownership transfers and on the sharing
 * mode of resources. A transfer is a release and an acquire that name the same range, layouts and families, in this order. A
 * plan joins both halves to equal ranges, so a release that was submitted is acquired as a whole or not at all, and is acquired
 * here by a barrier that repeats it, on the family that it names: nothing is released twice, and nothing acquired that is not
 * released. From there the family that has a range is known, for it changes in three ways alone: by an acquire; by a change
 * of layout from UNDEFINED; by a write to a buffer that discards. The latter two take ownership without a transfer, "in the same
 * way as for a resource that was just created", for which contents are given up. So does this where they are lost anyway:
 * what is between the halves of a split barrier, whose event was set and is never waited for, is in a layout that nobody knows,
 * and the graphics queue takes it from UNDEFINED. The same rule is why the frame's own resources need no way home: the next
 * frame takes them anew. A release of theirs may stay without an acquire as well, but is acquired, since validation layers
 * report the next one as the second in a row.
 *
 * <p>Images of swapchains have a way of their own ({@link FrameImages#settle}). Of a lost device nothing is settled.
 */
final class StateSettlement {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final BarrierBatch.Scope FULL = BarrierBatch.GlobalBarrier.FULL.scope();
    private static final BarrierBatch.Scope RELEASE =
            new BarrierBatch.Scope(ALL, MemoryAccess.MEMORY_WRITE.bit(), 0, MemoryAccess.NONE);
    private static final BarrierBatch.Scope ACQUIRE = new BarrierBatch.Scope(
            ALL, MemoryAccess.NONE, ALL, MemoryAccess.MEMORY_READ.bit() | MemoryAccess.MEMORY_WRITE.bit());

    /** Barriers of one command. */
    private static final class Command {
        private final List<BarrierBatch.TextureBarrier> textures = new ArrayList<>();
        private final List<BarrierBatch.BufferBarrier> buffers = new ArrayList<>();

        private void add(
                Part part,
                BarrierBatch.Scope scope,
                TextureLayout to,
                BarrierBatch.@Nullable OwnershipTransfer transfer) {
            if (part.resource() instanceof Texture texture && part.range() != null) {
                textures.add(
                        new BarrierBatch.TextureBarrier(texture, part.range(), scope, part.layout(), to, transfer));
            } else if (part.resource() instanceof Buffer buffer) {
                buffers.add(new BarrierBatch.BufferBarrier(buffer, part.offset(), part.bytes(), scope, transfer));
            }
        }

        /** Acquires what was released to a family: each release once, though its range may be several parts. */
        private void acquire(List<Part> parts, int family) {
            Set<PlanBarrier> acquired = new HashSet<>();
            for (Part part : parts) {
                PlanBarrier release = part.released();
                if (release == null
                        || release.ownership() == null
                        || release.ownership().to() != family) {
                    continue;
                }
                if (acquired.add(release)) {
                    acquire(part.resource(), release);
                }
                part.arrived(family, release.newLayout());
            }
        }

        private void acquire(Resource resource, PlanBarrier release) {
            if (resource instanceof Texture texture && release.range() != null) {
                textures.add(new BarrierBatch.TextureBarrier(
                        texture,
                        release.range(),
                        ACQUIRE,
                        release.oldLayout(),
                        release.newLayout(),
                        release.ownership()));
            } else if (resource instanceof Buffer buffer) {
                buffers.add(new BarrierBatch.BufferBarrier(
                        buffer, release.offset(), release.bytes(), ACQUIRE, release.ownership()));
            }
        }

        private boolean isEmpty() {
            return textures.isEmpty() && buffers.isEmpty();
        }

        private BarrierBatch batch() {
            return new BarrierBatch(textures, buffers, List.of());
        }
    }

    private final Frame frame;
    private final FrameSlot slot;
    private final SubmissionChain chain;

    private StateSettlement(Frame frame, FrameSlot slot, SubmissionChain chain) {
        this.frame = frame;
        this.slot = slot;
        this.chain = chain;
    }

    /**
     * Submits what is missing; nothing if nothing is.
     *
     * @param queues of the device, the graphics queue first
     */
    static void submit(Frame frame, FrameSlot slot, SubmissionChain chain, List<GpuQueue> queues) {
        if (chain.submittedGroups() < frame.realisation().groupCount()) {
            new StateSettlement(frame, slot, chain).submit(queues);
        }
    }

    private void submit(List<GpuQueue> queues) {
        List<Part> parts = ResourceStates.behind(frame, chain.submittedGroups());
        int home = queues.get(0).family();
        Command arriving = new Command();
        Set<Integer> families = new HashSet<>();
        families.add(home);
        for (GpuQueue queue : queues) {
            if (families.add(queue.family())) {
                sendHome(parts, queue, home, arriving);
            }
        }
        arriving.acquire(parts, home);
        Command changing = new Command();
        for (Part part : parts) {
            if (part.isMisplaced()) {
                changing.add(part, FULL, part.promised(), null);
            }
        }
        submit(queues.get(0), arriving, changing);
    }

    /** Lets a family acquire what was released to it, and release what it has to the graphics queue, which is to acquire that. */
    private void sendHome(List<Part> parts, GpuQueue queue, int home, Command arriving) {
        Command acquiring = new Command();
        acquiring.acquire(parts, queue.family());
        Command releasing = new Command();
        BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(queue.family(), home);
        for (Part part : parts) {
            if (part.isAwayWith(queue.family())) {
                releasing.add(part, RELEASE, part.promised(), transfer);
                arriving.add(part, ACQUIRE, part.promised(), transfer);
                part.arrived(home, part.promised());
            }
        }
        submit(queue, acquiring, releasing);
    }

    private void submit(GpuQueue queue, Command first, Command second) {
        if (first.isEmpty() && second.isEmpty()) {
            return;
        }
        String label = "settle resources of frame " + frame.number();
        CommandList list = slot.context().beginCommands(queue, label);
        list.barrier(GroupTask.FRAME_BOUNDARY);
        for (Command command : List.of(first, second)) {
            if (!command.isEmpty()) {
                list.barrier(command.batch());
            }
        }
        list.end();
        chain.submitBehindAll(queue, new Submission(label, List.of(list), List.of()));
    }
}
