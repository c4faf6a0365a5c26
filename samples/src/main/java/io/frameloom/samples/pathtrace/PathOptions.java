package io.frameloom.samples.pathtrace;

/**
 * What is traced.
 *
 * @param width width of the picture in texels
 * @param height height of the picture in texels
 * @param samples paths for each pixel, one a frame
 * @param bounces how often a path goes on after the first surface
 * @param seed chooses the random numbers
 */
record PathOptions(int width, int height, int samples, int bounces, int seed) {}
