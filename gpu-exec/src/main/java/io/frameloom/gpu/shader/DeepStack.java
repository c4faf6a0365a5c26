package io.frameloom.gpu.shader;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Runs native compilers on threads with a stack that is deep enough for a text of some length: they recurse into their
 * input, and end the process where a stack ends. The memory is reserved, and taken as far as a compilation goes.
 * Stateless; any thread.
 */
final class DeepStack {
    /** Characters of the longest text, in {@code a+a+a} of which every second one may take a level of the stack. */
    static final int LONGEST_TEXT = 1 << 20;

    private static final long SMALLEST = 64L << 20;
    /** Measured for {@code a+a+a}, {@code a.x.x} and the like, {@code #elif} and structs. */
    private static final long BYTES_PER_CHARACTER = 1 << 10;

    private DeepStack() {}

    /**
     * Runs a body and returns its result, or throws its exception. A caller that is interrupted meanwhile waits on,
     * since native code cannot be ended, and stays interrupted.
     *
     * @param characters length of the text, at most the longest
     */
    static <T> T call(long characters, Supplier<T> body) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(body, task -> start(task, characters));
        try {
            return result.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw traced(error);
            }
            // A supplier throws nothing that is checked.
            throw failed.getCause() instanceof RuntimeException exception ? traced(exception) : failed;
        }
    }

    /** Lets the trace go on with the caller: the thread of the body knows nothing of who asked for it. */
    private static <E extends Throwable> E traced(E failure) {
        failure.setStackTrace(Stream.of(failure, new Throwable())
                .flatMap(each -> Stream.of(each.getStackTrace()))
                .toArray(StackTraceElement[]::new));
        return failure;
    }

    private static void start(Runnable task, long characters) {
        long bytes = Math.max(SMALLEST, characters * BYTES_PER_CHARACTER);
        Thread thread = new Thread(null, task, "shader compiler", bytes, false);
        thread.setDaemon(true);
        thread.start();
    }
}
