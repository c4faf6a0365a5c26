package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.rdg.BufferExtraction;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueuedGraphs;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Random sequences of a few random graphs that share buffers of the application, with passes on all queues of a device,
 * compared with a serial model of the same passes. Some hand out buffers that are given back at once.
 */
final class RandomSequences {
    private static final BufferDescription DATA =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    private static final int SHARED = 5;
    private static final int SHAPES = 3;

    /** What frames do beside what they declare. */
    enum Kind {
        /** Nothing. */
        DECLARED,
        /** Some have passes with untracked accesses. */
        UNTRACKED,
        /** Some fail half-way, before others that do not; every other seed has buffers of one queue family at a time. */
        FAILING,
        /** As those, and some are graphs of one frame. */
        GROUPED
    }

    private static final int MOST_GRAPHS = 4;

    private final GpuDevice device;
    private final FrameExecutor executor;
    private final RdgOptions options;
    private final Random random;
    private final long seed;
    private final Kind kind;
    private final BufferDescription data;
    private final List<Buffer> shared = new ArrayList<>();
    private final int[][] contents = new int[SHARED][MixKernel.WORDS];
    private final Map<List<Step>, FramePlan> plans = new HashMap<>();
    private int graphsLeft;
    private int splits;

    RandomSequences(GpuDevice device, FrameExecutor executor, RdgOptions options, long seed, Kind kind) {
        this.device = device;
        this.executor = executor;
        this.options = options;
        this.random = new Random(seed);
        this.seed = seed;
        this.kind = kind;
        boolean exclusive = (kind == Kind.FAILING || kind == Kind.GROUPED) && seed % 2 == 0;
        data = exclusive ? DATA.withSharing(QueueSharing.EXCLUSIVE) : DATA;
    }

    /** A pass of a shape: what it reads and writes, by number; numbers from {@link #SHARED} on are transients. */
    private record Step(int queue, int first, int second, int target, boolean untracked) {}

    /** Runs frames, several in flight, and compares what the shared buffers contain in the end. */
    void run(int frames) {
        List<List<Step>> shapes = new ArrayList<>();
        for (int i = 0; i < SHAPES; i++) {
            shapes.add(shape());
        }
        List<Buffer> results = new ArrayList<>();
        try (ComputePipeline mix = MixKernel.create(device)) {
            for (int i = 0; i < SHARED; i++) {
                shared.add(device.createBuffer("shared " + i, data));
                results.add(device.createBuffer("result " + i, BufferDescription.readback(MixKernel.BYTES)));
            }
            boolean failing = kind == Kind.FAILING || kind == Kind.GROUPED;
            for (int frame = 0; failing && frame < frames; frame++) {
                run(mix, shapes.get(random.nextInt(SHAPES)), frame > 0 && random.nextInt(3) == 0, frame == 0);
            }
            for (int frame = 0; frame < frames; frame++) {
                run(mix, shapes.get(random.nextInt(SHAPES)), false, frame == 0);
            }
            if (graphsLeft > 0) {
                executor.endFrame();
            }
            RenderGraph last = new RenderGraph("results");
            for (int i = 0; i < SHARED; i++) {
                RdgBuffer from = last.registerExternal(shared.get(i));
                RdgBuffer to = last.registerExternal(results.get(i));
                last.addPass("0 read back " + i, PassKind.COPY)
                        .reads(from, Access.COPY_SRC)
                        .overwrites(to, Access.COPY_DST)
                        .flag(PassFlag.READBACK)
                        .record(context -> context.commands()
                                .copyBuffer(context.buffer(from), 0, context.buffer(to), 0, MixKernel.BYTES));
            }
            executor.execute(QueuedGraphs.compile(last, name -> 0, options, device))
                    .completed()
                    .await();
            for (int i = 0; i < SHARED; i++) {
                assertThat(RandomFrames.words(results.get(i)))
                        .as("seed %d, shared %d", seed, i)
                        .isEqualTo(contents[i]);
            }
            executor.close();
        } finally {
            results.forEach(Buffer::close);
            shared.forEach(Buffer::close);
        }
    }

    /** Returns how many barriers of the plans so far are split; with that policy a pass of its own follows each other one. */
    int splits() {
        return splits;
    }

    private List<Step> shape() {
        int queues = device.queues().size();
        List<Step> steps = new ArrayList<>();
        int values = SHARED;
        int count = 2 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            int target = random.nextBoolean() ? random.nextInt(SHARED) : values;
            int first = other(target, values);
            int queue = random.nextInt(queues);
            boolean untracked = kind == Kind.UNTRACKED && queue == 0 && random.nextInt(16) == 0;
            steps.add(new Step(queue, first, other(target, values), target, untracked));
            values = Math.max(values, target + 1);
        }
        return steps;
    }

    private int other(int target, int values) {
        int value;
        do {
            value = random.nextInt(values);
        } while (value == target);
        return value;
    }

    /** Executes a frame of a shape; every other seed keeps plans, and the others bind each frame anew. */
    private void run(ComputePipeline mix, List<Step> steps, boolean fails, boolean clears) {
        boolean keeps = seed % 2 == 0 && !fails && !clears;
        int salt = keeps ? steps.size() : random.nextInt();
        BufferExtraction[] extraction = new BufferExtraction[1];
        FramePlan plan = keeps ? plans.get(steps) : null;
        if (plan == null) {
            plan = declare(mix, steps, salt, fails, clears, keeps ? null : extraction);
            if (keeps) {
                plans.put(steps, plan);
            }
        }
        beginFrame();
        executor.execute(plan);
        endFrame();
        if (extraction[0] != null) {
            extraction[0].recycle();
        }
        if (!fails) {
            model(steps, salt, clears);
        }
    }

    private void beginFrame() {
        if (kind == Kind.GROUPED && graphsLeft == 0) {
            graphsLeft = 1 + random.nextInt(MOST_GRAPHS);
            executor.beginFrame();
        }
    }

    private void endFrame() {
        if (kind == Kind.GROUPED && --graphsLeft == 0) {
            executor.endFrame();
        }
    }

    private void model(List<Step> steps, int salt, boolean clears) {
        int[][] values = Arrays.copyOf(contents, SHARED + steps.size());
        for (int i = 0; clears && i < SHARED; i++) {
            values[i] = new int[MixKernel.WORDS];
            Arrays.fill(values[i], i);
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            values[step.target()] = MixKernel.mix(values[step.first()], values[step.second()], salt + i);
        }
        System.arraycopy(values, 0, contents, 0, SHARED);
    }

    private FramePlan declare(
            ComputePipeline mix,
            List<Step> steps,
            int salt,
            boolean fails,
            boolean clears,
            BufferExtraction @Nullable [] extraction) {
        RenderGraph graph = new RenderGraph("random");
        @Nullable RdgBuffer[] buffers = new RdgBuffer[SHARED + steps.size()];
        for (int i = 0; clears && i < SHARED; i++) {
            RdgBuffer buffer = buffer(graph, buffers, i);
            int word = i;
            graph.addPass(random.nextInt(device.queues().size()) + " clear " + i, PassKind.COPY)
                    .overwrites(buffer, Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> context.commands().fillBuffer(context.buffer(buffer), 0, MixKernel.BYTES, word));
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            RdgBuffer first = buffer(graph, buffers, step.first());
            RdgBuffer second = buffer(graph, buffers, step.second());
            RdgBuffer target = buffer(graph, buffers, step.target());
            int mine = salt + i;
            boolean breaks = fails && i == steps.size() / 2;
            PassBuilder pass = graph.addPass(step.queue() + " mix " + i, PassKind.COMPUTE)
                    .reads(first, Access.STORAGE_READ_COMPUTE)
                    .overwrites(target, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.NEVER_CULL);
            if (first != second) {
                pass.reads(second, Access.STORAGE_READ_COMPUTE);
            }
            if (step.untracked()) {
                pass.flag(PassFlag.UNTRACKED_ACCESS);
            }
            pass.record(context -> {
                if (breaks) {
                    throw new IllegalStateException("made to fail");
                }
                MixKernel.dispatch(
                        context.commands(),
                        mix,
                        context.buffer(first),
                        context.buffer(second),
                        context.buffer(target),
                        mine);
            });
            if (options.policy().splitBarriers()) {
                SplitFrames.passBeside(graph, step.queue() + " beside " + i);
            }
        }
        for (int i = SHARED; extraction != null && i < buffers.length; i++) {
            RdgBuffer made = buffers[i];
            if (made != null && random.nextInt(3) == 0) {
                extraction[0] = graph.extract(made);
                break;
            }
        }
        FramePlan plan = QueuedGraphs.compile(graph, name -> name.charAt(0) - '0', options, device);
        splits += SplitFrames.splits(plan);
        return plan;
    }

    private RdgBuffer buffer(RenderGraph graph, @Nullable RdgBuffer[] buffers, int value) {
        RdgBuffer known = buffers[value];
        if (known == null) {
            known = value < SHARED ? graph.registerExternal(shared.get(value)) : graph.createBuffer("t" + value, data);
            buffers[value] = known;
        }
        return known;
    }
}
