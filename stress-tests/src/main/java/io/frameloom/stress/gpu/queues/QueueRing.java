package io.frameloom.stress.gpu.queues;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Words that go round all queues of a device: each queue takes what the one before it has written. Waits and signals name
 * the one stage that works, there is no barrier, and there is one buffer more than there are queues; so the waits alone keep
 * a write from what was read and written one round before. One thread.
 */
public final class QueueRing implements AutoCloseable {
    /** Steps after which the host waits, so that command lists are used again. */
    private static final int STEPS_AT_ONCE = 256;

    private static final int FIRST = 0x51;
    private static final int NEVER = -1;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final List<GpuQueue> queues;
    private final QueueWork work;
    private final FrameContext context;
    private final List<Buffer> slots = new ArrayList<>();
    private final Buffer readback;
    private final int forgotten;

    /** A ring over all queues. */
    public QueueRing(GpuDevice device) {
        this(device, NEVER);
    }

    /**
     * A ring with a mistake.
     *
     * @param forgotten number of the step that does not wait for the one before it
     */
    QueueRing(GpuDevice device, int forgotten) {
        this.queues = device.queues();
        this.forgotten = forgotten;
        this.work = new QueueWork(device);
        this.context = device.createFrameContext("ring");
        for (int i = 0; i <= queues.size(); i++) {
            slots.add(device.createBuffer(
                    "slot " + i,
                    BufferDescription.device(
                            QueueWork.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        }
        this.readback = QueueWork.readback(device, "ring readback");
    }

    /**
     * Goes round.
     *
     * @return what was wrong, nothing if nothing was
     */
    public List<String> run(int rounds) {
        CommandList begin = context.beginCommands(queues.get(0), "ring begin");
        QueueWork.fill(begin, slots.get(0), FIRST);
        begin.end();
        // The work before this run is complete, since every run ends with a wait of the host.
        TimelinePoint last = submit(begin, List.of(), PipelineStage.COPY);
        int word = FIRST;
        for (int step = 0; step < rounds * queues.size(); step++) {
            GpuQueue queue = queues.get(step % queues.size());
            PipelineStage stage = QueueWork.stage(queue);
            CommandList list = context.beginCommands(queue, "ring step");
            work.step(list, slots.get(step % slots.size()), slots.get((step + 1) % slots.size()), step);
            list.end();
            List<Submission.Wait> waits =
                    step == forgotten ? List.of() : List.of(new Submission.Wait(last, stage.bit()));
            last = submit(list, waits, stage);
            word = QueueWork.stepped(queue, word, step);
            if (step % STEPS_AT_ONCE == STEPS_AT_ONCE - 1) {
                finish();
            }
        }
        CommandList end = context.beginCommands(queues.get(0), "ring end");
        QueueWork.readBack(end, slots.get(rounds * queues.size() % slots.size()), readback);
        end.end();
        submit(end, List.of(new Submission.Wait(last, PipelineStage.COPY.bit())), PipelineStage.COPY);
        finish();
        return QueueWork.compare("ring over " + queues.size() + " queues", readback, word);
    }

    private static TimelinePoint submit(CommandList list, List<Submission.Wait> waits, PipelineStage stage) {
        return list.queue().submit(new Submission(list.label(), List.of(list), waits).signalling(stage.bit()));
    }

    private void finish() {
        for (GpuQueue queue : queues) {
            if (!queue.timeline().await(queue.timeline().submitted(), LONG)) {
                throw new IllegalStateException("queue '" + queue.name() + "' does not reach "
                        + queue.timeline().submitted());
            }
        }
        context.reset();
    }

    @Override
    public void close() {
        slots.forEach(Buffer::close);
        readback.close();
        work.close();
        context.close();
    }
}
