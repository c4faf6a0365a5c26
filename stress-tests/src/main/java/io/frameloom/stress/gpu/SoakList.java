package io.frameloom.stress.gpu;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One submission in the making, which is correct by construction: before each pass it emits a barrier or notes a wait for
 * everything that the pass has to come after, sometimes exactly, sometimes wider. One thread.
 */
final class SoakList {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();

    private final GpuQueue queue;
    private final List<GpuQueue> queues;
    private final CommandList list;
    private final long value;
    private final SplittableRandom random;
    private final long[] waitValues;
    private final int[] waitStages;
    private final boolean bindsSets;

    /** A use of a resource by the pass to come; of a texture its range is what the pass touches. */
    record Touch(SoakResource resource, Access access, ResourceUse use) {}

    SoakList(GpuQueue queue, List<GpuQueue> queues, CommandList list, SplittableRandom random) {
        this.queue = queue;
        this.queues = queues;
        this.list = list;
        this.value = queue.timeline().submitted() + 1;
        this.random = random;
        this.waitValues = new long[queues.size()];
        this.waitStages = new int[queues.size()];
        this.bindsSets = random.nextBoolean();
    }

    /** Returns whether its dispatches bind by set; else by name. */
    boolean bindsSets() {
        return bindsSets;
    }

    CommandList commands() {
        return list;
    }

    GpuQueue queue() {
        return queue;
    }

    /** Declares a use of a whole buffer, or of a range of it. */
    static Touch buffer(SoakResource resource, long offset, long bytes, Access access) {
        boolean discard = access.writes() && !access.reads();
        return new Touch(resource, access, new ResourceUse.OfBuffer(resource.buffer(), offset, bytes, access, discard));
    }

    /** Declares a use of some mips of a texture. */
    static Touch texture(SoakResource resource, int mip, int mips, Access access) {
        boolean discard = access.writes() && !access.reads();
        return new Touch(
                resource,
                access,
                new ResourceUse.OfTexture(
                        resource.texture(),
                        new SubresourceRange(mip, mips, 0, 1, 0, 1),
                        access,
                        discard,
                        access.layout()));
    }

    /** Makes a pass: first what it has to come after, then its commands. */
    void pass(String name, List<Touch> touches, List<ResourceUse> more, Runnable commands) {
        for (Touch touch : touches) {
            comeAfter(touch);
        }
        List<ResourceUse> uses = new ArrayList<>(more);
        touches.forEach(touch -> uses.add(touch.use));
        list.beginPass(name, uses);
        commands.run();
        list.endPass();
    }

    private void comeAfter(Touch touch) {
        SoakResource resource = touch.resource;
        Access access = touch.access;
        boolean takesOver = !resource.hasContents();
        boolean moves = !resource.isBuffer() && (takesOver || resource.layout() != access.layout());
        boolean changes = moves || takesOver || access.writes();
        int sourceStages = 0;
        int sourceAccess = 0;
        for (SoakMemory.Use before : resource.memory().before(changes)) {
            if (before.queue() == queue.index()) {
                sourceStages |= before.stages();
                sourceAccess |= before.writes();
            } else {
                waitFor(before, access.stages());
                // A transition follows the wait through the stages that wait.
                sourceStages |= moves ? access.stages() : 0;
            }
        }
        if (sourceStages != 0 || moves) {
            barrier(touch, sourceStages, sourceAccess, takesOver, moves);
        }
        resource.memory()
                .accessed(
                        new SoakMemory.Use(
                                queue.index(), value, access.stages(), MemoryAccess.writesOf(access.memoryAccess())),
                        access.writes(),
                        changes);
        resource.memory().own(resource);
        resource.layout(access.layout());
    }

    private void waitFor(SoakMemory.Use before, int stages) {
        waitValues[before.queue()] = Math.max(waitValues[before.queue()], before.value());
        waitStages[before.queue()] |= random.nextInt(3) == 0 ? ALL : stages;
    }

    private void barrier(Touch touch, int sourceStages, int sourceAccess, boolean takesOver, boolean moves) {
        // What it takes the memory from may have reached further than what took it before.
        boolean wide = takesOver || random.nextInt(4) == 0;
        BarrierBatch.Scope scope = wide
                ? BarrierBatch.GlobalBarrier.FULL.scope()
                : new BarrierBatch.Scope(
                        sourceStages, sourceAccess, touch.access.stages(), touch.access.memoryAccess());
        List<BarrierBatch.TextureBarrier> textures = new ArrayList<>();
        List<BarrierBatch.BufferBarrier> buffers = new ArrayList<>();
        List<BarrierBatch.GlobalBarrier> globals = new ArrayList<>();
        SoakResource resource = touch.resource;
        if (moves) {
            textures.add(new BarrierBatch.TextureBarrier(
                    resource.texture(),
                    SubresourceRange.all(resource.texture().description()),
                    scope,
                    takesOver ? TextureLayout.UNDEFINED : resource.layout(),
                    touch.access.layout(),
                    null));
            if (takesOver) {
                globals.add(new BarrierBatch.GlobalBarrier(scope));
            }
        } else if (wide || !resource.isBuffer()) {
            globals.add(new BarrierBatch.GlobalBarrier(scope));
        } else {
            buffers.add(new BarrierBatch.BufferBarrier(
                    resource.buffer(), 0, resource.buffer().description().bytes(), scope, null));
        }
        list.barrier(new BarrierBatch(textures, buffers, globals));
    }

    /** Ends the list and submits it. */
    TimelinePoint submit(String label) {
        list.end();
        List<Submission.Wait> waits = new ArrayList<>();
        for (int i = 0; i < waitValues.length; i++) {
            if (waitValues[i] > 0) {
                waits.add(new Submission.Wait(new TimelinePoint(queues.get(i), waitValues[i]), waitStages[i]));
            }
        }
        return queue.submit(new Submission(label, List.of(list), waits));
    }
}
