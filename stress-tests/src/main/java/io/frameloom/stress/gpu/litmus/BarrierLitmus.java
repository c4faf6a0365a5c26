package io.frameloom.stress.gpu.litmus;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@linkplain Experiment experiments} on a device and counts the words that came out wrong. The first work is slow, the
 * second is not, and the words, their number and their alignment are random. One thread.
 */
final class BarrierLitmus implements AutoCloseable {
    private static final int TRIALS = 16;
    private static final int MOST_WORDS = 8192;
    private static final int MOST_MARGIN = 256;
    /** Words of a trial's place, a multiple of every alignment that devices ask for. */
    private static final int STRIDE = MOST_WORDS + MOST_MARGIN;

    private static final long PLACE_BYTES = 4L * STRIDE;
    private static final int WORDS = TRIALS * STRIDE;
    private static final int BEFORE = 0x0b0b0b0b;
    private static final int FIRST = 0x11111111;
    private static final int SECOND = 0x22222222;
    private static final int POISON = 0x0dead00d;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final SplittableRandom random;
    private final int delay;
    private final FrameContext context;
    private final LitmusPipelines pipelines;
    private final Buffer shared;
    private final Buffer copied;
    private final Buffer unrelated;
    private final Buffer firstWords;
    private final Buffer secondWords;
    private final Buffer readback;
    private @Nullable TimelinePoint last;

    /** The words of one trial. */
    private record Range(int place, int margin, int count) {
        int first() {
            return place + margin;
        }

        long offset() {
            return 4L * first();
        }

        long placeOffset() {
            return 4L * place;
        }

        long bytes() {
            return 4L * count;
        }
    }

    /**
     * Creates the buffers and shaders.
     *
     * @param delay rounds that the shader of the first work spins before it accesses memory, 0 to 60,000
     */
    BarrierLitmus(GpuDevice device, long seed, int delay) {
        this.random = new SplittableRandom(seed);
        this.delay = delay;
        context = device.createFrameContext("litmus");
        pipelines = new LitmusPipelines(device);
        shared = buffer(device, "shared");
        copied = buffer(device, "copied");
        unrelated = buffer(device, "unrelated");
        firstWords = buffer(device, "first words");
        secondWords = buffer(device, "second words");
        readback = device.createBuffer("readback", BufferDescription.readback(4L * WORDS));
        CommandList list = begin(device.queues().get(0), "words to copy");
        fill(list, firstWords, new Range(0, 0, WORDS), FIRST);
        fill(list, secondWords, new Range(0, 0, WORDS), SECOND);
        submit(device.queues().get(0), list);
    }

    private static Buffer buffer(GpuDevice device, String name) {
        return device.createBuffer(
                name,
                BufferDescription.device(4L * WORDS, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST));
    }

    /**
     * What a number of trials showed.
     *
     * @param trials trials
     * @param wrongTrials trials with a wrong word
     * @param firstWrong the first wrong word in words, empty if there is none
     */
    record Outcome(int trials, int wrongTrials, String firstWrong) {}

    /** Runs some trials of an experiment, in one submission. */
    Outcome run(GpuQueue queue, Experiment experiment, Ordering ordering) {
        CommandList list = begin(queue, experiment.toString());
        List<Range> ranges = new ArrayList<>();
        for (int trial = 0; trial < TRIALS; trial++) {
            Range range = new Range(trial * STRIDE, random.nextInt(MOST_MARGIN), 1 + random.nextInt(MOST_WORDS));
            ranges.add(range);
            trial(list, experiment, ordering, range);
        }
        list.barrier(new BarrierBatch(
                List.of(),
                List.of(),
                List.of(new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                        PipelineStage.COPY.bit(),
                        MemoryAccess.COPY_WRITE.bit(),
                        PipelineStage.HOST.bit(),
                        MemoryAccess.HOST_READ.bit())))));
        submit(queue, list);
        return judge(experiment, ranges);
    }

    private void trial(CommandList list, Experiment experiment, Ordering ordering, Range range) {
        Hazard hazard = experiment.hazard();
        fill(list, shared, range, BEFORE);
        fill(list, copied, range, POISON);
        list.barrier(all());
        work(list, experiment.first(), hazard.firstWrites(), range, firstWords, FIRST, delay);
        if (experiment.between() != null) {
            unrelated(list, experiment.between(), range);
        }
        list.barrier(ordering.barrier(
                shared,
                range.placeOffset(),
                PLACE_BYTES,
                experiment.first().access(hazard.firstWrites()),
                experiment.second().access(hazard.secondWrites())));
        work(list, experiment.second(), hazard.secondWrites(), range, secondWords, SECOND, 0);
        list.barrier(all());
        Buffer judged = judged(hazard);
        list.beginPass(
                "read back", List.of(use(judged, range, Access.COPY_SRC), use(readback, range, Access.COPY_DST)));
        list.copyBuffer(judged, range.offset(), readback, range.offset(), range.bytes());
        list.endPass();
    }

    private static BarrierBatch all() {
        return new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
    }

    private Buffer judged(Hazard hazard) {
        return hazard == Hazard.WRITE_AFTER_WRITE ? shared : copied;
    }

    private void work(CommandList list, Work work, boolean writes, Range range, Buffer words, int word, int spins) {
        Access access = work.access(writes);
        if (work == Work.FILL) {
            fill(list, shared, range, word);
        } else if (work == Work.COPY) {
            Buffer source = writes ? words : shared;
            Buffer target = writes ? shared : copied;
            list.beginPass("copy", List.of(use(source, range, Access.COPY_SRC), use(target, range, Access.COPY_DST)));
            list.copyBuffer(source, range.offset(), target, range.offset(), range.bytes());
            list.endPass();
        } else if (writes) {
            list.beginPass("store", List.of(use(shared, range, access)));
            store(list, shared, range, word, spins);
            list.endPass();
        } else {
            list.beginPass(
                    "load", List.of(use(shared, range, access), use(copied, range, Access.STORAGE_WRITE_COMPUTE)));
            list.bindPipeline(pipelines.load());
            list.bindBuffer("Source", shared, range.placeOffset(), PLACE_BYTES);
            list.bindBuffer("Target", copied, range.placeOffset(), PLACE_BYTES);
            dispatch(list, range, 0, spins);
            list.endPass();
        }
    }

    private void unrelated(CommandList list, Work work, Range range) {
        switch (work) {
            case FILL -> fill(list, unrelated, range, POISON);
            case COPY -> {
                list.beginPass(
                        "unrelated copy",
                        List.of(use(firstWords, range, Access.COPY_SRC), use(unrelated, range, Access.COPY_DST)));
                list.copyBuffer(firstWords, range.offset(), unrelated, range.offset(), range.bytes());
                list.endPass();
            }
            case DISPATCH -> {
                list.beginPass("unrelated store", List.of(use(unrelated, range, Access.STORAGE_WRITE_COMPUTE)));
                store(list, unrelated, range, POISON, 0);
                list.endPass();
            }
        }
    }

    private static void fill(CommandList list, Buffer buffer, Range range, int word) {
        list.beginPass("fill", List.of(use(buffer, range, Access.COPY_DST)));
        list.fillBuffer(buffer, range.offset(), range.bytes(), word);
        list.endPass();
    }

    private void store(CommandList list, Buffer buffer, Range range, int word, int spins) {
        list.bindPipeline(pipelines.store());
        list.bindBuffer("Target", buffer, range.placeOffset(), PLACE_BYTES);
        dispatch(list, range, word, spins);
    }

    private void dispatch(CommandList list, Range range, int word, int spins) {
        list.pushConstants(pipelines.push(range.margin(), range.count(), spins, word));
        list.dispatch((range.count() + LitmusPipelines.GROUP - 1) / LitmusPipelines.GROUP, 1, 1);
    }

    private static ResourceUse use(Buffer buffer, Range range, Access access) {
        return new ResourceUse.OfBuffer(buffer, range.offset(), range.bytes(), access, !access.reads());
    }

    /** Begins a list whose commands come after those of all lists before. */
    private CommandList begin(GpuQueue queue, String label) {
        CommandList list = context.beginCommands(queue, label);
        list.barrier(all());
        return list;
    }

    private void submit(GpuQueue queue, CommandList list) {
        list.end();
        boolean moves = last != null && !last.queue().equals(queue);
        List<Submission.Wait> waits =
                moves ? List.of(new Submission.Wait(last, PipelineStage.ALL_COMMANDS.bit())) : List.of();
        TimelinePoint point = queue.submit(new Submission(list.label(), List.of(list), waits));
        last = point;
        if (!queue.timeline().await(point.value(), LONG)) {
            throw new IllegalStateException("queue '" + queue.name() + "' does not finish '" + list.label() + "'");
        }
        context.reset();
    }

    private Outcome judge(Experiment experiment, List<Range> ranges) {
        int right = switch (experiment.hazard()) {
            case READ_AFTER_WRITE -> FIRST;
            case WRITE_AFTER_READ -> BEFORE;
            case WRITE_AFTER_WRITE -> SECOND;
        };
        IntBuffer words = readback.mapped().asIntBuffer();
        int wrong = 0;
        String example = "";
        for (Range range : ranges) {
            for (int i = range.first(); i < range.first() + range.count(); i++) {
                if (words.get(i) != right) {
                    wrong++;
                    if (example.isEmpty()) {
                        example = "word %d of %d from word %d on is 0x%08x instead of 0x%08x"
                                .formatted(i - range.first(), range.count(), range.first(), words.get(i), right);
                    }
                    break;
                }
            }
        }
        return new Outcome(ranges.size(), wrong, example);
    }

    @Override
    public void close() {
        pipelines.close();
        shared.close();
        copied.close();
        unrelated.close();
        firstWords.close();
        secondWords.close();
        readback.close();
        context.close();
    }
}
