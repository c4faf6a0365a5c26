package io.frameloom.rdg;

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
    ALL
}
