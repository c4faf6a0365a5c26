package io.frameloom.gpu;

/**
 * How many queues a device is asked for. It opens as many as it has, which may be fewer, but at least one graphics
 * queue; {@link GpuDevice#queues} lists them. If graphics and compute queues come from one family with at least two
 * queues, one of them is left for requested compute work.
 *
 * @param graphics queues for everything, at least 1
 * @param compute queues for compute work beside raster work, or 0
 * @param copy queues that only copy, or 0
 */
public record QueueCounts(int graphics, int compute, int copy) {
    private static final int MOST = 64;

    /** One of each kind. */
    public static final QueueCounts ONE_OF_EACH = new QueueCounts(1, 1, 1);

    /** All queues that the device has. */
    public static final QueueCounts ALL = new QueueCounts(MOST, MOST, MOST);

    public QueueCounts {
        if (graphics < 1 || compute < 0 || copy < 0 || graphics > MOST || compute > MOST || copy > MOST) {
            throw new IllegalArgumentException("a device has 1 to " + MOST + " graphics queues and 0 to " + MOST
                    + " compute and copy queues, got " + graphics + ", " + compute + " and " + copy);
        }
    }

    /**
     * Reads {@code all}, or the numbers of graphics, compute and copy queues as in {@code 2,1,1}.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static QueueCounts parse(String text) {
        if (text.equals("all")) {
            return ALL;
        }
        String[] numbers = text.split(",", -1);
        if (numbers.length != 3) {
            throw malformed(text);
        }
        try {
            return new QueueCounts(
                    Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2]));
        } catch (NumberFormatException e) {
            throw malformed(text);
        }
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "numbers of queues are 'all' or GRAPHICS,COMPUTE,COPY as in 2,1,1, got '" + text + "'");
    }
}
