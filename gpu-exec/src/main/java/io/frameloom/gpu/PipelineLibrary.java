package io.frameloom.gpu;

import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.shader.ShaderReads;
import io.frameloom.taskgraph.CancellationToken;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the pipelines of a device in the background, each once: equal descriptions share one compilation and one
 * pipeline. It owns the pipelines. A failed compilation is not repeated unless a file changes or it failed for lack of
 * memory: then the next request begins it anew. Pipelines that are not needed any more can be {@linkplain #forget
 * forgotten}.
 *
 * <p>Any thread. Close it before its device, when no submission uses its pipelines. Closing waits for compilations in
 * progress.
 */
public final class PipelineLibrary implements AutoCloseable {
    private final GpuDevice device;
    private final TaskGraph tasks;
    private final PipelineCounters counters = new PipelineCounters();
    private final Map<Object, PipelineRequest<?>> requests = new ConcurrentHashMap<>();
    private final CancellationToken closing = new CancellationToken();
    /** Guards the beginning of compilations against closing, and the two sets. */
    private final Object lock = new Object();

    /** Replaced pipelines that a frame may still bind or use. */
    private final Set<Pipeline> replaced = new HashSet<>();
    /** Those of them that no frame has been asked to outlive yet. */
    private final Set<Pipeline> newlyReplaced = new HashSet<>();

    /** Written with the lock. */
    private volatile boolean closed;

    /**
     * A library without pipelines.
     *
     * @param device makes the pipelines
     * @param tasks runs the compilations, at level {@link WorkerLevel#BACKGROUND}
     */
    public PipelineLibrary(GpuDevice device, TaskGraph tasks) {
        this.device = device;
        this.tasks = tasks;
    }

    /** Begins to compile a compute pipeline, unless its compilation was begun before; never waits. */
    public PipelineRequest<ComputePipeline> compile(ComputePipelineDescription description) {
        Objects.requireNonNull(description, "description must not be null");
        return request(
                description,
                description.name(),
                List.of(description.shader()),
                () -> device.createComputePipeline(description));
    }

    /** Begins to compile a graphics pipeline, unless its compilation was begun before; never waits. */
    public PipelineRequest<GraphicsPipeline> compile(GraphicsPipelineDescription description) {
        Objects.requireNonNull(description, "description must not be null");
        return request(
                description,
                description.name(),
                description.shaders(),
                () -> device.createGraphicsPipeline(description));
    }

    /**
     * Begins to compile a ray-tracing pipeline, unless its compilation was begun before; never waits. A reload makes
     * another pipeline, which takes a binding table of its own.
     */
    public PipelineRequest<RayTracingPipeline> compile(RayTracingPipelineDescription description) {
        Objects.requireNonNull(description, "description must not be null");
        return request(
                description,
                description.name(),
                description.shaders(),
                () -> device.createRayTracingPipeline(description));
    }

    @SuppressWarnings("unchecked") // a description is only ever mapped to a pipeline of its kind
    private <P extends Pipeline> PipelineRequest<P> request(
            Object description, String name, List<ShaderSource> shaders, Supplier<P> creation) {
        requireOpen();
        PipelineRequest<?> request = known(description);
        if (request == null) {
            synchronized (lock) {
                requireOpen();
                request = known(description);
                if (request == null) {
                    PipelineRequest<P> begun = new PipelineRequest<>(this, description, name, shaders, creation);
                    requests.put(description, begun);
                    return begun;
                }
            }
        }
        counters.shared.increment();
        return (PipelineRequest<P>) request;
    }

    /** Returns the request of a description; null if there is none, or one that failed only temporarily. */
    private @Nullable PipelineRequest<?> known(Object description) {
        PipelineRequest<?> request = requests.get(description);
        return request == null || request.failedForNow() ? null : request;
    }

    /** Begins a compilation; with the lock, or in the constructor of a request that is made with it. */
    GraphEvent dispatch(String pipeline, Runnable compilation) {
        counters.compilations.increment();
        return tasks.task("compile pipeline '" + pipeline + "'", compilation::run)
                .on(WorkerLevel.BACKGROUND)
                .cancelledBy(closing)
                .dispatch();
    }

    /**
     * Compiles anew every pipeline with a shader of which a file has changed since; see {@link ShaderSource#file}. The
     * old pipeline is bound until the new one is ready. It stays if the new one does not compile: then {@link
     * PipelineRequest#reloadFailure} says why. Reads every file once, however many shaders have it.
     *
     * @return the requests for which a compilation was begun
     */
    public List<PipelineRequest<?>> reloadChanged() {
        synchronized (lock) {
            requireOpen();
        }
        List<PipelineRequest<?>> begun = new ArrayList<>();
        ShaderReads reads = new ShaderReads();
        for (PipelineRequest<?> request : requests.values()) {
            // Files are read without the lock, which each request of a pipeline needs.
            if (!request.hasChanged(reads)) {
                continue;
            }
            synchronized (lock) {
                requireOpen();
                // A request that was forgotten meanwhile would get a pipeline that no code closes.
                if (requests.get(request.description()) == request && request.beginReload()) {
                    counters.reloads.increment();
                    begun.add(request);
                }
            }
        }
        return begun;
    }

    /**
     * Forgets a request, so that a library that lives long does not keep every pipeline that was ever needed. A later
     * request with its description compiles it again. The pipeline is closed with those that a reload has replaced
     * ({@link #closeReplaced}), so frames that have bound it go on. The request cannot be bound any more.
     *
     * @return false if it is being compiled (a later call then succeeds), or was forgotten before
     */
    public boolean forget(PipelineRequest<?> request) {
        Objects.requireNonNull(request, "request must not be null");
        synchronized (lock) {
            requireOpen();
            if (request.isCompiling() || !requests.remove(request.description(), request)) {
                return false;
            }
            Pipeline old = request.takeCurrent();
            if (old != null) {
                replaced(old);
            }
            return true;
        }
    }

    void replaced(Pipeline old) {
        synchronized (lock) {
            if (closed) {
                old.close();
                return;
            }
            replaced.add(old);
            newlyReplaced.add(old);
        }
    }

    /**
     * Closes what a reload has replaced or {@link #forget} has removed since the last call, in the background. Call it
     * between frames: no frame that begins later binds these pipelines.
     *
     * @param framesDone completes when the device has finished all frames that have begun until now; a failure counts
     *     as well, since a lost device uses nothing
     * @return how many pipelines there are
     */
    public int closeReplaced(GraphEvent framesDone) {
        List<Pipeline> taken;
        synchronized (lock) {
            taken = List.copyOf(newlyReplaced);
            newlyReplaced.clear();
        }
        if (!taken.isEmpty()) {
            tasks.task("close replaced pipelines", () -> close(taken))
                    .after(FailurePolicy.RUN_ANYWAY, framesDone)
                    .on(WorkerLevel.BACKGROUND)
                    .fireAndForget();
        }
        return taken.size();
    }

    private void close(List<Pipeline> pipelines) {
        for (Pipeline pipeline : pipelines) {
            pipeline.close();
            synchronized (lock) {
                replaced.remove(pipeline);
            }
        }
    }

    /** Returns what the library has done so far. */
    public PipelineLibraryStatistics statistics() {
        return counters.statistics(requests.values().stream()
                .filter(PipelineRequest::isUnoptimised)
                .count());
    }

    PipelineCounters counters() {
        return counters;
    }

    TaskGraph tasks() {
        return tasks;
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "the pipeline library is closed; close it after its last use, or make another");
        }
    }

    /** Waits for compilations in progress and closes all pipelines; a second call does nothing. */
    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            closing.cancel();
        }
        requests.values().forEach(PipelineRequest::close);
        List<Pipeline> left;
        synchronized (lock) {
            left = List.copyOf(replaced);
        }
        close(left);
    }
}
