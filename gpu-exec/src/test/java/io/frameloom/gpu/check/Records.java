package io.frameloom.gpu.check;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import java.util.List;

/** Submissions without swapchain images and external semaphores. */
public final class Records {
    private Records() {}

    /** A submission that reaches its value when everything is done. */
    public static SubmissionRecord submission(
            GpuQueue queue,
            String label,
            List<Submission.Wait> waits,
            long value,
            List<SubmissionRecord.Command> commands) {
        return submission(queue, label, waits, value, commands, PipelineStage.ALL_COMMANDS.bit());
    }

    /** A submission that reaches its value when some stages are done. */
    public static SubmissionRecord submission(
            GpuQueue queue,
            String label,
            List<Submission.Wait> waits,
            long value,
            List<SubmissionRecord.Command> commands,
            int signalStages) {
        return new SubmissionRecord(
                queue, label, waits, value, commands, signalStages, List.of(), List.of(), List.of(), List.of());
    }
}
