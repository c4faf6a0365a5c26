package io.frameloom.gpu.pipeline;

/**
 * A resource in a {@link BindlessTable}, with the number that shaders find it by. Any thread.
 *
 * <p>Close the slot before the resource: a draw or dispatch with a table that has a closed resource is refused. The
 * number is given away again when the device has finished what was submitted before the close. So submissions under way
 * still find the resource. Those after it must not take the number.
 */
public interface BindlessSlot extends AutoCloseable {
    /** Returns the kind of the resource, and so the array that the number is for. */
    BindlessTable.Kind kind();

    /**
     * Returns the number.
     *
     * @throws IllegalStateException if the slot is closed: its number may be another resource's
     */
    int index();

    /** Frees the slot; a second call does nothing. */
    @Override
    void close();
}
