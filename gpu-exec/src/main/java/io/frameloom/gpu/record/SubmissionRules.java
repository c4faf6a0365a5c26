package io.frameloom.gpu.record;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import java.util.List;

/** The checks of what a submission waits for and of its lists. A check that passes allocates nothing. Stateless. */
public final class SubmissionRules {
    private SubmissionRules() {}

    /**
     * Checks the points that a submission waits for.
     *
     * @param queues the queues of the device, by index
     */
    public static void requireWaits(Submission submission, List<? extends GpuQueue> queues) {
        for (int i = 0; i < submission.waits().size(); i++) {
            Submission.Wait wait = submission.waits().get(i);
            GpuQueue queue = wait.point().queue();
            if (queue.index() >= queues.size() || queues.get(queue.index()) != queue) {
                throw new IllegalArgumentException("submission '" + submission.label()
                        + "' waits for a queue of another device, '" + queue.name() + "'");
            }
            if (wait.point().value() > queue.timeline().submitted()) {
                throw new IllegalArgumentException("submission '" + submission.label() + "' waits for value "
                        + wait.point().value() + " of queue '" + queue.name() + "', which has submitted up to "
                        + queue.timeline().submitted() + "; submit in the order of the waits");
            }
        }
    }

    /**
     * Takes the lists of a submission, each of which may be submitted to a queue of this backend.
     *
     * @param collection number of the submission among those of the queue, accepted or not
     * @param into receives the lists
     */
    @SuppressWarnings("unchecked") // the lists for a queue are those of its backend
    public static <L extends CheckedCommandList<?, ?>> void collect(
            Submission submission, GpuQueue queue, long collection, List<L> into) {
        for (int i = 0; i < submission.lists().size(); i++) {
            CommandList list = submission.lists().get(i);
            if (!(list instanceof CheckedCommandList<?, ?> ours)) {
                throw new IllegalArgumentException("submission '" + submission.label() + "' has command list '"
                        + list.label() + "', which no device has made; submit what beginCommands returns");
            }
            if (ours.queue() != queue) {
                throw new IllegalArgumentException("submission '" + submission.label() + "' to queue '" + queue.name()
                        + "' has command list '" + list.label() + "', which was begun for queue '"
                        + list.queue().name() + "'");
            }
            ours.requireSubmittable(submission.label());
            if (!ours.collect(queue, collection)) {
                throw new IllegalArgumentException("submission '" + submission.label() + "' has command list '"
                        + list.label() + "' twice; record another");
            }
            into.add((L) ours);
        }
    }
}
