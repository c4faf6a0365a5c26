package io.frameloom.stress.gpu.queues;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.vulkan.VulkanDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Two buffers that one queue family owns at a time wander at random between the queues of all families: each hop is a
 * release, a wait and an acquire, then a step from one into the other. One thread.
 */
public final class FamilyHandOver implements AutoCloseable {
    private static final int FIRST = 0x77;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final List<GpuQueue> queues;
    private final SplittableRandom random;
    private final QueueWork work;
    private final FrameContext context;
    private final List<ExclusiveBuffer> buffers;
    private final Buffer readback;
    private long transfers;

    /** Makes the buffers; the device has queues of two families at least. */
    public FamilyHandOver(VulkanDevice device, SplittableRandom random) {
        this.queues = device.queues();
        this.random = random;
        if (!isPossible(queues)) {
            throw new IllegalArgumentException(
                    "device '" + device.capabilities().name() + "' has queues of one family, nothing is handed over");
        }
        this.work = new QueueWork(device);
        this.context = device.createFrameContext("hand-over");
        this.buffers = List.of(
                new ExclusiveBuffer(device, "wanderer a", QueueWork.BYTES),
                new ExclusiveBuffer(device, "wanderer b", QueueWork.BYTES));
        this.readback = QueueWork.readback(device, "hand-over readback");
    }

    /** Returns whether queues are of two families or more. */
    public static boolean isPossible(List<GpuQueue> queues) {
        return queues.stream().mapToInt(GpuQueue::family).distinct().count() > 1;
    }

    /**
     * Lets the buffers wander.
     *
     * @return what was wrong, nothing if nothing was
     */
    public List<String> run(int hops) {
        // The contents of an earlier run are given up, and with them who owned them.
        GpuQueue at = queues.get(random.nextInt(queues.size()));
        int word = FIRST;
        CommandList list = context.beginCommands(at, "hand-over begin");
        QueueWork.fill(list, buffers.get(0).buffer(), word);
        QueueWork.fill(list, buffers.get(1).buffer(), word);
        List<Submission.Wait> waits = List.of();
        int stages = PipelineStage.COPY.bit();
        int written = MemoryAccess.COPY_WRITE.bit();
        for (int hop = 0; hop < hops; hop++) {
            GpuQueue next = elsewhere(at);
            BarrierBatch.OwnershipTransfer transfer = new BarrierBatch.OwnershipTransfer(at.family(), next.family());
            list.barrier(transfer(new BarrierBatch.Scope(stages, written, PipelineStage.NONE, 0), transfer));
            list.end();
            TimelinePoint released = at.submit(new Submission(list.label(), List.of(list), waits));
            at = next;
            stages = QueueWork.stage(at).bit();
            int accesses =
                    QueueWork.reads(at).memoryAccess() | QueueWork.writes(at).memoryAccess();
            waits = List.of(new Submission.Wait(released, stages));
            list = context.beginCommands(at, "hand-over hop");
            // The source stages are those that wait, so that the acquisition follows the wait.
            list.barrier(transfer(new BarrierBatch.Scope(stages, MemoryAccess.NONE, stages, accesses), transfer));
            work.step(
                    list,
                    buffers.get(hop % 2).buffer(),
                    buffers.get(1 - hop % 2).buffer(),
                    hop);
            written = MemoryAccess.writesOf(QueueWork.writes(at).memoryAccess());
            word = QueueWork.stepped(at, word, hop);
            transfers += buffers.size();
        }
        list.barrier(QueueWork.global(stages, written, PipelineStage.COPY.bit(), MemoryAccess.COPY_READ.bit()));
        QueueWork.readBack(list, buffers.get(hops % 2).buffer(), readback);
        list.end();
        TimelinePoint last = at.submit(new Submission(list.label(), List.of(list), waits));
        if (!at.timeline().await(last.value(), LONG)) {
            throw new IllegalStateException("queue '" + at.name() + "' does not reach " + last.value());
        }
        context.reset();
        return QueueWork.compare("hand-over in " + hops + " hops", readback, word);
    }

    private GpuQueue elsewhere(GpuQueue from) {
        List<GpuQueue> others = new ArrayList<>(queues);
        others.removeIf(queue -> queue.family() == from.family());
        return others.get(random.nextInt(others.size()));
    }

    private BarrierBatch transfer(BarrierBatch.Scope scope, BarrierBatch.OwnershipTransfer transfer) {
        return new BarrierBatch(
                List.of(),
                buffers.stream()
                        .map(each -> new BarrierBatch.BufferBarrier(each.buffer(), 0, QueueWork.BYTES, scope, transfer))
                        .toList(),
                List.of());
    }

    /** Returns how many transfers there were so far, each a release and an acquire. */
    public long transfers() {
        return transfers;
    }

    @Override
    public void close() {
        buffers.forEach(ExclusiveBuffer::close);
        readback.close();
        work.close();
        context.close();
    }
}
