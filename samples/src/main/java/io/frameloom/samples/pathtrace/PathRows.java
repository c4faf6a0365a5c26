package io.frameloom.samples.pathtrace;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Some rows of a picture: of its stripes of 16 rows, each {@code parts}-th one. So every part has some of all that
 * the picture shows, of the sky, which costs little, and of the streets. All parts take about as long.
 *
 * @param height rows of the picture
 * @param part the first stripe
 * @param parts how many stripes there are from one of these to the next
 */
record PathRows(int height, int part, int parts) {
    /**
     * Few, for the parts to be alike, and a multiple of what a driver traces together. Where two surfaces are equally far
     * from a ray, its neighbours decide which one it meets: with stripes of 4 rows 33 pixels of two million were others on
     * an H200, with 8 none.
     */
    static final int STRIPE = 16;

    /** A large device is busy to the end of a sample with so many pixels. */
    private static final long FULL = 1L << 22;

    private static final int MOST_OF_A_DEVICE = 4;

    /**
     * Cuts a picture into parts for a number of devices: one of each, and more of a large picture, so that a device
     * which others slow down does less. Of one device there is one.
     */
    static List<PathRows> cut(int width, int height, int devices) {
        long each = Math.min(MOST_OF_A_DEVICE, (long) width * height / FULL / devices);
        int parts = devices == 1 ? 1 : (int) Math.min(stripes(height), devices * Math.max(1, each));
        return IntStream.range(0, parts)
                .mapToObj(part -> new PathRows(height, part, parts))
                .toList();
    }

    private static int stripes(int height) {
        return (height + STRIPE - 1) / STRIPE;
    }

    /** Returns how many rows there are. */
    int count() {
        int stripes = (stripes(height) - part + parts - 1) / parts;
        boolean hasLast = (stripes(height) - 1) % parts == part;
        return stripes * STRIPE - (hasLast ? stripes(height) * STRIPE - height : 0);
    }

    /** Returns which row of the picture one of these is, as {@code pathtrace.glsl} does. */
    int of(int row) {
        return (row / STRIPE * parts + part) * STRIPE + row % STRIPE;
    }
}
