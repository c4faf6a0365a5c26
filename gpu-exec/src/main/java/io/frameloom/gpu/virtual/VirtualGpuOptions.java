package io.frameloom.gpu.virtual;

/**
 * How the virtual GPU behaves.
 *
 * @param queues number of queues, 1 to 8: one graphics queue, then compute queues, the last of three or more a copy queue
 * @param seed seed of the interleaving of its queues
 */
public record VirtualGpuOptions(int queues, long seed) {
    /** Checks the ranges. */
    public VirtualGpuOptions {
        if (queues < 1 || queues > 8) {
            throw new IllegalArgumentException("the virtual device has 1 to 8 queues, got " + queues);
        }
    }
}
