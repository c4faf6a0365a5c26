package io.frameloom.gpu;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.PipelineCompilationException;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.record.RecordedPipeline;
import io.frameloom.gpu.shader.ShaderInput;
import io.frameloom.gpu.shader.ShaderReads;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline of a {@link PipelineLibrary}: being compiled, compiled, or failed. Any thread.
 *
 * <p>A command list binds it with {@link #bind}, which says whether the draws or dispatches after it are to be
 * recorded:
 *
 * <pre>{@code
 * if (request.bind(commands, WhileCompiling.SKIP)) {
 *     commands.draw(3, 1, 0, 0);
 * }
 * }</pre>
 *
 * @param <P> kind of the pipeline
 */
public final class PipelineRequest<P extends Pipeline> {
    /** What LWJGL says in an OutOfMemoryError of a stack that is too small. */
    private static final String OUT_OF_STACK = "Out of stack space";

    private final PipelineLibrary library;
    private final Object description;
    private final String name;
    private final List<ShaderSource> shaders;
    private final Supplier<P> creation;
    private final AtomicBoolean urgent = new AtomicBoolean();
    private final GraphEvent compiled;
    private volatile @Nullable P current;
    /** What {@link #current} was last seen to fit, so that a fallback is compared once. */
    private volatile @Nullable Pipeline fitting;
    /** What the description was last seen to fit. */
    private volatile @Nullable Pipeline described;

    private volatile @Nullable GraphEvent reloaded;
    private volatile @Nullable Throwable reloadFailure;
    /** Written by the compilation, before its event; read after it. */
    private List<ShaderInput> inputs = List.of();

    PipelineRequest(
            PipelineLibrary library,
            Object description,
            String name,
            List<ShaderSource> shaders,
            Supplier<P> creation) {
        this.library = library;
        this.description = description;
        this.name = name;
        this.shaders = shaders;
        this.creation = creation;
        this.compiled = library.dispatch(name, this::compileFirst);
    }

    private void compileFirst() {
        current = create();
    }

    private P create() {
        // Before the compiler reads the files: a file that changes in between is compiled once too often, not too
        // rarely.
        inputs = List.of();
        try {
            inputs = shaders.stream().map(ShaderInput::of).toList();
            return creation.get();
        } catch (Throwable failure) {
            library.counters().failures.increment();
            throw failure;
        }
    }

    /** Returns the name of the pipeline. */
    public String name() {
        return name;
    }

    /** Returns the key of the library. */
    Object description() {
        return description;
    }

    /** Returns the event of the first compilation; it fails with what went wrong. */
    public GraphEvent compiled() {
        return compiled;
    }

    /** Returns whether the pipeline can be bound without waiting. */
    public boolean isReady() {
        return current != null;
    }

    /** Returns whether the pipeline is there, and slower than it will be. */
    boolean isUnoptimised() {
        return current instanceof RecordedPipeline made && !made.isOptimised();
    }

    /** Returns why the last reload failed; null if it did not, or is not over. */
    public @Nullable Throwable reloadFailure() {
        return reloadFailure;
    }

    /** Returns the event of the last compilation that a reload has begun; null if there was none. */
    public @Nullable GraphEvent reloaded() {
        return reloaded;
    }

    /** Makes the compilation as urgent as the work of a frame, unless it is over; a second call does nothing. */
    public void raise() {
        if (!compiled.isComplete() && urgent.compareAndSet(false, true)) {
            library.counters().raised.increment();
            // What an urgent task needs becomes as urgent.
            library.tasks()
                    .task("need pipeline '" + name + "'", () -> {})
                    .after(FailurePolicy.RUN_ANYWAY, compiled)
                    .on(WorkerLevel.HIGH)
                    .fireAndForget();
        }
    }

    /**
     * Returns the pipeline, and waits for it if necessary, as {@link GraphEvent#await()} does: a worker compiles it
     * itself if the compilation has not begun.
     *
     * @throws PipelineCompilationException if it does not compile
     */
    public P await() {
        P ready = current;
        if (ready != null) {
            library.counters().binds.increment();
            return ready;
        }
        long start = System.nanoTime();
        try {
            compiled.await();
        } catch (TaskFailedException failed) {
            throw failure(failed.getCause());
        }
        library.counters().waits.increment();
        library.counters().waitNanos.add(System.nanoTime() - start);
        return requireCurrent();
    }

    private P requireCurrent() {
        P ready = current;
        if (ready == null) {
            throw new IllegalStateException("pipeline '" + name
                    + "' is closed with its library, or was forgotten; ask the library for it again");
        }
        return ready;
    }

    private PipelineCompilationException failure(@Nullable Throwable cause) {
        Throwable known = cause == null ? new IllegalStateException("no reason is known") : cause;
        return new PipelineCompilationException(
                "pipeline '" + name + "' cannot be bound, its compilation failed: " + known.getMessage(), known);
    }

    /**
     * Binds the pipeline to a command list, or does what the policy says while it is being compiled.
     *
     * @return whether a pipeline is bound; if not, leave out the draws or dispatches that need it
     * @throws PipelineCompilationException if it does not compile
     * @throws IllegalArgumentException if a fallback is of another kind, for other attachments, or reads what is not
     *     bound or set for this pipeline. Thrown at once, except that bindings and push constants are compared when
     *     this one is compiled
     * @throws IllegalStateException if the library is closed, or has {@linkplain PipelineLibrary#forget forgotten} the
     *     request
     */
    public boolean bind(CommandList commands, WhileCompiling policy) {
        if (policy instanceof WhileCompiling.Fallback fallback) {
            requireDescribed(fallback.pipeline());
        }
        P ready = current;
        if (ready != null) {
            if (policy instanceof WhileCompiling.Fallback fallback) {
                requireFitting(ready, fallback.pipeline());
            }
            library.counters().binds.increment();
            commands.bindPipeline(ready);
            return true;
        }
        if (compiled.isFailed()) {
            throw failure(compiled.failure());
        }
        if (policy instanceof WhileCompiling.Wait) {
            commands.bindPipeline(await());
            return true;
        }
        library.requireOpen();
        if (compiled.isComplete()) {
            commands.bindPipeline(requireCurrent());
            return true;
        }
        raise();
        if (policy instanceof WhileCompiling.Fallback fallback) {
            commands.bindPipeline(fallback.pipeline());
            library.counters().fallbacks.increment();
            return true;
        }
        library.counters().skips.increment();
        return false;
    }

    private void requireDescribed(Pipeline fallback) {
        if (described != fallback) {
            FallbackRules.check(name, description, fallback);
            described = fallback;
        }
    }

    private void requireFitting(P pipeline, Pipeline fallback) {
        if (fitting != fallback) {
            FallbackRules.check(name, pipeline, fallback);
            fitting = fallback;
        }
    }

    /**
     * Returns whether the first compilation failed for lack of memory, which the next one may find. Lack of stack does
     * not count: the stack is as small then.
     */
    boolean failedForNow() {
        Throwable failure = current == null && compiled.isFailed() && reloaded == null ? compiled.failure() : null;
        boolean noHeap = failure instanceof OutOfMemoryError
                && !String.valueOf(failure.getMessage()).startsWith(OUT_OF_STACK);
        return failure instanceof GpuOutOfMemoryException || noHeap;
    }

    /** Returns whether a file has changed since the last compilation; reads the files. */
    boolean hasChanged(ShaderReads reads) {
        if (isCompiling()) {
            return false;
        }
        try {
            return !shaders.stream().map(reads::input).toList().equals(inputs);
        } catch (ShaderCompilationException unreadable) {
            // An editor may be replacing the file: the next look finds it.
            reloadFailure = unreadable;
            return false;
        }
    }

    /** Returns whether a compilation was begun that is not over. */
    boolean isCompiling() {
        GraphEvent last = reloaded;
        return !compiled.isComplete() || (last != null && !last.isComplete());
    }

    /** Begins to compile anew, unless a compilation is in progress; with the library's lock. */
    boolean beginReload() {
        if (isCompiling()) {
            return false;
        }
        reloadFailure = null;
        reloaded = library.dispatch(name, this::compileAgain);
        return true;
    }

    private void compileAgain() {
        P fresh;
        try {
            fresh = create();
        } catch (Exception failure) {
            reloadFailure = failure;
            return;
        } catch (Error failure) {
            reloadFailure = failure;
            throw failure;
        }
        P old = current;
        current = fresh;
        fitting = null;
        if (old != null) {
            library.replaced(old);
        }
    }

    /** Waits for the compilation in progress, and closes the pipeline. */
    void close() {
        compiled.awaitCompletion();
        GraphEvent last = reloaded;
        if (last != null) {
            last.awaitCompletion();
        }
        P open = takeCurrent();
        if (open != null) {
            open.close();
        }
    }

    /** Takes the pipeline, which can then be bound no more; while nothing is compiled. */
    @Nullable
    P takeCurrent() {
        P taken = current;
        current = null;
        return taken;
    }
}
