package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Resource.Placement;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PlanReuse;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Frames of one random shape whose numbers, outputs and kept state differ: everything that is bound anew to a reused plan
 * changes from frame to frame. Compared with a serial model; what was submitted is written down.
 */
final class RepeatedFrames {
    private static final BufferDescription DATA =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    private final long seed;
    private final boolean readsBack;
    /** Whether all frames are declared into one graph, or each into one of its own. */
    private final boolean oneGraph;

    /**
     * What came of running.
     *
     * @param submissions what was submitted, in words
     * @param reuse how often the plan was reused
     */
    record Outcome(List<String> submissions, PlanReuse reuse) {}

    /** Hands on to the checker and writes down; submissions come from the submit thread alone. */
    private static final class Recorder implements SubmissionObserver {
        private final HazardChecker checker = new HazardChecker();
        private final List<String> submissions = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void submitted(SubmissionRecord record) {
            submissions.add(text(record));
            checker.submitted(record);
        }

        @Override
        public void hostWaited(TimelinePoint point) {
            checker.hostWaited(point);
        }
    }

    RepeatedFrames(long seed) {
        this(seed, false);
    }

    RepeatedFrames(long seed, boolean oneGraph) {
        this.seed = seed;
        this.oneGraph = oneGraph;
        this.readsBack = seed % 2 == 0;
    }

    Outcome run(int frames, int queues, RdgOptions options) {
        Recorder recorder = new Recorder();
        RenderGraphCompiler compiler = new RenderGraphCompiler(options);
        try (TaskGraph tasks = TaskGraph.builder().name("rig").workers(2).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = VirtualDevices.open(
                            new VirtualGpuOptions(queues, seed), new DeviceOptions(tasks, "reuse", false, recorder));
                    FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults());
                    ComputePipeline mix = MixKernel.create(device);
                    Buffer even = device.createBuffer("state", DATA);
                    Buffer odd = device.createBuffer("state", DATA)) {
                run(frames, device, executor, compiler, mix, List.of(even, odd));
            }
        }
        assertThat(recorder.checker.hazards()).isEmpty();
        assertThat(recorder.checker.undeclared()).isEmpty();
        return new Outcome(List.copyOf(recorder.submissions), compiler.planReuse());
    }

    private void run(
            int frames,
            GpuDevice device,
            FrameExecutor executor,
            RenderGraphCompiler compiler,
            ComputePipeline mix,
            List<Buffer> state) {
        Random salts = new Random(~seed);
        List<int[]> expected = new ArrayList<>();
        List<RdgReadback> readbacks = new ArrayList<>();
        List<Buffer> results = new ArrayList<>();
        int[] kept = new int[MixKernel.WORDS];
        try {
            FrameHandle last = null;
            RenderGraph one = new RenderGraph("first");
            for (int frame = 0; frame < frames; frame++) {
                String name = "repeated " + frame;
                RenderGraph graph = oneGraph ? one.reset(name) : new RenderGraph(name);
                Declaring declaring = new Declaring(graph, mix, salts);
                kept = declaring.declare(
                        frame == 0, state.get(frame % 2), state.get((frame + 1) % 2), kept, new Random(seed));
                expected.add(declaring.newest.contents);
                if (readsBack) {
                    readbacks.add(ReadbackPasses.buffer(graph, declaring.newest.buffer));
                } else {
                    Buffer result = device.createBuffer("result", BufferDescription.readback(MixKernel.BYTES));
                    results.add(result);
                    copyOut(graph, declaring.newest.buffer, graph.registerExternal(result));
                }
                last = executor.execute(compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device)));
            }
            if (last != null) {
                last.completed().await();
            }
            for (int frame = 0; frame < frames; frame++) {
                int[] found = readsBack ? words(readbacks.get(frame)) : RandomFrames.words(results.get(frame));
                assertThat(found).as("seed %d, frame %d", seed, frame).isEqualTo(expected.get(frame));
            }
            executor.close();
        } finally {
            results.forEach(Buffer::close);
        }
    }

    private static int[] words(RdgReadback readback) {
        ByteBuffer bytes = readback.bytes().join().order(ByteOrder.nativeOrder());
        int[] words = new int[bytes.remaining() / 4];
        bytes.asIntBuffer().get(words);
        return words;
    }

    private static void copyOut(RenderGraph graph, RdgBuffer from, RdgBuffer out) {
        graph.addPass("read back", PassKind.COPY)
                .reads(from, Access.COPY_SRC)
                .overwrites(out, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context -> context.commands()
                        .copyBuffer(context.buffer(from), 0, context.buffer(out), 0, MixKernel.BYTES));
    }

    /** A value of the graph with what the serial model says it contains. */
    private static final class Value {
        private final RdgBuffer buffer;
        private final int[] contents;

        Value(RdgBuffer buffer, int[] contents) {
            this.buffer = buffer;
            this.contents = contents;
        }
    }

    /** Declares one frame: the shape from one source of chance that is the same for all frames, the numbers from another. */
    private static final class Declaring {
        private final RenderGraph graph;
        private final ComputePipeline mix;
        private final Random salts;
        private final List<Value> values = new ArrayList<>();
        private Value newest;

        Declaring(RenderGraph graph, ComputePipeline mix, Random salts) {
            this.graph = graph;
            this.mix = mix;
            this.salts = salts;
            int word = salts.nextInt();
            RdgBuffer seeded = graph.createBuffer("seed", DATA);
            graph.addPass("seed", PassKind.COPY)
                    .overwrites(seeded, Access.COPY_DST)
                    .record(context -> context.commands().fillBuffer(context.buffer(seeded), 0, MixKernel.BYTES, word));
            int[] filled = new int[MixKernel.WORDS];
            Arrays.fill(filled, word);
            newest = new Value(seeded, filled);
            values.add(newest);
        }

        int[] declare(boolean first, Buffer from, Buffer to, int[] kept, Random shape) {
            RdgBuffer former = graph.registerExternal(from);
            if (first) {
                graph.addPass("clear", PassKind.COPY)
                        .overwrites(former, Access.COPY_DST)
                        .record(context ->
                                context.commands().fillBuffer(context.buffer(former), 0, MixKernel.BYTES, 0));
            }
            values.add(new Value(former, kept));
            int count = 3 + shape.nextInt(10);
            for (int i = 0; i < count; i++) {
                newest = mix("mix " + i, graph.createBuffer("t" + i, DATA), pick(shape), pick(shape), shape);
                values.add(newest);
            }
            return mix("keep", graph.registerExternal(to), newest, pick(shape), shape).contents;
        }

        private Value pick(Random shape) {
            return values.get(values.size() - 1 - Math.min(values.size() - 1, shape.nextInt(4)));
        }

        private Value mix(String name, RdgBuffer target, Value a, Value b, Random shape) {
            int salt = salts.nextInt();
            PassBuilder pass = graph.addPass(name, PassKind.COMPUTE).reads(a.buffer, Access.STORAGE_READ_COMPUTE);
            if (a.buffer != b.buffer) {
                pass.reads(b.buffer, Access.STORAGE_READ_COMPUTE);
            }
            if (shape.nextInt(3) == 0) {
                pass.flag(PassFlag.ASYNC_COMPUTE);
            }
            pass.overwrites(target, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> MixKernel.dispatch(
                            context.commands(),
                            mix,
                            context.buffer(a.buffer),
                            context.buffer(b.buffer),
                            context.buffer(target),
                            salt));
            return new Value(target, MixKernel.mix(a.contents, b.contents, salt));
        }
    }

    /** Everything of a submission, with the names of queues and resources in the place of objects. */
    static String text(SubmissionRecord record) {
        StringBuilder text = new StringBuilder(record.queue().name() + " '" + record.label() + "' -> " + record.value()
                + " stages " + record.signalStages() + " waits");
        record.waits()
                .forEach(wait -> text.append(' ')
                        .append(wait.point().queue().name())
                        .append('@')
                        .append(wait.point().value())
                        .append('/')
                        .append(wait.stages()));
        for (SubmissionRecord.Command command : record.commands()) {
            if (command instanceof SubmissionRecord.Pass pass) {
                text.append("\n pass ").append(pass.name());
                pass.uses().forEach(use -> text.append("\n  ").append(use(use)));
            } else if (command instanceof SubmissionRecord.Barrier barrier) {
                text.append("\n barrier ").append(barrier.batch().globals());
                for (BarrierBatch.BufferBarrier one : barrier.batch().buffers()) {
                    text.append(
                            "\n  " + one.buffer().name() + " " + one.offset() + "+" + one.bytes() + " " + one.scope());
                }
                assertThat(barrier.batch().textures()).isEmpty();
            }
        }
        return text.toString();
    }

    private static String use(ResourceUse use) {
        ResourceUse.OfBuffer buffer = (ResourceUse.OfBuffer) use;
        Placement placement = buffer.resource().placement();
        String place = placement == null ? "of its own" : placement.heap().name() + "@" + placement.offset();
        return buffer.resource().name() + " " + place + " " + buffer.offset() + "+" + buffer.bytes() + " "
                + buffer.access() + " " + buffer.discard();
    }
}
