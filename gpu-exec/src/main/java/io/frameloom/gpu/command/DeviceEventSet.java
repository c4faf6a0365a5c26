package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Resource;

/**
 * Events of the device, each of which joins the two halves of one split barrier: {@link CommandList#setEvent} and
 * {@link CommandList#waitEvent}. Between two resets each is set once and waited for at most once, both on one queue.
 * Unlike {@link io.frameloom.taskgraph.GraphEvent}s, they are invisible to the host.
 *
 * <p>The host resets all of them together with the {@link FrameContext} of the lists that use them, when the device has
 * finished with these. The device could reset them only between the wait and the next set, ordered by the barriers that
 * a split barrier is there to save.
 */
public interface DeviceEventSet extends AutoCloseable {
    /** Returns the debug name. */
    String name();

    /** Returns the number of events. */
    int count();

    /**
     * Takes all events back, and forgets the lists that set them and wait for them: such lists that were not submitted
     * can no longer be. Call before recording anew. One thread, with no other recording or submitting such lists.
     *
     * @throws IllegalStateException if the device still executes a list that names one, naming the queue and the value
     *     to wait for; nothing is reset then. A lost device executes nothing
     */
    void reset();

    /** Closes the set as a {@link Resource} is closed, also in use; a second call does nothing. */
    @Override
    void close();
}
