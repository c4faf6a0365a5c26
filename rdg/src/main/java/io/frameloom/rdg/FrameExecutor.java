package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.async.AsyncDecision;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.FrameUse;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.Clobber;
import io.frameloom.rdg.diagnostics.PlanDumpMode;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.execute.CaptureDelivery;
import io.frameloom.rdg.execute.Frame;
import io.frameloom.rdg.execute.FramePipeline;
import io.frameloom.rdg.execute.ImmediateRun;
import io.frameloom.rdg.execute.MissingCaptures;
import io.frameloom.rdg.insert.CaptureUse;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executes frame plans on a device with the tasks of a task graph.
 *
 * <p>Each recording group is a task on the workers that writes a command list of its own. Each batch is a task on the
 * submit thread, which submits it as soon as its groups are recorded, in the order of the plan. With {@link
 * FrameExecutorOptions#inlineSubmission} the calling thread submits what it has recorded. Frames in flight are events.
 * A plan that is executed again creates no device object. On the device a frame waits for what former ones do with the
 * memory that it uses, and for nothing else. Frames complete in order. A frame is one execution of a plan, or all those
 * between {@link #beginFrame} and {@link #endFrame}.
 *
 * <p>An executor owns the order of submissions: a device has one executor. The application may submit work itself, on
 * the submit thread. Frames that are executed later come after it on all queues, unless they name what they wait for.
 * That work must not touch the resources of frames under way. One thread at a time, the RENDER thread, calls {@link
 * #beginFrame}, {@link #execute}, {@link #endFrame} and {@link #close}. Close the executor before its task graph and
 * its device.
 */
public final class FrameExecutor implements AutoCloseable {
    private final FramePipeline pipeline;
    private final FrameExecutorOptions options;
    private final List<ImmediateRun> immediate = new ArrayList<>(0);
    private final MissingCaptures missing = new MissingCaptures();
    private final RenderGraphCompiler compiler;
    private final QueueTopology queues;
    private final MemorySizer sizer;

    /** An executor of {@code device}, with all options as they are by default. */
    public FrameExecutor(GpuDevice device, TaskGraph tasks) {
        this(device, tasks, FrameExecutorOptions.defaults());
    }

    /** An executor of {@code device}, which compiles with {@link RdgOptions#defaults}. */
    public FrameExecutor(GpuDevice device, TaskGraph tasks, FrameExecutorOptions options) {
        this(device, tasks, options, RdgOptions.defaults());
    }

    /**
     * An executor of {@code device}. The system properties apply that are named in {@link FrameExecutorOptions} and
     * {@link RdgOptions}.
     *
     * @param compile how {@link #compile} and {@link #run} compile
     */
    public FrameExecutor(GpuDevice device, TaskGraph tasks, FrameExecutorOptions options, RdgOptions compile) {
        this.compiler = new RenderGraphCompiler(compile);
        this.queues = QueueTopology.of(device);
        this.sizer = MemorySizer.of(device);
        this.options = options.withSystemProperties();
        this.pipeline = new FramePipeline(device, tasks, this.options);
    }

    /** Returns how many frames may be under way at once. */
    public int framesInFlight() {
        return options.framesInFlight();
    }

    /** Begins a graph for this executor's own compiler: see {@link #beginGraph(String, RenderGraphCompiler)}. */
    public RenderGraph beginGraph(String name) {
        return beginGraph(name, compiler);
    }

    /**
     * Begins a graph for this executor. In {@linkplain RdgDiagnostics#immediate immediate mode} each pass of it runs
     * while it is declared: {@link PassBuilder#record} compiles the pass after those before it, executes it and waits.
     * So an error of the pass is thrown there, with the code that declares it on the stack. Compiling the graph then
     * gives a plan of the rest, which is executed as usual, once. The rest leaves externals as asked for, hands out
     * what is extracted, and has the passes from the first one on that draws to a swapchain. Otherwise this is {@link
     * RenderGraph#RenderGraph(String, RdgOptions)}.
     *
     * <p>The graph is declared on the thread that executes plans. Its passes are not culled and share no memory; it
     * takes neither captures nor clobber nor dumps, since no plan has all of it. {@link Breakpoint#COMPILE} and the log
     * of barriers report each pass while it is declared, and of the rest when the graph is compiled; {@link
     * Breakpoint#WARNING} and {@link FramePlan#warnings} of that plan are of the whole graph then.
     *
     * @param compiler the compiler that the graph will be compiled with
     * @throws RdgException in immediate mode, if the options ask for captures, clobber, dumps of such a graph or an
     *     order other than that of declaration
     */
    public RenderGraph beginGraph(String name, RenderGraphCompiler compiler) {
        return beginGraph(name, compiler, null);
    }

    /**
     * As {@link #beginGraph(String, RenderGraphCompiler)}, for an application that uses a graph again: {@linkplain
     * RenderGraph#reset(String) resets} a former one, where in immediate mode a new one is begun.
     *
     * @param former a graph whose frame is compiled or abandoned, or null for none
     * @throws RdgException also if the former graph runs in immediate mode and this one would not
     */
    public RenderGraph beginGraph(String name, RenderGraphCompiler compiler, @Nullable RenderGraph former) {
        RdgOptions compile = compiler.options();
        RdgDiagnostics diagnostics = compile.diagnostics();
        if (!diagnostics.immediate()) {
            return former == null ? new RenderGraph(name, compile) : former.reset(name);
        }
        requireImmediate(name, compile);
        immediate.removeIf(ImmediateRun::isOver);
        ImmediateRun run = new ImmediateRun(pipeline.device(), pipeline, this::executePass, compile);
        immediate.add(run);
        return new RenderGraph(name, compile.debug(), run);
    }

    private static void requireImmediate(String graph, RdgOptions options) {
        RdgDiagnostics diagnostics = options.diagnostics();
        RdgWatch watch = diagnostics.watch();
        String refusal = "";
        if (options.order() != PassOrder.DECLARED) {
            refusal = "passes in any order; declare them in order";
        } else if (diagnostics.clobber() != Clobber.OFF
                || !diagnostics.captures().isEmpty()) {
            refusal = "captures or clobber; switch frameloom.rdg.immediate or those off";
        } else if (watch.dump() != PlanDumpMode.OFF && watch.graphs().matches(graph)) {
            refusal = "dumps, since each of its passes is a plan of its own; switch frameloom.rdg.immediate or"
                    + " frameloom.rdg.dump off";
        }
        if (!refusal.isEmpty()) {
            throw new RdgException("graph '" + graph + "' cannot run in immediate mode with " + refusal);
        }
    }

    /**
     * Begins a frame of several graphs. All graphs that are executed until {@link #endFrame} are one of the {@link
     * #framesInFlight}. They have one number, and their recording memory is recycled when all of them have completed.
     * Waits first, like {@code await} of an event, until the frame {@link #framesInFlight} before has completed with
     * all its graphs. Executing then does not wait. Without this each execution is a frame of its own.
     *
     * <p>Graphs of one frame share memory and are ordered on the device as frames are, by what they use. One that
     * fails, or whose execution throws, leaves the others and the frame as they are. Each {@link FrameHandle} reports
     * on its own graph.
     *
     * <pre>{@code
     * executor.beginFrame();
     * try {
     *     executor.execute(shadows);
     *     executor.execute(scene, FrameSync.none().presenting(image));
     * } finally {
     *     executor.endFrame();
     * }
     * }</pre>
     *
     * @return the number of the frame
     * @throws IllegalStateException if a frame is begun already, the executor is closed, or another thread uses it; or
     *     if this thread is attached to the submit thread and would wait for a frame that it has not processed there
     */
    public long beginFrame() {
        return pipeline.beginFrame();
    }

    /**
     * Ends the frame that {@link #beginFrame} began; one without a graph is a frame as well.
     *
     * @return an event that completes when all graphs of the frame have, and fails if one of them does, also while it
     *     was declared in immediate mode
     * @throws IllegalStateException if none is begun, the executor is closed, which has ended its frame, or it is used
     *     by another thread
     * @throws io.frameloom.taskgraph.TaskGraphClosedException if the task graph is closed; the frame has ended all the
     *     same
     */
    public GraphEvent endFrame() {
        return pipeline.endFrame();
    }

    /**
     * Compiles a graph for the executor's device. The executor keeps its {@linkplain RenderGraphCompiler compiler}, so
     * a graph that declares what one of the last frames declared gets that plan again.
     *
     * @throws RdgValidationException with every error of the graph
     */
    public FramePlan compile(RenderGraph graph) {
        return compiler.compile(graph, queues, sizer);
    }

    /**
     * Compiles and executes a graph: {@link #compile}, then {@link #execute(FramePlan)}. So it returns before the bodies
     * have run: what they use stays open and unchanged until {@link FrameHandle#recorded}, and what the device uses
     * until {@link FrameHandle#completed}. What they throw, these events throw.
     *
     * @throws RdgValidationException with every error of the graph
     */
    public FrameHandle run(RenderGraph graph) {
        return execute(compile(graph));
    }

    /**
     * Launches a frame and returns. Waits first, like {@code await} of an event, until the frame {@link
     * #framesInFlight} before has completed, unless {@link #beginFrame} has waited. Pass bodies run on workers, also
     * after this has returned. Those of passes with {@link PassFlag#NEVER_PARALLEL} and of groups too small for a task
     * run here.
     *
     * <p>Extracted resources are there when this returns; they have contents when the frame has completed.
     *
     * @throws RdgException if the plan is for another device, an external resource is closed, or a history was written
     *     since the graph took it. Also if the device cannot do what a pass asks for: {@linkplain
     *     PassBuilder#recordNative native commands}, or a kind of {@linkplain PassBuilder#counts queries}
     * @throws IllegalStateException if the executor is closed or another thread uses it; if the plan extracts resources
     *     and was executed before; or if this thread is attached to the submit thread and would wait for a frame that
     *     it has not processed there
     * @throws io.frameloom.taskgraph.TaskGraphClosedException if the task graph is closed
     */
    public FrameHandle execute(FramePlan plan) {
        return execute(plan, FrameSync.none());
    }

    /**
     * As {@link #execute(FramePlan)}, with what the frame waits for and signals besides earlier frames. That is
     * swapchain images, points that the application has submitted, and semaphores of an engine that shares the device.
     * If a call throws, what was given to it is still the application's: nothing waits for it or signals it.
     *
     * @throws RdgException also if an image of the plan is missing or one is not the plan's; if a point is of another
     *     device or was not submitted; if the graph has not registered a resource whose uses are to wait or to signal;
     *     or if the frame is to wait for a semaphore and its graph runs in immediate mode, where passes run before this
     *     call
     */
    public FrameHandle execute(FramePlan plan, FrameSync sync) {
        CompiledPlan.of(plan).requireHeld("execute");
        List<TimelinePoint> after = sync.after();
        if (after != null) {
            after.forEach(point -> requireSubmitted(plan, point));
        }
        if (ImmediateRun.of(plan) != null && !sync.waits().isEmpty()) {
            throw new RdgException("a frame of graph '" + plan.name() + "' would wait for semaphore '"
                    + sync.waits().get(0).point().semaphore().name() + "', but its passes have run while they were"
                    + " declared; wait on the host before that, or switch frameloom.rdg.immediate off");
        }
        return launch(CompiledPlan.of(plan), sync);
    }

    /** Executes one pass of a graph in immediate mode, as a frame of its own. */
    private Frame executePass(CompiledPlan plan) {
        return launch(plan, FrameSync.none()).launched();
    }

    private void requireSubmitted(FramePlan plan, TimelinePoint point) {
        GpuQueue queue = point.queue();
        if (!pipeline.device().queues().contains(queue)) {
            throw new RdgException("a frame of plan '" + plan.name() + "' would wait for queue '" + queue.name()
                    + "' of another device; wait for that one on the host");
        }
        long submitted = queue.timeline().submitted();
        if (point.value() < 0 || point.value() > submitted) {
            throw new RdgException("a frame of plan '" + plan.name() + "' would wait for value " + point.value()
                    + " of queue '" + queue.name() + "', which has submitted up to " + submitted
                    + "; submit what it waits for first");
        }
    }

    private FrameHandle launch(CompiledPlan plan, FrameSync sync) {
        requireUnresolved(plan);
        List<FrameUse> uses = plan.uses();
        for (int i = 0; i < uses.size(); i++) {
            uses.get(i).requireReady(plan.name(), pipeline.device());
        }
        CaptureDelivery captures = new CaptureDelivery(plan.options().diagnostics());
        Frame launched = pipeline.execute(plan, sync, frame -> resolveExtractions(plan, frame, captures));
        FrameHandle handle = new FrameHandle(launched, captures.futures());
        if (!captures.futures().isEmpty()) {
            captures.launched(handle.completed());
        }
        for (int i = 0; i < uses.size(); i++) {
            uses.get(i).launched(handle.completed());
        }
        missing.executed(plan);
        for (FramePlan.ResourcePlan resource : plan.outsideResources()) {
            if (resource.extraction() instanceof HistoryUse history) {
                history.launched(
                        pipeline,
                        launched.number(),
                        history.isCurrent() && isWritten(plan, launched, resource.index()));
            } else if (resource.extraction() instanceof RdgReadback readback) {
                readback.launched(handle.completed());
            }
        }
        return handle;
    }

    /** Returns whether a frame writes a resource; a graph of immediate mode did so while it was declared. */
    private boolean isWritten(FramePlan plan, Frame launched, int resource) {
        ImmediateRun run = ImmediateRun.of(plan);
        return launched.writes(resource) || (run != null && run.hasWritten(resource));
    }

    /** Returns what is kept from frame to frame. The RENDER thread. */
    public PoolStatistics poolStatistics() {
        return pipeline.poolStatistics();
    }

    /**
     * Waits for all frames, also failed ones, and frees memory and contexts. A frame that was begun is ended. Then
     * reports captures whose texture no frame had ({@link RdgListener#notCaptured}). A second call does nothing.
     *
     * @throws IllegalStateException if this thread is attached to the submit thread and has not processed what is to be
     *     submitted, runs a body of a frame, or another thread uses the executor; then nothing is closed. Or if a frame
     *     was begun and not ended; then everything is closed
     */
    @Override
    public void close() {
        pipeline.awaitFrames();
        immediate.forEach(ImmediateRun::close);
        immediate.clear();
        try {
            pipeline.close();
        } finally {
            missing.report();
        }
    }

    private void requireUnresolved(FramePlan plan) {
        ImmediateRun run = ImmediateRun.of(plan);
        if (run != null && run.isOver()) {
            throw new IllegalStateException("graph '" + plan.name()
                    + "' of immediate mode is over, executed before or closed with its executor: begin a new graph per"
                    + " frame");
        }
        for (FramePlan.ResourcePlan resource : plan.outsideResources()) {
            if (resource.extraction() instanceof RdgExtraction<?> extraction) {
                extraction.requireUnresolved();
            } else if (resource.extraction() instanceof RdgReadback readback) {
                readback.requireUnresolved();
            } else if (resource.extraction() instanceof HistoryUse history) {
                history.requireUnresolved();
            }
        }
    }

    private void resolveExtractions(CompiledPlan plan, Frame frame, CaptureDelivery captures) {
        ImmediateRun run = ImmediateRun.of(plan);
        if (run != null) {
            run.executed(plan, frame);
        }
        AsyncDecision decision = plan.decision();
        if (decision != null) {
            frame.countFor(decision, plan.structure());
        }
        for (FramePlan.ResourcePlan resource : plan.outsideResources()) {
            Resource made = frame.resource(resource.index());
            if (resource.extraction() instanceof RdgExtraction<?> extraction && made != null) {
                extraction.resolve(made, pipeline::recycle);
            } else if (resource.extraction() instanceof RdgReadback readback && made instanceof Buffer buffer) {
                readback.resolve();
                frame.whenSettled(failure -> {
                    try {
                        readback.settle(buffer, failure);
                    } finally {
                        pipeline.recycle(buffer, frame);
                    }
                });
            } else if (resource.extraction() instanceof CaptureUse capture && made instanceof Buffer buffer) {
                captures.expect(capture, buffer, frame, staging -> pipeline.recycle(staging, frame));
            } else if (resource.extraction() instanceof HistoryUse history) {
                history.resolve();
            }
        }
    }
}
