package io.frameloom.rdg;

import io.frameloom.gpu.Capability;
import io.frameloom.rdg.options.RdgProperties;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.SystemPropertyException;
import io.frameloom.taskgraph.trace.TraceRecorder;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link FrameExecutor} runs frames. Immutable.
 *
 * @param framesInFlight frames that may be under way at once, 1 to 8; one has any number of graphs between
 *     {@link FrameExecutor#beginFrame} and {@link FrameExecutor#endFrame}
 * @param submitThread the named thread that submits; some thread must pump it, and not the one that executes plans.
 *     Executors of several devices have one each, such as {@code NamedThread.of("RHI 2")}: traces and events of the
 *     Flight Recorder name it
 * @param trace shows frames, or null: each from its declaration to its completion and what its thread does meanwhile,
 *     its scopes and passes on the device, memory, and work in flight. Give it to {@code TaskGraphBuilder.observer},
 *     too, for the tasks. It gets what the device did of a frame when its statistics are asked for, when a later frame
 *     takes its place, or when the executor closes
 * @param collectTimestamps whether the device's time is measured for each pass
 * @param collectStatistics whether each raster pass counts what the pipeline does for it, where the device can: {@link
 *     FrameStatistics#passCounts}. Off by default: some devices draw slower while they count. A device with
 *     {@link Capability#MESH_SHADERS} on counts nothing, since mesh tasks cannot be drawn meanwhile
 * @param serialRecording whether the thread that executes plans records everything itself, in plan order
 * @param poolFrames frames, beyond those in flight, that memory and resources are kept which no frame uses, 1 or more
 * @param heapsPerFrame whether each frame in flight has heaps of its own for transients. Otherwise all share them, and
 *     a frame waits for the last use of the same bytes by former frames. With them frames overlap more, and transients
 *     take {@code framesInFlight} times the memory
 * @param inlineSubmission whether the thread that executes plans submits a frame itself, without a hand-over to {@code
 *     submitThread}. It does so if it has recorded the whole frame, every former frame is submitted, and the frame has
 *     neither passes of the host nor images of swapchains, which may block. All other frames go to {@code
 *     submitThread}. The order on each queue is the same. Off by default: such a frame overtakes what the application
 *     has put into the queue of {@code submitThread} and that has not run
 */
public record FrameExecutorOptions(
        int framesInFlight,
        NamedThread submitThread,
        @Nullable TraceRecorder trace,
        boolean collectTimestamps,
        boolean collectStatistics,
        boolean serialRecording,
        int poolFrames,
        boolean heapsPerFrame,
        boolean inlineSubmission) {
    private static final int DEFAULT_POOL_FRAMES = 8;
    private static final int MAX_FRAMES_IN_FLIGHT = 8;

    /** Checks the range. */
    public FrameExecutorOptions {
        if (framesInFlight < 1 || framesInFlight > MAX_FRAMES_IN_FLIGHT) {
            throw new IllegalArgumentException(
                    "framesInFlight must be 1 to " + MAX_FRAMES_IN_FLIGHT + ", got " + framesInFlight);
        }
        if (poolFrames < 1) {
            throw new IllegalArgumentException("poolFrames must be 1 or more, got " + poolFrames);
        }
    }

    /** Options with parallel recording. */
    public FrameExecutorOptions(
            int framesInFlight, NamedThread submitThread, @Nullable TraceRecorder trace, boolean collectTimestamps) {
        this(framesInFlight, submitThread, trace, collectTimestamps, false, false, DEFAULT_POOL_FRAMES, false, false);
    }

    /** Returns three frames in flight, submission by {@link NamedThread#RHI}, timestamps, no trace. */
    public static FrameExecutorOptions defaults() {
        return new FrameExecutorOptions(3, NamedThread.RHI, null, true);
    }

    /** Returns the same options with another number of frames in flight. */
    public FrameExecutorOptions withFramesInFlight(int value) {
        return new FrameExecutorOptions(
                value,
                submitThread,
                trace,
                collectTimestamps,
                collectStatistics,
                serialRecording,
                poolFrames,
                heapsPerFrame,
                inlineSubmission);
    }

    /** Returns the same options with another thread that submits. */
    public FrameExecutorOptions withSubmitThread(NamedThread value) {
        return new FrameExecutorOptions(
                framesInFlight,
                value,
                trace,
                collectTimestamps,
                collectStatistics,
                serialRecording,
                poolFrames,
                heapsPerFrame,
                inlineSubmission);
    }

    /** Returns the same options with a trace, or without one. */
    public FrameExecutorOptions withTrace(@Nullable TraceRecorder value) {
        return new FrameExecutorOptions(
                framesInFlight,
                submitThread,
                value,
                collectTimestamps,
                collectStatistics,
                serialRecording,
                poolFrames,
                heapsPerFrame,
                inlineSubmission);
    }

    /** Returns the same options with timestamps on or off. */
    public FrameExecutorOptions withCollectTimestamps(boolean value) {
        return new FrameExecutorOptions(
                framesInFlight,
                submitThread,
                trace,
                value,
                collectStatistics,
                serialRecording,
                poolFrames,
                heapsPerFrame,
                inlineSubmission);
    }

    /** Returns the same options with statistics of the pipeline on or off. */
    public FrameExecutorOptions withCollectStatistics(boolean value) {
        return new FrameExecutorOptions(
                framesInFlight,
                submitThread,
                trace,
                collectTimestamps,
                value,
                serialRecording,
                poolFrames,
                heapsPerFrame,
                inlineSubmission);
    }

    /** Returns the same options with serial recording on or off. */
    public FrameExecutorOptions withSerialRecording(boolean value) {
        return new FrameExecutorOptions(
                framesInFlight,
                submitThread,
                trace,
                collectTimestamps,
                collectStatistics,
                value,
                poolFrames,
                heapsPerFrame,
                inlineSubmission);
    }

    /** Returns the same options with another age at which unused memory and resources are destroyed. */
    public FrameExecutorOptions withPoolFrames(int value) {
        return new FrameExecutorOptions(
                framesInFlight,
                submitThread,
                trace,
                collectTimestamps,
                collectStatistics,
                serialRecording,
                value,
                heapsPerFrame,
                inlineSubmission);
    }

    /** Returns the same options with or without heaps of its own for each frame in flight. */
    public FrameExecutorOptions withHeapsPerFrame(boolean value) {
        return new FrameExecutorOptions(
                framesInFlight,
                submitThread,
                trace,
                collectTimestamps,
                collectStatistics,
                serialRecording,
                poolFrames,
                value,
                inlineSubmission);
    }

    /** Returns the same options with or without submission by the thread that has recorded a frame. */
    public FrameExecutorOptions withInlineSubmission(boolean value) {
        return new FrameExecutorOptions(
                framesInFlight,
                submitThread,
                trace,
                collectTimestamps,
                collectStatistics,
                serialRecording,
                poolFrames,
                heapsPerFrame,
                value);
    }

    /**
     * Returns these options with the system properties {@code frameloom.rdg.framesInFlight}, {@code .timestamps},
     * {@code .statistics}, {@code .serialRecording}, {@code .poolFrames}, {@code .heapsPerFrame} and {@code .inlineSubmission} applied. An
     * executor does this itself.
     *
     * @throws SystemPropertyException naming the property whose value is wrong, or that nothing reads
     */
    public FrameExecutorOptions withSystemProperties() {
        RdgProperties.requireKnown();
        return new FrameExecutorOptions(
                RdgProperties.GROUP.number("framesInFlight", framesInFlight, 1, MAX_FRAMES_IN_FLIGHT),
                submitThread,
                trace,
                RdgProperties.GROUP.flag("timestamps", collectTimestamps),
                RdgProperties.GROUP.flag("statistics", collectStatistics),
                RdgProperties.GROUP.flag("serialRecording", serialRecording),
                RdgProperties.GROUP.number("poolFrames", poolFrames, 1, Integer.MAX_VALUE),
                RdgProperties.GROUP.flag("heapsPerFrame", heapsPerFrame),
                RdgProperties.GROUP.flag("inlineSubmission", inlineSubmission));
    }
}
