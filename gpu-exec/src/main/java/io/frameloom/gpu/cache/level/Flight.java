package io.frameloom.gpu.cache.level;

import io.frameloom.taskgraph.BlockingScope;
import io.frameloom.taskgraph.TaskGraph;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One program being made by one thread while others wait for it. The outcome is written before it lands and read after.
 *
 * <p>Whoever waits runs no task meanwhile, not even one that its own thread alone can run: it may be inside of a device,
 * which a task of the application could want to close. Workers that wait are replaced.
 */
public final class Flight {
    private final Thread leader = Thread.currentThread();
    private final CountDownLatch landed = new CountDownLatch(1);
    private final TaskGraph graph;
    private @Nullable Resident result;
    private @Nullable RuntimeException failure;
    private boolean withoutBinary;

    public Flight(TaskGraph graph) {
        this.graph = graph;
    }

    public Thread leader() {
        return leader;
    }

    void setResult(Resident program) {
        result = program;
    }

    /** Sets a failure that would be the same for everybody. */
    void setFailure(RuntimeException permanent) {
        failure = permanent;
    }

    /** Says that there is a program, but nothing of it that others could use. */
    void setWithoutBinary() {
        withoutBinary = true;
    }

    public boolean isWithoutBinary() {
        return withoutBinary;
    }

    void land() {
        landed.countDown();
    }

    public void await() {
        BlockingScope scope = graph.beginBlocking("program made elsewhere");
        try {
            awaitLanding();
        } finally {
            scope.close();
        }
    }

    private void awaitLanding() {
        boolean interrupted = false;
        while (landed.getCount() > 0) {
            try {
                landed.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public @Nullable Resident result() {
        return result;
    }

    public @Nullable RuntimeException failure() {
        return failure;
    }
}
