package io.frameloom.samples.metrics;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.PoolStatistics;
import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.TaskObserver;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Meters of tasks, frames and a device, for Micrometer. Make it before the task graph, as its observer. Bind it when
 * the device is open, and close the registry before the device.
 *
 * <p>Any thread. What runs per task is a {@link LongAdder}; all else is read when the registry is.
 */
public final class FrameloomMetrics implements MeterBinder, TaskObserver {
    private final LongAdder tasks = new LongAdder();
    private final LongAdder failedTasks = new LongAdder();
    private volatile @Nullable Frames frames;
    private @Nullable GpuDevice device;

    /** What frames report to, once there is a registry. */
    private static final class Frames {
        private final Timer gpu;
        private final Timer record;
        private final Timer submit;
        private volatile @Nullable FrameStatistics last;
        private volatile @Nullable PoolStatistics pools;

        Frames(MeterRegistry registry) {
            gpu = timer(registry, "gpu", "from the first pass to the last on the device");
            record = timer(registry, "record", "sum over the recording tasks");
            submit = timer(registry, "submit", "sum over the submissions");
            lastFrame(registry, "passes", "passes that ran", FrameStatistics::passes);
            lastFrame(registry, "barriers", "barriers of the plan", FrameStatistics::barriers);
            lastFrame(registry, "waits", "waits between queues", FrameStatistics::waits);
            pools(registry, "heap.bytes", "bytes of the heaps of transients", PoolStatistics::heapBytes);
            pools(registry, "created", "resources made because none was kept", PoolStatistics::created);
        }

        private static Timer timer(MeterRegistry registry, String name, String what) {
            return Timer.builder("frameloom.frame." + name).description(what).register(registry);
        }

        private void lastFrame(MeterRegistry registry, String name, String what, ToDoubleFunction<FrameStatistics> of) {
            Gauge.builder("frameloom.frame." + name, this, frames -> number(frames.last, of))
                    .description("of the last frame: " + what)
                    .register(registry);
        }

        private void pools(MeterRegistry registry, String name, String what, ToDoubleFunction<PoolStatistics> of) {
            Gauge.builder("frameloom.pools." + name, this, frames -> number(frames.pools, of))
                    .description(what)
                    .register(registry);
        }

        private static <T> double number(@Nullable T of, ToDoubleFunction<T> number) {
            return of == null ? Double.NaN : number.applyAsDouble(of);
        }
    }

    /** Takes the device whose memory and queues are shown; before binding. */
    public void device(GpuDevice shown) {
        device = shown;
    }

    @Override
    public void taskFinished(String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
        tasks.increment();
        if (failure != null) {
            failedTasks.increment();
        }
    }

    /** Takes a frame that has completed: {@code handle.statistics()}. */
    public void frame(FrameStatistics frame) {
        Frames shown = frames;
        if (shown != null) {
            shown.gpu.record(frame.gpuNanos(), TimeUnit.NANOSECONDS);
            shown.record.record(frame.recordNanos(), TimeUnit.NANOSECONDS);
            shown.submit.record(frame.submitNanos(), TimeUnit.NANOSECONDS);
            shown.last = frame;
        }
    }

    /** Takes what an executor keeps, which its RENDER thread alone may ask for. */
    public void pools(PoolStatistics pools) {
        Frames shown = frames;
        if (shown != null) {
            shown.pools = pools;
        }
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("frameloom.tasks", tasks, LongAdder::sum)
                .description("bodies of tasks that have returned or thrown")
                .register(registry);
        FunctionCounter.builder("frameloom.tasks.failed", failedTasks, LongAdder::sum)
                .description("bodies of tasks that have thrown")
                .register(registry);
        frames = new Frames(registry);
        GpuDevice shown = device;
        if (shown != null) {
            bind(shown, registry);
        }
    }

    private static void bind(GpuDevice device, MeterRegistry registry) {
        Gauge.builder("frameloom.workers", device, gpu -> gpu.taskGraph().workerCount())
                .description("workers of the task graph")
                .register(registry);
        Gauge.builder(
                        "frameloom.gpu.validation",
                        device,
                        gpu -> gpu.validationMessages().size())
                .description("distinct messages of the validation layer")
                .register(registry);
        for (GpuQueue queue : device.queues()) {
            FunctionCounter.builder(
                            "frameloom.gpu.submitted",
                            queue,
                            shown -> shown.timeline().submitted())
                    .tag("queue", queue.name())
                    .description("value of the queue's timeline that the last submission signals")
                    .register(registry);
            FunctionCounter.builder(
                            "frameloom.gpu.completed",
                            queue,
                            shown -> shown.timeline().completed())
                    .tag("queue", queue.name())
                    .description("value of the queue's timeline that the device has reached")
                    .register(registry);
        }
        for (MemoryStatistics.Heap heap : device.memoryStatistics().heaps()) {
            heap(device, registry, heap, "used", "bytes that this process uses", MemoryStatistics.Heap::used);
            heap(device, registry, heap, "budget", "bytes that it may use", MemoryStatistics.Heap::budget);
            heap(device, registry, heap, "occupied", "bytes in resources", MemoryStatistics.Heap::occupied);
        }
    }

    private static void heap(
            GpuDevice device,
            MeterRegistry registry,
            MemoryStatistics.Heap heap,
            String name,
            String what,
            ToDoubleFunction<MemoryStatistics.Heap> bytes) {
        Gauge.builder(
                        "frameloom.gpu.memory." + name,
                        device,
                        gpu -> bytes.applyAsDouble(
                                gpu.memoryStatistics().heaps().get(heap.index())))
                .tag("heap", String.valueOf(heap.index()))
                .tag("local", String.valueOf(heap.deviceLocal()))
                .baseUnit("bytes")
                .description(what)
                .register(registry);
    }
}
