package io.frameloom.rdg;

import io.frameloom.rdg.diagnostics.PlanWarning;

/**
 * Which passes may leave the graphics queue for a compute or copy queue. A pass that {@linkplain PassBuilder#onQueue names its
 * queue} stays there whatever this says, raster and copy passes with {@link #OFF} included; compute passes alone then stand on
 * the graphics queue.
 */
public enum AsyncCompute {
    /** None; compute passes that name a queue do not leave it either. */
    OFF,
    /** Those with {@link PassFlag#ASYNC_COMPUTE} or {@link PassFlag#ASYNC_COPY}. */
    TAGGED,
    /**
     * Those, and every compute pass that declares what it uses, as far as a compute queue can execute it: passes without uses
     * and those with {@link PassFlag#UNTRACKED_ACCESS} stay. Copy passes without a flag stay, too: most of them stand between
     * passes of the graphics queue, where a wait costs more than the copy, and copy queues are slow with textures.
     */
    ALL,
    /**
     * Those of {@link #TAGGED} that were measured to pay, by region: the passes of a queue that fork behind the same
     * graphics pass. A region starts beside graphics. From the times of frames that {@link FrameExecutor} has executed a model
     * predicts what it saves, at most, and once both forms are run to see what it saves: below 1 % of the frame, or below 3 % if
     * the model predicts less than 1 %, the region stays on the graphics queue, and takes 3 % to come back. It is tried again when the prediction has clearly changed, 64
     * frames later at least, then twice as many each time up to 4,096; and where there is something to gain also without that,
     * 256 frames later, then after twice as many each time. One region changes at a time, for frames that are compiled
     * afterwards: a plan stays as it is.
     *
     * <p>What is decided belongs to the {@link RenderGraphCompiler} and goes by the names of the passes and the shapes
     * of the resources. Without timestamps,
     * in immediate mode, and where clobber or captures add passes, it is {@link #TAGGED}; graph files, which have no times,
     * are refused. {@link PlanWarning.Code#UNMEASURED_ASYNC} reports frames without times. {@link FrameHandle#asyncGains} has the figures.
     */
    MEASURED
}
