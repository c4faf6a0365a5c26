package io.frameloom.gpu.cache.program;

import io.frameloom.taskgraph.BlockingScope;
import io.frameloom.taskgraph.TaskGraph;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One program being made by one thread while others wait for it. The outcome is written before it lands and read after.
 */
final class Flight {
    final Thread leader = Thread.currentThread();
    private final CountDownLatch landed = new CountDownLatch(1);

    @Nullable
    Resident result;

    /** A failure that would be the same for every caller. */
    @Nullable
    RuntimeException failure;

    /** Whether there is a program without anything that others could use. */
    boolean withoutBinary;

    void land() {
        landed.countDown();
    }

    /**
     * Waits without running a task meanwhile, not even one that only this thread can run: it may be inside of a device,
     * which a task of the application could want to close. Workers that wait are replaced.
     */
    void await(TaskGraph graph) {
        boolean interrupted = false;
        BlockingScope scope = graph.beginBlocking("program made elsewhere");
        try {
            while (landed.getCount() > 0) {
                try {
                    landed.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            scope.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
