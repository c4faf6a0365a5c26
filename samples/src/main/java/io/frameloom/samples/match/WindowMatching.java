package io.frameloom.samples.match;

import java.nio.ByteBuffer;

/** Matches the brackets of one window of bytes after the other. One thread. */
interface WindowMatching extends AutoCloseable {
    /** Returns the memory that takes the bytes of the next window. */
    ByteBuffer window();

    /** Matches the first {@code bytes} of {@link #window}. */
    WindowResult match(int bytes);

    /** Returns how long the matching of all windows so far took, in nanoseconds. */
    long deviceNanos();

    @Override
    void close();
}
