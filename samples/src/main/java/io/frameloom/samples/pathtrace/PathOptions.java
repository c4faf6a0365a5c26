package io.frameloom.samples.pathtrace;

/**
 * What is traced.
 *
 * @param width width of the picture in texels
 * @param height height of the picture in texels
 * @param samples paths for each pixel, one a frame
 * @param bounces how often a path goes on after the first surface
 * @param seed chooses the random numbers
 * @param rows the rows of the picture that are traced
 */
record PathOptions(int width, int height, int samples, int bounces, int seed, PathRows rows) {
    /** All rows. */
    PathOptions(int width, int height, int samples, int bounces, int seed) {
        this(width, height, samples, bounces, seed, new PathRows(height, 0, 1));
    }

    /** Returns the same with other rows. */
    PathOptions withRows(PathRows value) {
        return new PathOptions(width, height, samples, bounces, seed, value);
    }
}
