package io.frameloom.rdg;

import io.frameloom.rdg.diagnostics.RecordingMode;

/**
 * The commands of a pass, given to {@link PassBuilder#record}. Called by workers, also after {@link
 * FrameExecutor#execute} has returned: what a body uses besides its context must be safe to use there until {@link
 * FrameHandle#recorded} is complete. A plan that is executed again calls it again, also for several frames in flight at
 * once.
 */
@FunctionalInterface
public interface PassBody {
    /**
     * Records the commands. Called once per frame in which the pass is not culled and its {@linkplain
     * PassBuilder#onlyIf condition} holds, by the thread that records the pass's group. That is a worker, or the thread
     * in {@link FrameExecutor#execute} for {@link PassFlag#NEVER_PARALLEL}, {@link RecordingMode#SERIAL} and groups too
     * small for a task. Bodies of one group run one after the other. So do those of neighbouring groups that took
     * less than 50 us together in former frames; other groups run in parallel. A body must not wait for another.
     *
     * <p>What it throws fails the frame, with an {@link RdgException} that names the pass (see {@link FrameHandle}).
     *
     * @param context valid until the body returns, on its thread alone
     */
    void record(PassContext context);
}
