package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.Submission;
import java.util.List;

/**
 * A submission on its way to the thread of the virtual GPU.
 *
 * @param queue queue
 * @param submission what was submitted
 * @param value timeline value that it reaches
 * @param lists its command lists
 * @param nanos host time of the submission
 */
record PendingSubmission(
        VirtualQueue queue, Submission submission, long value, List<VirtualCommandList> lists, long nanos) {}
