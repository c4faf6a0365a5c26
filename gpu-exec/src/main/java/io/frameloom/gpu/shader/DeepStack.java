package io.frameloom.gpu.shader;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs native compilers on threads with a stack of 64 MiB: they recurse into what they are given, and end the process where a
 * stack ends. The memory is reserved, and taken as far as a compilation goes; a thread that has nothing to do for a second
 * ends. {@link GlslDepth} and {@link SpirvDepth} keep what is run within that stack. Any thread.
 */
final class DeepStack implements AutoCloseable {
    private static final long STACK_BYTES = 64L << 20;
    private static final long IDLE_SECONDS = 1;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), threadFactory());

    private static ThreadFactory threadFactory() {
        return body -> {
            Thread thread = new Thread(null, body, "shader compiler", STACK_BYTES, false);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Runs a body and returns its result, or throws what it throws. Whoever is interrupted meanwhile waits on, since native
     * code cannot be ended, and stays interrupted.
     */
    <T> T call(Supplier<T> body) {
        FutureTask<T> task = new FutureTask<>(body::get);
        threads.execute(task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrown(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A supplier throws nothing that is checked. */
    private static RuntimeException rethrown(ExecutionException failed) {
        Throwable failure = failed.getCause();
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException exception ? exception : new IllegalStateException(failed);
    }

    /** Lets the threads end; nothing may be running. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
