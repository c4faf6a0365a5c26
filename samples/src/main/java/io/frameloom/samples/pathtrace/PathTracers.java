package io.frameloom.samples.pathtrace;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.rdg.tools.range.SharedWork;
import io.frameloom.rdg.tools.range.SharedWork.Device;
import io.frameloom.rdg.tools.range.SharedWork.Outcome;
import io.frameloom.samples.AskedDevices;
import io.frameloom.samples.Closing;
import io.frameloom.samples.pathtrace.PathTracer.Traced;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Path tracers of one scene on equal devices, which share the rows of a picture. Each has a thread that declares its
 * frames, and one that submits them, {@link NamedThread#RHI} or named like it. The thread that made this makes all
 * calls, and is {@link #PATHS} from then to the end.
 */
final class PathTracers implements AutoCloseable {
    /** Declares frames of the first device; {@link AskedDevices#thread} names those of the others. */
    static final NamedThread PATHS = NamedThread.of("PATHS");

    private final TaskGraph tasks;
    /** By number of the device; each puts its own. */
    private final Map<Integer, Tracer> tracers = new ConcurrentSkipListMap<>();

    /** The tracer of a device and what it has done. */
    private static final class Tracer {
        private final PathTracer paths;
        private final List<Part> parts = new ArrayList<>();
        private double seconds;

        Tracer(PathTracer paths) {
            this.paths = paths;
        }

        /** Traces some rows; returns false if it ended early. */
        boolean trace(PathOptions options, BooleanSupplier stop, LongConsumer rowsDone) {
            long start = System.nanoTime();
            PathRows rows = options.rows();
            AtomicInteger counted = new AtomicInteger();
            Traced traced = paths.trace(
                    options,
                    stop,
                    samples -> rowsDone.accept((long) (samples - counted.getAndSet(samples)) * rows.count()));
            if (traced == null) {
                return false;
            }
            rowsDone.accept((long) (options.samples() - counted.get()) * rows.count());
            seconds += (System.nanoTime() - start) * 1e-9;
            parts.add(new Part(rows, traced));
            return true;
        }
    }

    private record Part(PathRows rows, Traced traced) {}

    /**
     * What a device has done.
     *
     * @param rays all rays that it has traced
     * @param seconds how long it took
     * @param parts how many parts of the picture these are
     * @param failure what it threw, or null if it has not failed
     */
    record Share(
            long rays, double seconds, int parts, @Nullable Throwable failure) {}

    /**
     * A picture that was traced.
     *
     * @param texels four bytes a pixel, red first
     * @param pathRays rays of paths, those of the camera among them
     * @param shadowRays rays towards the sun
     * @param seconds how long it took
     * @param shares what each device has done of it
     */
    record Picture(ByteBuffer texels, long pathRays, long shadowRays, double seconds, List<Share> shares) {}

    /**
     * Uploads the scene and builds its acceleration structures on all devices at once; all is there then.
     *
     * @param tasks has a started thread for each name but {@link #PATHS}
     */
    PathTracers(TaskGraph tasks, List<GpuDevice> devices, PathScene scene, RayForm form) {
        this.tasks = tasks;
        tasks.attach(PATHS);
        List<GraphEvent> others = new ArrayList<>();
        try {
            for (int i = 1; i < devices.size(); i++) {
                int number = i;
                NamedThread thread = AskedDevices.thread(PATHS, i);
                others.add(tasks.task("build scene", () -> open(number, devices.get(number), scene, form))
                        .on(thread)
                        .dispatch());
            }
            open(0, devices.get(0), scene, form);
            others.forEach(GraphEvent::await);
        } catch (RuntimeException | Error failure) {
            others.forEach(GraphEvent::awaitCompletion);
            try {
                close();
            } catch (RuntimeException further) {
                failure.addSuppressed(further);
            }
            throw failure;
        }
    }

    private void open(int number, GpuDevice device, PathScene scene, RayForm form) {
        NamedThread submit = AskedDevices.thread(NamedThread.RHI, number);
        tracers.put(number, new Tracer(new PathTracer(device, tasks, submit, scene, form)));
    }

    /**
     * Traces a picture.
     *
     * @param exposure multiplies its light
     * @param stop says whether to end early
     * @param progress receives how many samples are done; one thread at a time
     * @return the picture, or null if it ended early
     * @throws Exception what a device threw, if all have failed
     */
    @Nullable
    Picture trace(PathOptions options, float exposure, BooleanSupplier stop, LongConsumer progress) throws Exception {
        long start = System.nanoTime();
        AtomicLong rowsDone = new AtomicLong();
        LongConsumer count = rows -> {
            synchronized (progress) {
                // What a failed device has done is done again.
                progress.accept(Math.min(options.samples(), rowsDone.addAndGet(rows) / options.height()));
            }
        };
        Map<NamedThread, Device<PathRows>> devices = new LinkedHashMap<>();
        tracers.forEach((number, tracer) -> {
            tracer.parts.clear();
            tracer.seconds = 0;
            devices.put(AskedDevices.thread(PATHS, number), rows -> tracer.trace(options.withRows(rows), stop, count));
        });
        Outcome outcome =
                SharedWork.run(tasks, PathRows.cut(options.width(), options.height(), tracers.size()), devices);
        if (!outcome.complete()) {
            return null;
        }
        double seconds = (System.nanoTime() - start) * 1e-9;
        int rowBytes = 4 * options.width();
        ByteBuffer texels = ByteBuffer.allocate(rowBytes * options.height());
        long pathRays = 0;
        long shadowRays = 0;
        List<Share> shares = new ArrayList<>();
        for (Map.Entry<Integer, Tracer> each : tracers.entrySet()) {
            Tracer tracer = each.getValue();
            long before = pathRays + shadowRays;
            for (Part part : tracer.parts) {
                ByteBuffer light = part.traced.light();
                for (int row = 0; row < part.rows.count(); row++) {
                    ByteBuffer one =
                            light.slice(4 * rowBytes * row, 4 * rowBytes).order(light.order());
                    texels.put(part.rows.of(row) * rowBytes, Film.develop(one, exposure), 0, rowBytes);
                }
                pathRays += part.traced.pathRays();
                shadowRays += part.traced.shadowRays();
            }
            shares.add(new Share(
                    pathRays + shadowRays - before,
                    tracer.seconds,
                    tracer.parts.size(),
                    outcome.failures().get(AskedDevices.thread(PATHS, each.getKey()))));
        }
        return new Picture(texels, pathRays, shadowRays, seconds, shares);
    }

    @Override
    public void close() {
        try {
            Closing.all(tracers.values().stream()
                    .map(tracer -> (Runnable) tracer.paths::close)
                    .toList());
        } finally {
            tasks.detach(PATHS);
        }
    }
}
