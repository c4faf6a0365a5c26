package io.frameloom.benchmarks.gpu.frame;

/** A way to make frames of a {@link FrameShape}. One thread. */
interface Frames extends AutoCloseable {
    /** Returns the name in tables. */
    String name();

    /**
     * Makes a frame and gives it to the device; waits first until the frame two before is done there.
     *
     * @param samples gets the times from the end of that wait until the last command is recorded
     */
    void frame(FrameSteps.Samples samples);

    /** Waits until the device has done all frames. */
    void finish();

    @Override
    void close();
}
