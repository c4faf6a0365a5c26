package io.frameloom.samples.demo;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.AsyncGains;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.tools.live.LiveView;
import io.frameloom.rdg.tools.range.FrameRange;
import io.frameloom.samples.AskedDevices;
import io.frameloom.samples.frame.DeferredFrame;
import io.frameloom.samples.frame.MeshletCounts;
import io.frameloom.samples.frame.MeshletForm;
import io.frameloom.samples.frame.SceneBuffers;
import io.frameloom.samples.frame.SceneUpload;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.Simulation;
import io.frameloom.taskgraph.FrameScope;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The loop of the demo: GAME simulates frame N and hands it to RENDER, which declares, compiles and executes its graph,
 * while the device is busy with the frames before. Every method is called on GAME; each of several devices has threads
 * of its own for all of this. A frame has one number, from 0 on,
 * in simulation, task names, graph, executor and all that is written.
 */
final class FrameLoop implements AutoCloseable {
    /** Frames under way at once. */
    static final int FRAMES_IN_FLIGHT = 3;

    private static final double SECONDS_PER_FRAME = 1 / 60.0;

    private final GpuDevice device;
    private final TaskGraph tasks;
    private final NamedThread render;
    private final TraceRecorder trace;
    private final int frames;
    private final Simulation simulation;
    private final SceneBuffers buffers;
    private final DeferredFrame frame;
    private final FrameExecutor executor;
    private final RenderGraphCompiler compiler;
    private final QueueTopology queues;
    private final MemorySizer sizer;
    private final List<Slot> slots = new ArrayList<>();
    private final FrameTimes times;
    /** Declared again in each frame, also after failed ones. */
    private @Nullable RenderGraph graph;

    private @Nullable FramePlan lastPlan;
    private @Nullable FrameHandle lastEnded;
    private List<Capture> checked;
    private @Nullable LiveView live;

    /** One of the frames in flight. */
    private static final class Slot {
        private final FrameSnapshot snapshot;
        private FrameRange.Step step = new FrameRange.Step(-1, true, false);
        private @Nullable FrameScope scope;
        private @Nullable GraphEvent built;
        private @Nullable FrameHandle handle;
        private @Nullable GraphEvent ended;
        private long gameNanos;
        private long renderNanos;

        private final Buffer readback;

        Slot(Scene scene, Buffer readback) {
            snapshot = new FrameSnapshot(scene);
            this.readback = readback;
        }

        void endScope() {
            FrameScope open = scope;
            scope = null;
            if (open != null) {
                open.close();
            }
        }
    }

    /**
     * Creates everything that the frames need, and uploads the scene.
     *
     * @param options how the graphs are compiled
     * @param number of the device among those that share the work, by which its threads are named
     */
    FrameLoop(
            GpuDevice device,
            TaskGraph tasks,
            TraceRecorder trace,
            Scene scene,
            int width,
            int height,
            int frames,
            RdgOptions options,
            int number) {
        this.device = device;
        render = AskedDevices.thread(NamedThread.RENDER, number);
        this.tasks = tasks;
        this.trace = trace;
        this.frames = frames;
        compiler = new RenderGraphCompiler(options);
        queues = QueueTopology.of(device);
        sizer = MemorySizer.of(device);
        times = new FrameTimes();
        simulation = new Simulation(scene, tasks, width, height, DeferredFrame.SHADOW_EXTENT);
        for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
            slots.add(new Slot(
                    scene,
                    device.createBuffer("picture readback " + i, BufferDescription.readback(4L * width * height))));
        }
        buffers = new SceneBuffers(device, scene);
        frame = new DeferredFrame(device, scene, buffers, width, height);
        onRender("upload scene", () -> SceneUpload.upload(device, scene, buffers));
        NamedThread submit = AskedDevices.thread(NamedThread.RHI, number);
        executor = new FrameExecutor(device, tasks, new FrameExecutorOptions(FRAMES_IN_FLIGHT, submit, trace, true));
        checked = List.of();
    }

    /**
     * Lets the first frame fail if it has not what is to be captured later.
     *
     * @param captures what is going to be captured
     */
    void check(List<Capture> captures) {
        checked = List.copyOf(captures);
    }

    /** Adds sparks to the frames of {@link #run}, on a Vulkan device. */
    void showParticles() {
        frame.showParticles((VulkanDevice) device);
    }

    /**
     * Lets the device find what the frames of {@link #run} show, meshlet by meshlet. Fails with a {@link UsageException} in
     * the chain of causes if the device cannot.
     */
    void drawMeshlets(MeshletForm form) {
        onRender("upload meshlets", () -> {
            try {
                frame.drawMeshlets(form);
            } catch (UnsupportedOperationException e) {
                throw new UsageException(
                        "--meshlets: " + e.getMessage() + "; leave it out, or name another --device", e);
            }
        });
    }

    /** Returns what became of the meshlets of the last frame; null without {@link #drawMeshlets} or a picture. */
    @Nullable
    MeshletCounts meshletCounts() {
        return frame.meshletCounts();
    }

    /** Lets browsers look at the frames of {@link #run}. */
    void show(@Nullable LiveView view) {
        live = view;
    }

    /**
     * Renders the last frame once more and reads textures of it. It is a frame of its own, so that it does not change
     * what was measured. Only after {@link #run}.
     *
     * @param told receives the warnings of the plan with captures
     * @throws RdgException in the chain of causes, if the frame has no such texture
     */
    List<CapturedTexture> capture(List<Capture> captures, Consumer<PlanWarning> told) {
        List<CapturedTexture> result = new ArrayList<>();
        FrameSnapshot snapshot = slots.get((frames - 1) % FRAMES_IN_FLIGHT).snapshot;
        onRender("capture", () -> {
            RenderGraphCompiler capturing = capturing(captures);
            RenderGraph graph = new RenderGraph("capture of frame " + snapshot.frame, capturing.options());
            frame.declare(graph, snapshot, null);
            FramePlan plan = capturing.compile(graph, queues, sizer);
            plan.warnings().forEach(told);
            FrameHandle handle = executor.execute(plan);
            handle.completed().await();
            handle.captures().forEach(captured -> result.add(captured.join()));
        });
        return result;
    }

    private RenderGraphCompiler capturing(List<Capture> captures) {
        RdgOptions options = compiler.options();
        return new RenderGraphCompiler(
                options.withDiagnostics(options.diagnostics().withCaptures(captures)));
    }

    /**
     * Renders all frames, unless asked to stop. The picture of the last one is kept.
     *
     * @param stop asked before every frame
     * @param progress receives the number of frames begun
     * @return whether all frames were rendered
     */
    boolean run(BooleanSupplier stop, LongConsumer progress) {
        List<FrameRange.Step> steps = IntStream.range(0, frames)
                .mapToObj(number -> new FrameRange.Step(number, number == 0, number == frames - 1))
                .toList();
        return run(steps, (number, picture) -> {}, stop, progress);
    }

    /**
     * Takes pictures, on GAME.
     *
     * @param <E> what it throws
     */
    @FunctionalInterface
    interface Pictures<E extends Exception> {
        /**
         * Takes one.
         *
         * @param frame number of the frame
         * @param picture rows from the top, four bytes per texel, valid during the call
         */
        void take(int frame, ByteBuffer picture) throws E;
    }

    /**
     * Renders some frames, unless asked to stop.
     *
     * @param steps the frames, whose numbers go up by one but where one is {@code reset}
     * @param pictures receives the pictures of those that are {@code written}
     * @param stop asked before every frame
     * @param progress receives the number of frames begun
     * @return whether all frames were rendered
     */
    <E extends Exception> boolean run(
            List<FrameRange.Step> steps, Pictures<E> pictures, BooleanSupplier stop, LongConsumer progress) throws E {
        int begun = 0;
        while (begun < steps.size() && !stop.getAsBoolean()) {
            begin(steps.get(begun), slots.get(begun % FRAMES_IN_FLIGHT), pictures);
            begun++;
            progress.accept(begun);
        }
        for (int i = 0; i < FRAMES_IN_FLIGHT; i++) {
            finish(slots.get((begun + i) % FRAMES_IN_FLIGHT), pictures);
        }
        return begun == steps.size();
    }

    private <E extends Exception> void begin(FrameRange.Step step, Slot slot, Pictures<E> pictures) throws E {
        finish(slot, pictures);
        int number = step.frame();
        slot.scope = tasks.beginFrame();
        long start = System.nanoTime();
        double seconds = number * SECONDS_PER_FRAME;
        slot.snapshot.reset = step.reset();
        simulation.simulate(slot.snapshot, number, seconds, Math.max(0, seconds - SECONDS_PER_FRAME));
        slot.gameNanos = System.nanoTime() - start;
        trace.span("simulate", start, slot.gameNanos, Map.of("frame", number));
        slot.step = step;
        slot.built = tasks.task("build frame " + number, () -> build(slot))
                .on(render)
                .dispatch();
    }

    private void build(Slot slot) {
        long start = System.nanoTime();
        // In immediate mode each pass of the graph is an execution of its own; all of them are this one frame.
        executor.beginFrame();
        try {
            execute(slot);
        } finally {
            slot.ended = executor.endFrame();
        }
        slot.renderNanos = System.nanoTime() - start;
    }

    private void execute(Slot slot) {
        RenderGraph begun = executor.beginGraph("frame " + slot.step.frame(), compiler, graph);
        graph = begun;
        frame.declare(begun, slot.snapshot, hasPicture(slot) ? slot.readback : null);
        FramePlan plan = compiler.compile(begun, queues, sizer);
        boolean whole = !compiler.options().diagnostics().immediate();
        if (slot.step.frame() == 0 && whole && !checked.isEmpty()) {
            capturing(checked).compile(begun, queues, sizer);
        }
        FrameHandle handle = executor.execute(plan);
        slot.handle = handle;
        if (live != null) {
            live.show(plan, handle);
        }
        lastPlan = plan;
    }

    private boolean hasPicture(Slot slot) {
        return slot.step.written() && device.capabilities().renders();
    }

    /** Waits until the device has done the slot's frame, and takes its times. */
    private <E extends Exception> void finish(Slot slot, Pictures<E> pictures) throws E {
        GraphEvent built = slot.built;
        if (built == null) {
            return;
        }
        slot.built = null;
        built.await();
        FrameHandle handle = slot.handle;
        GraphEvent ended = slot.ended;
        if (handle == null || ended == null) {
            throw new IllegalStateException("frame " + slot.step.frame() + " was built without a handle");
        }
        ended.await();
        slot.endScope();
        times.completed(slot.gameNanos, slot.renderNanos, handle.statistics());
        slot.handle = null;
        lastEnded = handle;
        if (hasPicture(slot)) {
            pictures.take(slot.step.frame(), slot.readback.mapped());
        }
    }

    /** Returns the times of the frames. */
    FrameTimes times() {
        return times;
    }

    /** Returns how many frames got the plan of a former one. */
    long reusedPlans() {
        return compiler.planReuse().hits();
    }

    /** Returns which passes may run beside graphics; a system property may have changed what was asked for. */
    AsyncCompute async() {
        return compiler.options().async();
    }

    /**
     * Returns what a system property wants captured of every frame; it then wins over what {@link #capture} is given.
     */
    List<Capture> capturedAnyway() {
        return compiler.options().diagnostics().captures();
    }

    /** Returns whether each pass ran while it was declared, so that the plan holds what was left alone. */
    boolean immediate() {
        return compiler.options().diagnostics().immediate();
    }

    /** Returns the plan of the newest frame, also of one that failed; empty before the first. */
    Optional<FramePlan> newestPlan() {
        return Optional.ofNullable(lastPlan);
    }

    /** Returns the plan of the last frame. */
    FramePlan lastPlan() {
        FramePlan plan = lastPlan;
        if (plan == null) {
            throw new IllegalStateException("no frame was rendered");
        }
        return plan;
    }

    /** Returns what the last frame gains by the passes beside graphics. Only after {@link #run}. */
    AsyncGains lastGains() {
        FrameHandle ended = lastEnded;
        if (ended == null) {
            throw new IllegalStateException("no frame was rendered");
        }
        return ended.asyncGains();
    }

    /** Returns the last picture: rows from the top, four bytes per texel. */
    ByteBuffer picture() {
        return slots.get((frames - 1) % FRAMES_IN_FLIGHT).readback.mapped();
    }

    private void onRender(String name, TaskBody body) {
        tasks.task(name, body).on(render).dispatch().await();
    }

    @Override
    public void close() {
        slots.forEach(Slot::endScope);
        // A lost device refuses to wait, and is at work on nothing.
        try (buffers;
                frame) {
            onRender("close executor", executor::close);
            device.waitIdle();
        } finally {
            slots.forEach(slot -> slot.readback.close());
        }
    }
}
