package io.frameloom.rdg.tools.live;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.tools.PlanDiff;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows frames in a browser while they run: their times, what each thread and queue did in the last one, memory, what
 * changed when the plan does, and the worst frames with their traces. Only this machine can look, and nobody can
 * change anything.
 *
 * <pre>{@code
 * TraceRecorder trace = new TraceRecorder(); // observes the task graph, and the executor has it
 * try (LiveView live = LiveView.open(0, device, trace)) {
 *     System.err.println("look at " + live.address());
 *     ...
 *     live.show(plan, executor.execute(plan));
 * }
 * }</pre>
 *
 * <p>{@link #show} never waits. A thread of the view's own waits for frames and makes what browsers get; frames that come
 * faster than it are left out and counted. What it keeps is bounded, whatever is shown and however many look: 600 times,
 * the ten longest frames with traces of at most a mebibyte, and 64 messages for each of at most 32 pages. Close it before
 * the executor and the device.
 */
public final class LiveView implements AutoCloseable {
    private static final int MOST_PENDING = 64;
    private static final int MOST_SHAPES = 16;
    private static final int DEEPEST_CAUSE = 20;
    private static final long BETWEEN_LANES = 250_000_000;
    private static final long BETWEEN_LOOKS_AT_MEMORY = 1_000_000_000;
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final GpuDevice device;
    /** Asked when a frame is shown. */
    private final LongSupplier clock;

    private final LiveServer server;
    private final LiveState state;
    private final BlockingQueue<Shown> pending = new ArrayBlockingQueue<>(MOST_PENDING);
    private final Thread thread;
    private final AtomicLong leftOut = new AtomicLong();
    private volatile boolean closed;
    /** When the frame before was shown, also if it was left out or has failed. Of the thread that shows. */
    private long lastShown = Long.MIN_VALUE;

    // Of the view's thread.
    /** Plans of the last shapes, so that one that comes back, as those of odd and even frames do, is no news. */
    private final Deque<Object> shapes = new ArrayDeque<>();

    private @Nullable FramePlan newest;
    private long lanesSent = System.nanoTime() - BETWEEN_LANES;
    private long memorySent = System.nanoTime() - BETWEEN_LOOKS_AT_MEMORY;

    /**
     * A frame that was executed.
     *
     * @param before when the one before it was launched, or {@link Long#MIN_VALUE} for the first
     * @param nanos when it was launched
     */
    private record Shown(FramePlan plan, FrameHandle handle, long before, long nanos) {}

    private LiveView(GpuDevice device, LiveServer server, LiveState state, LongSupplier clock) {
        this.device = device;
        this.clock = clock;
        this.server = server;
        this.state = state;
        thread = new Thread(this::run, "frameloom-live");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Opens a view.
     *
     * @param port of the loopback address, or 0 for any that is free
     * @param device the device that frames run on
     * @param trace observes the task graph, and is that of the frame executor
     * @throws IOException if the port is not to be had
     */
    public static LiveView open(int port, GpuDevice device, TraceRecorder trace) throws IOException {
        return open(port, device, trace, System::nanoTime);
    }

    /** Opens a view that times frames by another clock. */
    static LiveView open(int port, GpuDevice device, TraceRecorder trace, LongSupplier clock) throws IOException {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be 0 to 65535, got " + port);
        }
        LiveState state = new LiveState(trace, device.capabilities().name());
        return new LiveView(device, LiveServer.open(port, state, LiveServer.PATIENCE), state, clock);
    }

    /** Returns where to look. */
    public URI address() {
        return server.address();
    }

    /** Returns how many frames were left out, because they came faster than they could be shown. */
    public long leftOut() {
        return leftOut.get();
    }

    /**
     * Shows a frame. Right after it was executed, on the thread that executes frames.
     *
     * @param plan what was executed
     * @param handle what {@code execute} has returned
     */
    public void show(FramePlan plan, FrameHandle handle) {
        long now = clock.getAsLong();
        if (!pending.offer(new Shown(plan, handle, lastShown, now))) {
            leftOut.incrementAndGet();
        }
        lastShown = now;
    }

    /** Ends the view and what browsers have open. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        server.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try {
                Shown next = pending.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                if (next != null && ended(next.handle())) {
                    take(next);
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | IOException failure) {
                // The frame has failed, or its device is gone: there is nothing to show of it.
                state.failed(said(failure));
            }
        }
    }

    private static String said(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; root.getCause() != null && depth < DEEPEST_CAUSE; depth++) {
            root = root.getCause();
        }
        return root == failure ? failure.toString() : failure.getMessage() + ": " + root;
    }

    /** Waits for a frame. Returns false if the view is closed before. */
    private boolean ended(FrameHandle handle) {
        while (!handle.completed().await(PATIENCE)) {
            if (closed) {
                return false;
            }
        }
        return true;
    }

    private void take(Shown shown) throws IOException {
        FrameStatistics statistics = shown.handle().statistics();
        long now = System.nanoTime();
        long before = shown.before();
        notePlan(shown.plan(), statistics.frame());
        if (before != Long.MIN_VALUE) {
            state.frame(statistics, before, shown.nanos(), now, leftOut.get());
        }
        if (now - lanesSent >= BETWEEN_LANES && state.clients() > 0) {
            lanesSent = now;
            state.lanes(statistics.frame(), before == Long.MIN_VALUE ? shown.nanos() : before, now);
        }
        if (now - memorySent >= BETWEEN_LOOKS_AT_MEMORY) {
            memorySent = now;
            MemoryStatistics memory = device.memoryStatistics();
            state.memory(memory, statistics.heapBytes());
        }
    }

    private void notePlan(FramePlan plan, long frame) throws IOException {
        Object shape = CompiledPlan.of(plan).shape();
        FramePlan former = newest;
        newest = plan;
        for (Object known : shapes) {
            if (known == shape) {
                return;
            }
        }
        shapes.addLast(shape);
        if (shapes.size() > MOST_SHAPES) {
            shapes.removeFirst();
        }
        if (former != null) {
            List<PlanDiff.Change> changes = PlanDiff.between(former, plan).changes();
            if (!changes.isEmpty()) {
                state.planChanged(frame, changes);
            }
        }
    }
}
