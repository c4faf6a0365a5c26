package io.frameloom.stress.gpu;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FrameSync;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Frames of render graphs, as a renderer has them on a bad day: each frame is another graph, its window is resized and
 * lost, pipelines come and go, shaders are edited into what does not compile and back, bodies throw, and memory runs out.
 * What a history and a chain of transients hold is held against a model on the host, and every event of every frame must
 * arrive. On request the demo's city is a part of each graph. One thread beside those of the task graph.
 */
final class SoakFrames implements AutoCloseable {
    private static final int WORDS = 1024;
    private static final long BYTES = 4L * WORDS;
    private static final int FRAMES_IN_FLIGHT = 3;
    private static final int MOST_STEPS = 6;
    private static final int FAIL_FRAMES = 19;
    private static final int RESIZE_FRAMES = 31;
    private static final int EDIT_FRAMES = 59;
    private static final int NEW_PIPELINE_FRAMES = 23;
    private static final int NEW_WINDOW_FRAMES = 67;
    private static final int NO_MEMORY_FRAMES = 43;
    private static final int NEW_CITY_FRAMES = 71;
    private static final int EXTENT = 64;
    private static final Duration LONG = Duration.ofMinutes(2);

    private final GpuDevice device;
    private final TaskGraph tasks;
    private final SplittableRandom random;
    private final FrameExecutor executor;
    private final QueueTopology queues;
    private final MemorySizer sizer;
    /** Each frame takes one of them, so that also plans of equal graphs differ. */
    private final List<RenderGraphCompiler> compilers;

    private final SoakShaders shaders;
    private final @Nullable SoakWindow window;
    private final @Nullable SoakCity city;
    private final List<Buffer> histories;
    private final List<Slot> slots = new ArrayList<>();
    /** What frames show that have no image of the window. */
    private Texture screen;

    private final List<String> problems = new ArrayList<>();
    private final AtomicLong events = new AtomicLong();
    private final int[] model = new int[WORDS];
    /** Whether the history holds nothing, as at the start and after a frame that failed. */
    private boolean forgotten = true;

    private long frames;
    private long failed;
    private long refused;
    private long resized;

    /** A frame in flight. */
    private static final class Slot {
        private final Buffer words;
        /** Old direct buffers are freed by full collections alone, so new ones in each frame would look like a leak. */
        private final ByteBuffer advance = direct(8);

        private final ByteBuffer step = direct(8);
        private final ByteBuffer color = direct(16);
        private int[] expected = new int[0];
        private @Nullable Buffer picture;
        private int texel;
        private @Nullable FrameHandle frame;
        private final List<GraphEvent> seen = new ArrayList<>();
        private final SoakCity.@Nullable Slot city;

        Slot(Buffer words, SoakCity.@Nullable Slot city) {
            this.words = words;
            this.city = city;
        }

        private static ByteBuffer direct(int bytes) {
            return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        }
    }

    /** What a body throws on purpose. */
    private static final class Injected extends RuntimeException {
        private static final long serialVersionUID = 1;

        Injected() {
            super("thrown on purpose");
        }
    }

    /**
     * Opens what the frames need.
     *
     * @param tasks has a thread {@link NamedThread#RHI}
     * @param windows whether the device has surfaces
     * @param withCity whether the city is a part of the frames
     */
    SoakFrames(GpuDevice device, TaskGraph tasks, SplittableRandom random, boolean windows, boolean withCity) {
        this.device = device;
        this.tasks = tasks;
        this.random = random;
        executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults());
        queues = QueueTopology.of(device);
        sizer = MemorySizer.of(device);
        RdgOptions options = RdgOptions.defaults();
        compilers = Stream.of(
                        options,
                        options.withPassLimits(1, 1),
                        options.withAsync(AsyncCompute.ALL),
                        options.withAsync(AsyncCompute.OFF).withMergeRenderPasses(false),
                        options.withAliasing(false))
                .map(RenderGraphCompiler::new)
                .toList();
        shaders = new SoakShaders(device, tasks);
        city = withCity ? new SoakCity(device, tasks, EXTENT, EXTENT) : null;
        window = windows ? new SoakWindow(device) : null;
        BufferDescription history =
                BufferDescription.device(BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
        histories = List.of(device.createBuffer("history 0", history), device.createBuffer("history 1", history));
        screen = screen(EXTENT, EXTENT);
        for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
            slots.add(new Slot(
                    device.createBuffer("words " + i, BufferDescription.readback(BYTES)),
                    city == null ? null : city.slot()));
        }
    }

    /** Runs one frame, after what happens before it; all of it is submitted then. */
    void frame() {
        Slot slot = slots.get((int) (frames % FRAMES_IN_FLIGHT));
        complete(slot);
        if (isTime(RESIZE_FRAMES)) {
            resize(16 + random.nextInt(240), 16 + random.nextInt(240));
        }
        if (window != null && isTime(NEW_WINDOW_FRAMES)) {
            submitted();
            window.lose();
        }
        if (isTime(NEW_PIPELINE_FRAMES)) {
            recorded();
            shaders.replaceStep(random.nextInt(1, 100));
            shaders.closeReplaced(completed());
        }
        if (isTime(EDIT_FRAMES)) {
            recorded();
            problems.addAll(shaders.edit(random.nextInt(1, 100)));
            shaders.closeReplaced(completed());
        }
        if (isTime(NO_MEMORY_FRAMES)) {
            askForTooMuch();
        }
        if (city != null && isTime(NEW_CITY_FRAMES)) {
            completed().awaitCompletion();
            city.renew();
        }
        render(slot, isTime(FAIL_FRAMES));
        frames++;
    }

    private boolean isTime(int period) {
        return frames % period == period - 1;
    }

    /** Waits until no body of a former frame is left to run; the device may be at work on them. */
    private void recorded() {
        slots.forEach(slot -> {
            if (slot.frame != null) {
                slot.frame.recorded().awaitCompletion();
            }
        });
    }

    private void submitted() {
        slots.forEach(slot -> {
            if (slot.frame != null) {
                slot.frame.submitted().awaitCompletion();
            }
        });
    }

    private GraphEvent completed() {
        List<GraphEvent> all = new ArrayList<>();
        slots.forEach(slot -> {
            if (slot.frame != null) {
                all.add(slot.frame.completed());
            }
        });
        return tasks.whenAll("frames under way", all);
    }

    /** Gives window and screen another size. */
    private void resize(int width, int height) {
        if (window != null) {
            submitted();
            window.resize(width, height);
        }
        completed().awaitCompletion();
        screen.close();
        screen = screen(width, height);
        if (city != null) {
            city.resize(width, height);
        }
        resized++;
    }

    private Texture screen(int width, int height) {
        return device.createTexture(
                "screen",
                TextureDescription.of(
                        width, height, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_DST));
    }

    /** More than the limit of the device: as a buffer, and as a transient of a graph. */
    private void askForTooMuch() {
        BufferDescription large =
                BufferDescription.device(GpuSoakMain.MEMORY_LIMIT + (64L << 20), BufferUsage.COPY_DST);
        try (Buffer buffer = device.createBuffer("too large", large)) {
            problems.add("there is memory for " + buffer.name());
        } catch (GpuOutOfMemoryException expected) {
            refused++;
        }
        RenderGraph graph = new RenderGraph("too large");
        RdgBuffer data = graph.createBuffer("too large", large);
        graph.addPass("fill", PassKind.COPY)
                .overwrites(data, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> context.commands().fillBuffer(context.buffer(data), 0, BYTES, 1));
        try {
            executor.run(graph);
            problems.add("there is memory for graph 'too large'");
        } catch (GpuOutOfMemoryException expected) {
            refused++;
        }
    }

    private void render(Slot slot, boolean fails) {
        int steps = 1 + random.nextInt(MOST_STEPS);
        int thrower = fails ? random.nextInt(steps + 1) : -1;
        int added = random.nextInt();
        RenderGraphCompiler compiler = compilers.get(random.nextInt(compilers.size()));
        RenderGraph graph = executor.beginGraph("soak frame", compiler);
        int parity = (int) (frames & 1);
        RdgBuffer before = graph.registerExternal(histories.get(1 - parity));
        RdgBuffer now = graph.registerExternal(histories.get(parity));
        if (forgotten) {
            graph.addPass("forget", PassKind.COPY)
                    .overwrites(before, Access.COPY_DST)
                    .record(context -> context.commands().fillBuffer(context.buffer(before), 0, BYTES, 0));
            Arrays.fill(model, 0);
            forgotten = false;
        }
        int gain = shaders.gain();
        int step = shaders.step();
        slot.advance.putInt(0, gain).putInt(4, added);
        slot.step.putInt(0, step);
        pass(graph, "advance", before, now, random.nextBoolean(), thrower == 0, commands -> {
            shaders.bindAdvance(commands);
            commands.pushConstants(slot.advance);
        });
        RdgBuffer last = now;
        for (int i = 1; i <= steps; i++) {
            RdgBuffer next =
                    graph.createBuffer("chain " + i, BufferDescription.device(BYTES * (1 + random.nextInt(4))));
            pass(graph, "step " + i, last, next, random.nextBoolean(), thrower == i, commands -> {
                shaders.bindStep(commands);
                commands.pushConstants(slot.step);
            });
            last = next;
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            RdgBuffer unused = graph.createBuffer("unused " + i, BufferDescription.device(BYTES));
            pass(graph, "culled " + i, last, unused, false, true, commands -> {});
        }
        readBack(graph, last, slot.words);
        for (int i = 0; i < WORDS; i++) {
            model[i] = model[i] * 3 + gain + added;
        }
        slot.expected = model.clone();
        for (int i = 0; i < WORDS; i++) {
            slot.expected[i] += steps * step;
        }
        picture(graph, slot);
        SwapchainImage image = window == null ? null : window.acquire();
        RdgTexture shown =
                image == null ? graph.registerExternal(screen, TextureLayout.UNDEFINED) : graph.registerExternal(image);
        if (city != null && slot.city != null) {
            city.declare(graph, slot.city, shown, random.nextBoolean());
        } else {
            graph.addPass("show", PassKind.RASTER)
                    .color(shown, LoadOp.CLEAR, new ClearColor(0, random.nextDouble(), 1, 1))
                    .record(context -> {});
        }
        FrameHandle frame = executor.execute(
                compiler.compile(graph, queues, sizer),
                image == null ? FrameSync.none() : FrameSync.none().presenting(image));
        slot.frame = frame;
        for (GraphEvent event : List.of(frame.recorded(), frame.submitted(), frame.completed())) {
            slot.seen.add(tasks.task("event seen", events::incrementAndGet)
                    .after(FailurePolicy.RUN_ANYWAY, event)
                    .dispatch());
        }
        // The other half of the soak numbers its submissions before it makes them.
        frame.submitted().awaitCompletion();
        if (window != null && image != null) {
            window.presented(frame.presented(image));
        }
        if (fails) {
            fail(slot, frame);
        }
    }

    private interface Recording {
        void record(CommandList commands);
    }

    private static void pass(
            RenderGraph graph,
            String name,
            RdgBuffer source,
            RdgBuffer target,
            boolean async,
            boolean fails,
            Recording recording) {
        var builder = graph.addPass(name, PassKind.COMPUTE)
                .reads(source, Access.STORAGE_READ_COMPUTE)
                .overwrites(target, Access.STORAGE_WRITE_COMPUTE);
        if (async) {
            builder.flag(PassFlag.ASYNC_COMPUTE);
        }
        builder.record(context -> {
            if (fails) {
                throw new Injected();
            }
            CommandList commands = context.commands();
            recording.record(commands);
            commands.bindBuffer("Source", context.buffer(source), 0, BYTES);
            commands.bindBuffer("Target", context.buffer(target), 0, BYTES);
            commands.dispatch(WORDS / SoakShaders.GROUP, 1, 1);
        });
    }

    private static void readBack(RenderGraph graph, RdgBuffer source, Buffer into) {
        RdgBuffer target = graph.registerExternal(into);
        graph.addPass("read back", PassKind.COPY)
                .reads(source, Access.COPY_SRC)
                .overwrites(target, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context ->
                        context.commands().copyBuffer(context.buffer(source), 0, context.buffer(target), 0, BYTES));
    }

    /** A transient picture of any size, all of one colour. */
    private void picture(RenderGraph graph, Slot slot) {
        int width = 16 + random.nextInt(180);
        int height = 16 + random.nextInt(180);
        int red = random.nextInt(2);
        slot.color.putFloat(0, red).putFloat(4, 1).putFloat(8, 0).putFloat(12, 1);
        RdgTexture scene = graph.createTexture("scene", TextureDescription.of(width, height, Format.R8G8B8A8_UNORM));
        graph.addPass("scene", PassKind.RASTER)
                .color(scene, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {
                    shaders.bindPaint(context.commands());
                    context.commands().pushConstants(slot.color);
                    context.commands().draw(3, 1, 0, 0);
                });
        Buffer buffer = device.createBuffer("picture", BufferDescription.readback(4L * width * height));
        RdgBuffer target = graph.registerExternal(buffer);
        graph.addPass("read picture", PassKind.COPY)
                .reads(scene, Access.COPY_SRC)
                .overwrites(target, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context -> context.commands()
                        .copyTextureToBuffer(context.texture(scene), 0, 0, context.buffer(target), 0));
        slot.picture = buffer;
        slot.texel = red * 0xff | 0xff00 | 0xff000000;
    }

    /** Waits for a frame that fails, and goes on without its history. */
    private void fail(Slot slot, FrameHandle frame) {
        try {
            boolean ended = frame.completed().await(LONG);
            problems.add("frame " + frames + (ended ? " has not failed" : " that fails does not end"));
        } catch (TaskFailedException expected) {
            Throwable root = expected;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            if (!(root instanceof Injected)) {
                problems.add("frame " + frames + " has failed by " + root);
            }
        }
        if (city != null) {
            completed().awaitCompletion();
            city.forget();
        }
        failed++;
        forgotten = true;
        slot.expected = new int[0];
    }

    private void complete(Slot slot) {
        FrameHandle frame = slot.frame;
        if (frame == null) {
            return;
        }
        boolean whole = slot.expected.length > 0;
        try {
            if (whole && !frame.completed().await(LONG)) {
                problems.add(frame + " does not complete: " + frame.completed().explain());
                return;
            }
        } catch (TaskFailedException unasked) {
            problems.add(frame + " has failed: " + unasked);
            slot.expected = new int[0];
            whole = false;
            forgotten = true;
        }
        for (GraphEvent seen : slot.seen) {
            if (!seen.await(LONG)) {
                problems.add("an event of " + frame + " was missed: " + seen.explain());
            }
        }
        slot.seen.clear();
        slot.frame = null;
        IntBuffer words = slot.words.mapped().asIntBuffer();
        for (int i = 0; i < slot.expected.length; i++) {
            if (words.get(i) != slot.expected[i]) {
                problems.add("word " + i + " of " + frame + " is 0x" + Integer.toHexString(words.get(i))
                        + " instead of 0x" + Integer.toHexString(slot.expected[i]));
                break;
            }
        }
        Buffer picture = slot.picture;
        if (picture != null) {
            IntBuffer texels = picture.mapped().asIntBuffer();
            for (int i = 0; whole && device.capabilities().renders() && i < texels.limit(); i++) {
                if (texels.get(i) != slot.texel) {
                    problems.add("texel " + i + " of " + frame + " is 0x" + Integer.toHexString(texels.get(i))
                            + " instead of 0x" + Integer.toHexString(slot.texel));
                    break;
                }
            }
            picture.close();
            slot.picture = null;
        }
        if (city != null && slot.city != null && city.isBlank(slot.city, whole)) {
            problems.add("the city of " + frame + " is all of one colour");
        }
    }

    /** Waits for all frames. */
    void drain() {
        slots.forEach(this::complete);
        if (events.get() != 3 * frames) {
            problems.add(events.get() + " events of " + frames + " frames were seen instead of " + 3 * frames);
        }
    }

    /** Returns what was wrong so far, each in a line. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Returns the number of frames so far. */
    long frames() {
        return frames;
    }

    /** Returns the number of frames so far whose bodies threw. */
    long failed() {
        return failed;
    }

    /** Returns what has happened so far, on a line. */
    String summary() {
        return frames + " frames of other graphs, " + (city == null ? "" : city.summary() + "; ") + failed
                + " of them failed by bodies that throw; "
                + resized + " resizes; " + (window == null ? "no surface" : window.summary()) + "; " + shaders.summary()
                + "; " + refused
                + " requests for more memory than there is";
    }

    @Override
    public void close() {
        executor.close();
        device.waitIdle();
        slots.forEach(slot -> {
            slot.words.close();
            if (slot.picture != null) {
                slot.picture.close();
            }
        });
        histories.forEach(Buffer::close);
        screen.close();
        shaders.close();
        if (city != null) {
            city.close();
        }
        if (window != null) {
            window.close();
        }
    }
}
