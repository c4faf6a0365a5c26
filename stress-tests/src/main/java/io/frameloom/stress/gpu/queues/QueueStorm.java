package io.frameloom.stress.gpu.queues;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A thread for each queue of a device, all submitting at once: each works on words of its own and waits at random for what
 * the others have submitted last, on the device. Every fourth submission is awaited by an event.
 */
public final class QueueStorm {
    private static final int SUBMISSIONS_AT_ONCE = 32;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final GpuDevice device;
    private final QueueWork work;
    private final List<GpuQueue> queues;
    private final AtomicReferenceArray<TimelinePoint> newest;

    private QueueStorm(GpuDevice device, QueueWork work) {
        this.device = device;
        this.work = work;
        this.queues = device.queues();
        this.newest = new AtomicReferenceArray<>(queues.size());
    }

    /**
     * Submits from as many threads as there are queues.
     *
     * @param submissions number of submissions to each queue, readbacks apart
     * @return what was wrong, nothing if nothing was
     */
    public static List<String> run(GpuDevice device, int submissions, long seed) {
        try (QueueWork work = new QueueWork(device)) {
            return new QueueStorm(device, work).all(submissions, new SplittableRandom(seed));
        }
    }

    private List<String> all(int submissions, SplittableRandom random) {
        ExecutorService threads = Executors.newFixedThreadPool(queues.size());
        try {
            CyclicBarrier start = new CyclicBarrier(queues.size());
            List<Future<List<String>>> results = new ArrayList<>();
            for (GpuQueue queue : queues) {
                SplittableRandom own = random.split();
                results.add(threads.submit(() -> {
                    start.await();
                    return one(queue, submissions, own);
                }));
            }
            List<String> problems = new ArrayList<>();
            for (Future<List<String>> result : results) {
                problems.addAll(result.get());
            }
            return problems;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the storm was interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a thread of the storm failed", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private List<String> one(GpuQueue queue, int submissions, SplittableRandom random) {
        BufferDescription shape = BufferDescription.device(
                QueueWork.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
        try (FrameContext context = device.createFrameContext("storm " + queue.name());
                Buffer even = device.createBuffer("even " + queue.name(), shape);
                Buffer odd = device.createBuffer("odd " + queue.name(), shape);
                Buffer readback = QueueWork.readback(device, "storm " + queue.name())) {
            long before = queue.timeline().submitted();
            int word = queue.index() + 1;
            CommandList begin = context.beginCommands(queue, "storm begin");
            QueueWork.fill(begin, even, word);
            begin.end();
            submit(queue, begin, List.of());
            List<GraphEvent> events = new ArrayList<>();
            for (int i = 0; i < submissions; i++) {
                CommandList list = context.beginCommands(queue, "storm");
                list.barrier(ownBarrier(queue));
                work.step(list, i % 2 == 0 ? even : odd, i % 2 == 0 ? odd : even, i);
                list.end();
                TimelinePoint point = submit(queue, list, waits(queue, random));
                word = QueueWork.stepped(queue, word, i);
                if (i % 4 == 3) {
                    events.add(queue.timeline().reached(point.value()));
                }
                if (i % SUBMISSIONS_AT_ONCE == SUBMISSIONS_AT_ONCE - 1) {
                    events.forEach(GraphEvent::await);
                    events.clear();
                    await(queue, point.value());
                    context.reset();
                }
            }
            events.forEach(GraphEvent::await);
            CommandList end = context.beginCommands(queue, "storm end");
            end.barrier(ownBarrier(queue));
            QueueWork.readBack(end, submissions % 2 == 0 ? even : odd, readback);
            end.end();
            TimelinePoint last = submit(queue, end, List.of());
            await(queue, last.value());
            List<String> problems =
                    new ArrayList<>(QueueWork.compare("storm on queue '" + queue.name() + "'", readback, word));
            if (last.value() != before + submissions + 2L) {
                problems.add("timeline of queue '" + queue.name() + "' went from " + before + " to " + last.value()
                        + " by " + (submissions + 2) + " submissions");
            }
            return problems;
        }
    }

    /** Orders everything of a queue: fills, copies and dispatches follow each other. */
    private static BarrierBatch ownBarrier(GpuQueue queue) {
        int stages = PipelineStage.COPY.bit() | QueueWork.stage(queue).bit();
        int written = MemoryAccess.COPY_WRITE.bit()
                | MemoryAccess.writesOf(QueueWork.writes(queue).memoryAccess());
        int read = MemoryAccess.COPY_READ.bit()
                | QueueWork.reads(queue).memoryAccess()
                | QueueWork.writes(queue).memoryAccess();
        return QueueWork.global(stages, written, stages, written | read);
    }

    private List<Submission.Wait> waits(GpuQueue queue, SplittableRandom random) {
        List<Submission.Wait> waits = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            TimelinePoint point = newest.get(random.nextInt(queues.size()));
            if (point != null
                    && !point.queue().equals(queue)
                    && waits.stream().noneMatch(wait -> wait.point().queue().equals(point.queue()))) {
                waits.add(new Submission.Wait(point, QueueWork.stage(queue).bit()));
            }
        }
        return waits;
    }

    private TimelinePoint submit(GpuQueue queue, CommandList list, List<Submission.Wait> waits) {
        TimelinePoint point = queue.submit(new Submission(list.label(), List.of(list), waits));
        newest.set(queue.index(), point);
        return point;
    }

    private static void await(GpuQueue queue, long value) {
        if (!queue.timeline().await(value, LONG)) {
            throw new IllegalStateException("queue '" + queue.name() + "' does not reach " + value);
        }
    }
}
