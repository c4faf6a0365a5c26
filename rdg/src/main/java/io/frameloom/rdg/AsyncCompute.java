package io.frameloom.rdg;

import io.frameloom.rdg.diagnostics.PlanWarning;

/**
 * Which passes may leave the graphics queue for a compute or copy queue. A pass that {@linkplain PassBuilder#onQueue
 * names its queue} stays there. Only compute passes stand on the graphics queue with {@link #OFF}, also if they name
 * another one.
 */
public enum AsyncCompute {
    /** None; compute passes that name a queue do not leave it either. */
    OFF,
    /** Those with {@link PassFlag#ASYNC_COMPUTE} or {@link PassFlag#ASYNC_COPY}. */
    TAGGED,
    /**
     * Those, and every compute pass that declares what it uses and that a compute queue can execute. Passes without
     * uses and those with {@link PassFlag#UNTRACKED_ACCESS} stay. Copy passes without a flag stay, too. Most of them
     * stand between passes of the graphics queue, where a wait costs more than the copy. Copy queues are also slow with
     * textures.
     */
    ALL,
    /**
     * Those of {@link #TAGGED} that pay by measurement. A region, the passes of a queue that fork after the same
     * graphics pass, is decided as a whole. A region starts beside graphics. From the times of executed frames a model
     * predicts what it saves at most. Once both forms are run to see what it really saves. Below 1 % of the frame the
     * region stays on the graphics queue, or below 3 % if the model predicts less than 1 %. It takes 3 % to come back.
     * It is tried again when the prediction has clearly changed: 64 frames later at least, then twice as many each time
     * up to 4,096. Where there is something to gain it is also tried without that: 256 frames later, then after twice
     * as many each time. One region changes at a time, for frames that are compiled afterwards: a plan stays as it is.
     *
     * <p>The {@link RenderGraphCompiler} keeps the decisions by the names of the passes and the shapes of the
     * resources. Without timestamps, in immediate mode, and where clobber or captures add passes, this is {@link
     * #TAGGED}. Graph files have no times and are refused. {@link PlanWarning.Code#UNMEASURED_ASYNC} reports frames
     * without times. {@link FrameHandle#asyncGains} has the figures.
     */
    MEASURED
}
