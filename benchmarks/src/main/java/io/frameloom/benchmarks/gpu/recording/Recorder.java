package io.frameloom.benchmarks.gpu.recording;

/** A way to record; made for a number of threads. */
interface Recorder extends AutoCloseable {
    /** Returns the name in tables. */
    String name();

    /** Records one list of {@link Stream#LENGTH} commands from the pools of a thread. Each thread has a number of its own. */
    void record(Stream stream, int thread);

    /** Takes the lists of all threads back. No thread is recording. */
    void reset();

    @Override
    void close();
}
