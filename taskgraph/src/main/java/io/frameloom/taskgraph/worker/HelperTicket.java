package io.frameloom.taskgraph.worker;

import io.frameloom.taskgraph.task.RepeatedBody;
import io.frameloom.taskgraph.task.Task;
import org.jspecify.annotations.Nullable;

/**
 * Stands in the queue of a level for help with any {@code parallelFor} that is open when a worker comes to it. Never
 * run itself: the worker exchanges it for the helper of a loop, see {@link ParallelForHelpers}.
 */
final class HelperTicket extends RepeatedBody {
    private final ParallelForHelpers helpers;
    private final int number;

    HelperTicket(ParallelForHelpers helpers, int number) {
        this.helpers = helpers;
        this.number = number;
    }

    /** What the worker that has claimed the ticket runs for it; null if no loop wants help. */
    @Nullable
    Task redeem() {
        return helpers.redeem(number);
    }

    @Override
    public String kind() {
        return "a helper of a parallelFor";
    }

    @Override
    public void run() {
        throw new IllegalStateException("a ticket for help with a parallelFor was run instead of exchanged");
    }

    /** What a worker runs that has claimed the task; null if nothing. */
    static @Nullable Task redeemed(Task claimed) {
        return !claimed.isTracked() && claimed.body() instanceof HelperTicket ticket ? ticket.redeem() : claimed;
    }

    /** Whether a claimed task may be dropped without loss: the callers of loops do the work themselves. */
    static boolean isTicket(Task claimed) {
        return claimed.body() instanceof HelperTicket;
    }
}
