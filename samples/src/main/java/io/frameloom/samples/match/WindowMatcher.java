package io.frameloom.samples.match;

import static io.frameloom.samples.match.WindowBuffers.COUNTS;
import static io.frameloom.samples.match.WindowBuffers.FOLDED;
import static io.frameloom.samples.match.WindowBuffers.FOLD_WORDS;
import static io.frameloom.samples.match.WindowBuffers.whole;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.compute.BracketArguments;
import io.frameloom.gpu.compute.BracketInput;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.CompactArguments;
import io.frameloom.gpu.compute.ElementType;
import io.frameloom.gpu.compute.PrefixScan;
import io.frameloom.gpu.compute.ScanArguments;
import io.frameloom.gpu.compute.ScanKind;
import io.frameloom.gpu.compute.ScanOperator;
import io.frameloom.gpu.compute.StreamCompaction;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Matches the brackets of one window of bytes on a device. A scan moves them together, they are matched and folded to
 * what they do to the depth. Those without partner are read back. One thread.
 */
final class WindowMatcher implements WindowMatching {
    private static final Access READ = Access.STORAGE_READ_COMPUTE;
    private static final Access WRITE = Access.STORAGE_WRITE_COMPUTE;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final BarrierBatch AFTER_EACH =
            new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
    static final ShaderIncludes FILES =
            ShaderIncludes.classPath(WindowMatcher.class.getClassLoader(), "io/frameloom/samples/match");

    private final GpuDevice device;
    private final int capacity;
    private final OwnedObjects made = new OwnedObjects();
    private final FrameContext frame;
    private final PrefixScan scan;
    private final BracketMatch match;
    private final StreamCompaction compaction;
    private final ComputePipeline count;
    private final ComputePipeline place;
    private final ComputePipeline mark;
    private final ComputePipeline fold;
    private final WindowBuffers buffers;
    private long deviceNanos;

    /**
     * Makes the pipelines and the memory.
     *
     * @param bytes bytes that windows should have; fewer where the device cannot hold them
     */
    WindowMatcher(GpuDevice device, int bytes) {
        this.device = device;
        try {
            frame = made.own(device.createFrameContext("match"));
            scan = made.own(PrefixScan.create(device, ScanOperator.sum(ElementType.U32)));
            match = made.own(BracketMatch.create(device, BracketInput.WORDS));
            compaction = made.own(StreamCompaction.create(device, ElementType.U32));
            count = made.own(pipeline(device, "count", new MatchKernels.Count()));
            place = made.own(pipeline(device, "place", new MatchKernels.Place()));
            mark = made.own(pipeline(device, "mark", new MatchKernels.Mark()));
            fold = made.own(pipeline(device, "fold", new MatchKernels.Fold()));
            long most = Math.min(match.maxLength(), device.capabilities().maxStorageRange() / Integer.BYTES);
            capacity = (int) Math.min(Math.min(bytes, Bracket.MOST_BYTES), most);
            long scratch = Math.max(match.scratchBytes(capacity), compaction.scratchBytes(capacity));
            buffers =
                    made.own(new WindowBuffers(device, capacity, Math.max(scratch, scan.scratchBytes(runs(capacity)))));
        } catch (RuntimeException | Error e) {
            made.closeAfter(e);
            throw e;
        }
    }

    private static ComputePipeline pipeline(GpuDevice device, String stage, CpuKernel kernel) {
        ShaderSource source = ShaderSource.file(stage + ".comp", ShaderStage.COMPUTE, FILES);
        return device.createComputePipeline(new ComputePipelineDescription("match-" + stage, source, kernel));
    }

    private static long runs(int bytes) {
        return (bytes + 31L) / 32;
    }

    /** Returns how many bytes a window can have. */
    int capacity() {
        return capacity;
    }

    @Override
    public ByteBuffer window() {
        return buffers.upload.mapped().limit(capacity);
    }

    /** As the host of the device sees it. */
    @Override
    public long deviceNanos() {
        return deviceNanos;
    }

    @Override
    public WindowResult match(int bytes) {
        int brackets = bytes == 0 ? 0 : find(bytes);
        if (brackets == 0) {
            return WindowResult.NOTHING;
        }
        long folds = (brackets + FOLDED - 1L) / FOLDED;
        execute(list -> pair(list, brackets, folds));
        ByteBuffer results = results();
        int alone = results.getInt(Integer.BYTES);
        WindowResult folded = folded(results, brackets, (int) folds);
        if (alone == 0) {
            return folded;
        }
        execute(list -> bring(list, buffers.links, (long) alone * Integer.BYTES, 0));
        int[] words = new int[alone];
        results().asIntBuffer().get(words);
        return new WindowResult(
                brackets, folded.rise(), folded.top(), folded.wrong(), folded.wrongClose(), folded.wrongOpen(), words);
    }

    private ByteBuffer results() {
        return buffers.readback.mapped().order(ByteOrder.nativeOrder());
    }

    /** Moves the brackets of a window together and returns their number. */
    private int find(int bytes) {
        execute(list -> {
            long runs = runs(bytes);
            long textBytes = runs * 32;
            long placeBytes = runs * Integer.BYTES;
            List<ResourceUse> uploading = List.of(
                    use(buffers.upload, textBytes, Access.COPY_SRC), use(buffers.text, textBytes, Access.COPY_DST));
            pass(list, "upload", uploading, () -> list.copyBuffer(buffers.upload, 0, buffers.text, 0, textBytes));
            pass(
                    list,
                    "count",
                    List.of(use(buffers.text, textBytes, READ), use(buffers.places, placeBytes, WRITE)),
                    () -> {
                        bind(list, count, bytes, "MatchText", buffers.text, "MatchPlaces", buffers.places);
                        list.dispatch(groups(runs, 128), 1, 1);
                    });
            BufferRange places = whole(buffers.places);
            ScanArguments scanned = new ScanArguments(ScanKind.EXCLUSIVE, runs, places, places, whole(buffers.scratch));
            pass(list, "scan", scan.uses(scanned), () -> scan.record(list, scanned));
            long most = bytes * (long) Integer.BYTES;
            List<ResourceUse> placing = List.of(
                    use(buffers.text, textBytes, READ),
                    use(buffers.places, placeBytes, READ),
                    use(buffers.brackets, most, WRITE),
                    use(buffers.opens, most, WRITE),
                    use(buffers.counts, Integer.BYTES, WRITE));
            pass(list, "place", placing, () -> {
                bind(list, place, bytes, "MatchText", buffers.text, "MatchPlaces", buffers.places);
                bind(list, "MatchBrackets", buffers.brackets);
                bind(list, "MatchOpens", buffers.opens);
                bind(list, "MatchCount", buffers.counts);
                list.dispatch(groups(runs, 128), 1, 1);
            });
            bring(list, buffers.counts, Integer.BYTES, 0);
        });
        return results().getInt(0);
    }

    private void pair(CommandList list, int brackets, long folds) {
        BracketArguments matched =
                new BracketArguments(brackets, whole(buffers.opens), whole(buffers.links), whole(buffers.scratch));
        pass(list, "match", match.uses(matched), () -> match.record(list, matched));
        long bytes = brackets * (long) Integer.BYTES;
        List<ResourceUse> marking = List.of(
                use(buffers.brackets, bytes, READ), use(buffers.links, bytes, READ), use(buffers.opens, bytes, WRITE));
        pass(list, "mark", marking, () -> {
            bind(list, mark, brackets, "MatchBrackets", buffers.brackets, "MatchLinks", buffers.links);
            bind(list, "MatchOpens", buffers.opens);
            list.dispatch(groups(brackets, 512), 1, 1);
        });
        List<ResourceUse> folding = List.of(
                use(buffers.brackets, bytes, READ),
                use(buffers.links, bytes, READ),
                use(buffers.opens, bytes, READ),
                use(buffers.keep, runs(brackets) * Integer.BYTES, WRITE),
                use(buffers.folds, folds * FOLD_WORDS * Integer.BYTES, WRITE));
        pass(list, "fold", folding, () -> {
            bind(list, fold, brackets, "MatchBrackets", buffers.brackets, "MatchLinks", buffers.links);
            bind(list, "MatchOpens", buffers.opens);
            bind(list, "MatchKeep", buffers.keep);
            bind(list, "MatchFolds", buffers.folds);
            list.dispatch((int) folds, 1, 1);
        });
        // The links have been used: what has no partner takes their place.
        CompactArguments left = new CompactArguments(
                brackets,
                whole(buffers.brackets),
                whole(buffers.keep),
                whole(buffers.links),
                new BufferRange(buffers.counts, Integer.BYTES, Integer.BYTES),
                whole(buffers.scratch));
        pass(list, "compact", compaction.uses(left), () -> compaction.record(list, left));
        bring(list, buffers.counts, (long) COUNTS * Integer.BYTES, 0);
        bring(list, buffers.folds, folds * FOLD_WORDS * Integer.BYTES, (long) COUNTS * Integer.BYTES);
    }

    private static WindowResult folded(ByteBuffer results, int brackets, int folds) {
        int net = 0;
        int lowest = 0;
        int rise = Integer.MIN_VALUE;
        int top = 0;
        int wrong = 0;
        int wrongClose = 0;
        int wrongOpen = 0;
        for (int f = 0; f < folds; f++) {
            int at = (COUNTS + f * FOLD_WORDS) * Integer.BYTES;
            int itsNet = results.getInt(at);
            int itsRise = results.getInt(at + 8);
            rise = Math.max(rise, net + itsRise);
            top = Math.max(top, Math.max(lowest + itsRise, results.getInt(at + 12)));
            lowest = Math.max(lowest + itsNet, results.getInt(at + 4));
            net += itsNet;
            int itsWrong = results.getInt(at + 16);
            if (wrong == 0 && itsWrong != 0) {
                wrongClose = results.getInt(at + 20);
                wrongOpen = results.getInt(at + 24);
            }
            wrong += itsWrong;
        }
        return new WindowResult(brackets, rise, top, wrong, wrongClose, wrongOpen, new int[0]);
    }

    private static ResourceUse use(Buffer buffer, long bytes, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, bytes, access, false);
    }

    private static int groups(long elements, int group) {
        return (int) ((elements + group - 1) / group);
    }

    private static void bind(
            CommandList list, ComputePipeline pipeline, int constant, String a, Buffer first, String b, Buffer second) {
        list.bindPipeline(pipeline);
        bind(list, a, first);
        bind(list, b, second);
        list.pushConstants(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(constant)
                .flip());
    }

    private static void bind(CommandList list, String name, Buffer buffer) {
        list.bindBuffer(name, buffer, 0, buffer.description().bytes());
    }

    private void bring(CommandList list, Buffer from, long bytes, long to) {
        List<ResourceUse> uses = List.of(
                use(from, bytes, Access.COPY_SRC),
                new ResourceUse.OfBuffer(buffers.readback, to, bytes, Access.COPY_DST, false));
        pass(list, "bring", uses, () -> list.copyBuffer(from, 0, buffers.readback, to, bytes));
    }

    private static void pass(CommandList list, String name, List<ResourceUse> uses, Runnable body) {
        list.beginPass(name, uses);
        body.run();
        list.endPass();
        list.barrier(AFTER_EACH);
    }

    private void execute(Consumer<CommandList> recorder) {
        long start = System.nanoTime();
        CommandList list = frame.beginCommands(device.queues().get(0), "window");
        recorder.accept(list);
        list.end();
        long value = device.queues()
                .get(0)
                .submit(new Submission("window", List.of(list), List.of()))
                .value();
        if (!device.queues().get(0).timeline().await(value, PATIENCE)) {
            throw new GpuException("the device has not matched a window of " + capacity + " bytes within "
                    + PATIENCE.toSeconds() + " s");
        }
        frame.reset();
        deviceNanos += System.nanoTime() - start;
    }

    @Override
    public void close() {
        made.close();
    }
}
