package io.frameloom.gpu.cache.level;

import java.util.function.Supplier;

/**
 * Work with files of a thread that is interrupted: its interrupt waits until the work is done, since no pause between two
 * looks at what other processes do would last. Any thread.
 */
final class Uninterrupted {
    private Uninterrupted() {}

    static <T> T call(Supplier<T> work) {
        boolean interrupted = Thread.interrupted();
        try {
            return work.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static void run(Runnable work) {
        boolean interrupted = Thread.interrupted();
        try {
            work.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
