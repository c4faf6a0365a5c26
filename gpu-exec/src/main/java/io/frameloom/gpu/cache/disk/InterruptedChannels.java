package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Work with files of threads that may be interrupted. An interrupt closes the channel that a thread uses, so it waits until
 * the work is done, and work that it comes into is done again. Stateless; any thread.
 */
final class InterruptedChannels {
    private InterruptedChannels() {}

    /** Work with channels. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }

    /**
     * Does something on channels that it opens itself, again from the start whenever an interrupt has closed one of them. The
     * thread is interrupted afterwards if it was before or has been meanwhile.
     */
    static <T> T repeat(Work<T> work) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
