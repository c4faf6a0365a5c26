package io.frameloom.gpu;

/**
 * How many queues a device is asked for. It opens as many as it has, at least one graphics queue; what there are,
 * {@link GpuDevice#queues} says.
 *
 * @param graphics queues for everything, at least 1
 * @param compute queues for compute work beside raster work, or 0
 * @param copy queues that only copy, or 0
 */
public record QueueCounts(int graphics, int compute, int copy) {
    /** One of each kind. */
    public static final QueueCounts ONE_OF_EACH = new QueueCounts(1, 1, 1);

    private static final int MOST = 64;

    /** Checks the ranges. */
    public QueueCounts {
        if (graphics < 1 || compute < 0 || copy < 0 || graphics > MOST || compute > MOST || copy > MOST) {
            throw new IllegalArgumentException("a device has 1 to " + MOST + " graphics queues and 0 to " + MOST
                    + " compute and copy queues, got " + graphics + ", " + compute + " and " + copy);
        }
    }
}
