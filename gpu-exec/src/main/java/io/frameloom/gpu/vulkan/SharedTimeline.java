package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.command.ExternalTimeline;

/**
 * A timeline that devices, processes or interfaces share: submissions of one wait until those of another have finished,
 * without the host. Values are those of {@link VulkanDevice#importTimeline}; each device knows what it signals itself,
 * and of the others what is reached. Any thread.
 */
public interface SharedTimeline extends ExternalTimeline, AutoCloseable {
    /**
     * Returns a new file descriptor: Vulkan's VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT, CUDA's
     * CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD. An import that succeeds takes it over; else the caller
     * closes it. The semaphore lives as long as anybody has it.
     *
     * @throws IllegalStateException if this was imported, or is closed
     */
    int share();

    /** Gives it up when what was submitted is complete. A wait that nobody signals any more never ends. */
    @Override
    void close();
}
