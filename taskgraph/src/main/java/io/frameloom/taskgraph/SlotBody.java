package io.frameloom.taskgraph;

/** The work of one task of a {@link ConcurrencyLimiter}. Otherwise as {@link TaskBody}. */
@FunctionalInterface
public interface SlotBody {
    /**
     * Does the work.
     *
     * @param slot index in {@code [0, limit)} that no other running task of the same limiter has
     * @throws Exception any failure; it is recorded in the task's event
     */
    void run(int slot) throws Exception;
}
