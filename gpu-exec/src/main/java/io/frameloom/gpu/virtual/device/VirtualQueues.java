package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.device.EventCompleter;
import io.frameloom.gpu.device.Retired;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.record.ObserverFeed;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a virtual device and the thread that executes them: whether submissions are still taken, the observer
 * of submissions, and the listeners of the device's loss. Any thread. Submissions to all queues are made under the lock
 * of this object, so that the observer and the thread see them in one order.
 *
 * <p>Events complete on a thread that is not the virtual GPU's: the application's code at their end may take a lock
 * under which another of its threads waits for an answer of the virtual GPU, and may close the device.
 */
public final class VirtualQueues {
    private final SimulatedDevice device;
    private final TaskGraph taskGraph;
    private final ObserverFeed feed;
    private final List<VirtualQueue> all;
    private final VirtualExecutor executor;
    private final EventCompleter completer = new EventCompleter("virtual-gpu-events");
    private final Retired retired = new Retired();
    private final boolean clockStandsStill;
    /** Held by a binding of levels, before the lock of this object: it may wait for memory. */
    private final Object binding = new Object();

    private final AtomicReference<@Nullable DeviceLostException> lost = new AtomicReference<>();
    private final List<Runnable> lossListeners = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** The queues that the options name, by kind. A kind is a family. */
    VirtualQueues(SimulatedDevice device, VirtualGpuOptions virtual, DeviceOptions options) {
        this.device = device;
        this.taskGraph = options.taskGraph();
        this.feed = new ObserverFeed(options.observer());
        List<VirtualQueue> made = new ArrayList<>();
        for (QueueKind kind : QueueKind.values()) {
            for (int number = 1; number <= count(virtual.queues(), kind); number++) {
                made.add(new VirtualQueue(device, this, kind.queueName(number), made.size(), kind, kind.ordinal()));
            }
        }
        this.all = List.copyOf(made);
        feed.connect(all, index -> made.get(index).timeline().seen());
        retired.connect(all.stream().map(VirtualQueue::timeline).toList());
        this.executor = new VirtualExecutor(this, virtual);
        this.clockStandsStill = virtual.costPercent() == 0;
    }

    private static int count(QueueCounts counts, QueueKind kind) {
        return switch (kind) {
            case GRAPHICS -> counts.graphics();
            case COMPUTE -> counts.compute();
            case COPY -> counts.copy();
        };
    }

    List<VirtualQueue> all() {
        return all;
    }

    /** Returns the part that frees closed objects when the virtual GPU has finished with them. */
    Retired retired() {
        return retired;
    }

    /** Returns the lock of bindings. */
    Object binding() {
        return binding;
    }

    VirtualExecutor executor() {
        return executor;
    }

    EventCompleter completer() {
        return completer;
    }

    TaskGraph taskGraph() {
        return taskGraph;
    }

    /** The current simulated time of the host. */
    long nanos() {
        return clockStandsStill ? 0 : System.nanoTime();
    }

    /**
     * Runs {@code body} on the thread of the virtual GPU after what was posted so far. Returns false, and runs nothing,
     * if the device is closed.
     */
    boolean post(Consumer<WorkGraph> body) {
        synchronized (this) {
            if (closed) {
                return false;
            }
            executor.post(body);
            return true;
        }
    }

    /** Throws if the device is closed. */
    void requireOpen() {
        if (closed) {
            throw device.gate().refusal();
        }
    }

    /** Throws if the device is closed or lost. */
    void requireUsable() {
        requireOpen();
        DeviceLostException failure = lost.get();
        if (failure != null) {
            throw failure;
        }
    }

    boolean isLost() {
        return lost.get() != null;
    }

    /** Fails everything pending, once; thread of the virtual GPU. */
    void lose(Throwable cause) {
        if (isLost()) {
            return;
        }
        CrashReport report = new CrashReport(
                device.capabilities().name(),
                String.valueOf(cause.getMessage()),
                CrashReport.Marking.EXACT,
                all.stream().map(queue -> queue.timeline().state()).toList(),
                null);
        DeviceLostException failure = new DeviceLostException(
                "the virtual device is lost: " + cause.getMessage() + "; " + report.summary()
                        + "; close it and open a new one",
                report);
        failure.initCause(cause);
        if (lost.compareAndSet(null, failure)) {
            all.forEach(queue -> queue.timeline().lose(failure));
            retired.sweep();
            lossListeners.forEach(Runnable::run);
        }
    }

    /** Runs {@code listener} on the thread of the virtual GPU when the device is lost; it must not wait. */
    void onLoss(Runnable listener) {
        lossListeners.add(listener);
    }

    void forget(Runnable listener) {
        lossListeners.remove(listener);
    }

    ObserverFeed feed() {
        return feed;
    }

    /** Waits until everything submitted is done. */
    void waitIdle() {
        for (VirtualQueue queue : all) {
            queue.timeline().awaitForever(queue.timeline().submitted());
        }
    }

    /** Waits until everything submitted is done, or the device is lost. */
    public void finishPending() {
        try {
            waitIdle();
        } catch (DeviceLostException gone) {
            // Nothing is executed any more, which is all that is waited for.
            return;
        }
    }

    /**
     * Takes no more submissions, finishes those it has, and ends the threads. If the calling thread is the one that
     * completes events, it ends as soon as it has completed them. Returns false if it was closed before.
     */
    boolean close() {
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
            for (VirtualQueue queue : all) {
                executor.demand(queue, queue.timeline().submitted());
            }
            executor.stop();
        }
        executor.join();
        completer.close();
        return true;
    }
}
