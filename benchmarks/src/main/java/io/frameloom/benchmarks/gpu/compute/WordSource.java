package io.frameloom.benchmarks.gpu.compute;

/** The words of an input by their index, so that the largest need no memory on the host. Any thread may ask. */
@FunctionalInterface
interface WordSource {
    int word(long index);
}
