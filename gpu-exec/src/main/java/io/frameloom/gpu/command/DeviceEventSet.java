package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Resource;

/**
 * Events of the device, each of which joins the two halves of one split barrier: {@link CommandList#setEvent} and
 * {@link CommandList#waitEvent}. Between two resets each is set once and waited for at most once, both on one queue. Not to be
 * confused with {@link io.frameloom.taskgraph.GraphEvent}, which the host sees; these it does not.
 *
 * <p>The host resets all of them together, when the device is through with whoever used them, as it resets the
 * {@link FrameContext} of the same lists. A reset by the device would have to be ordered itself, behind the wait and before
 * the next set, by barriers that a split barrier is there to save.
 */
public interface DeviceEventSet extends AutoCloseable {
    /** Returns the debug name. */
    String name();

    /** Returns the number of events. */
    int count();

    /**
     * Takes all events back, with who sets them and who waits for them: lists that name them and were not submitted can no
     * longer be. Call before recording anew. One thread, with no other recording or submitting such lists.
     *
     * @throws IllegalStateException if the device is still at work on a list that names one, naming the queue and the value
     *     to wait for; nothing is reset then. A lost device is at work on nothing
     */
    void reset();

    /** Closes the set as a {@link Resource} is closed, also in use; a second call does nothing. */
    @Override
    void close();
}
