package io.frameloom.benchmarks.gpu.compute;

/**
 * What a figure is about.
 *
 * @param work copy, scan, match or compact
 * @param variant of what
 * @param how by which algorithm or program
 * @param input kind of input
 */
record Subject(String work, String variant, String how, String input) {
    @Override
    public String toString() {
        return work + " " + variant + ", " + how + ", " + input;
    }
}
