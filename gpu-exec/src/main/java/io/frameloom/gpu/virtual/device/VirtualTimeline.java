package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.device.PendingWork;
import io.frameloom.gpu.device.Retired;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.internal.SilentTimeline;
import io.frameloom.taskgraph.GraphEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The clock of a virtual queue. A request for a value makes the virtual GPU work towards it. */
final class VirtualTimeline implements GpuTimeline, SilentTimeline, Retired.Work, PendingWork.Of {
    private final VirtualQueues queues;
    private final VirtualQueue queue;
    private final PendingWork work;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final TreeMap<Long, List<GraphEvent>> pending = new TreeMap<>();
    private volatile long submitted;
    private volatile long completed;
    private long demanded;
    private long seen;
    private volatile @Nullable DeviceLostException lost;

    VirtualTimeline(VirtualQueues queues, VirtualQueue queue) {
        this.queues = queues;
        this.queue = queue;
        this.work = new PendingWork(queue.name(), this::reachedByDevice, queues.taskGraph());
    }

    @Override
    public PendingWork work() {
        return work;
    }

    @Override
    public long submitted() {
        return submitted;
    }

    @Override
    public long completed() {
        long value = answered();
        long target = submitted;
        if (value < target) {
            demand(target);
        }
        hostSaw(value);
        return value;
    }

    @Override
    public GraphEvent reached(long value) {
        checkSubmitted(value);
        GraphEvent event = work.event(value);
        boolean complete;
        DeviceLostException failure;
        lock.lock();
        try {
            complete = completed >= value;
            failure = lost;
            if (!complete && failure == null) {
                pending.computeIfAbsent(value, v -> new ArrayList<>()).add(event);
            }
        } finally {
            lock.unlock();
        }
        if (complete) {
            hostSaw(value);
            event.trigger();
        } else if (failure != null) {
            event.fail(failure);
        } else {
            demand(value);
        }
        return event;
    }

    @Override
    public boolean await(long value, Duration timeout) {
        checkSubmitted(value);
        if (completed < value) {
            demand(value);
        }
        // Saturates: the longest durations mean for ever.
        work.await(value, TimeUnit.NANOSECONDS.convert(timeout), nanos -> waitFor(value, nanos) || lost != null);
        boolean reached = completed >= value;
        DeviceLostException failure = lost;
        if (!reached && failure != null) {
            throw failure;
        }
        if (reached) {
            hostSaw(value);
        }
        return reached;
    }

    /** Returns whether a value is reached, in time and before the device is lost. */
    private boolean waitFor(long value, long nanos) {
        long left = nanos;
        boolean interrupted = false;
        lock.lock();
        try {
            while (completed < value && lost == null && left > 0) {
                long start = System.nanoTime();
                try {
                    left = moved.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                    left -= System.nanoTime() - start;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return completed >= value;
    }

    /** Returns whether a value is reached, which the host has then seen, and asks for progress if it is not. */
    boolean hasReached(long value) {
        if (completed < value && answered() < value) {
            demand(value);
            return false;
        }
        hostSaw(value);
        return true;
    }

    /** With the lock of the submissions: none is then between its check of what it names and its value. */
    @Override
    public long newest() {
        synchronized (queues) {
            return submitted;
        }
    }

    @Override
    public boolean isOver(long value) {
        return completed >= value || queues.isLost();
    }

    @Override
    public void awaitOver(long value, long nanos) {
        // A kernel would wait for itself.
        if (!isOver(value) && !queues.executor().isCurrent()) {
            demand(value);
            waitFor(value, nanos);
        }
    }

    /** Returns the value that is reached when all requests so far are done: the same whatever threads do meanwhile. */
    private long answered() {
        return completed == submitted ? completed : queues.executor().ask(queue);
    }

    /** Returns the value reached without asking for progress. */
    @Override
    public long reachedByDevice() {
        return completed;
    }

    /**
     * Hands over the work that leads to {@code newest}. Counts it as submitted after that and before it can be
     * complete: so no thread asks the virtual GPU for an unknown value, or sees one that is not submitted.
     */
    void submit(long newest, Runnable handOver) {
        lock.lock();
        try {
            handOver.run();
            submitted = newest;
        } finally {
            lock.unlock();
        }
    }

    /** Moves the clock; thread of the virtual GPU. */
    void complete(long value) {
        List<GraphEvent> reached = new ArrayList<>();
        lock.lock();
        try {
            completed = value;
            var head = pending.headMap(value, true);
            head.values().forEach(reached::addAll);
            head.clear();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
        queues.retired().sweep();
        if (!reached.isEmpty()) {
            hostSaw(value);
            queues.completer().complete(reached, GraphEvent::trigger);
        }
    }

    /** Returns how far the queue has come, when the device is lost. */
    CrashReport.QueueState state() {
        long newest;
        // With the lock: it counts as submitted only after the virtual GPU could have taken it.
        lock.lock();
        try {
            newest = submitted;
        } finally {
            lock.unlock();
        }
        return work.state(newest, completed, PassTrail.Reader::of);
    }

    /** Fails everything that waits. */
    void lose(DeviceLostException cause) {
        List<GraphEvent> failed = new ArrayList<>();
        lock.lock();
        try {
            lost = cause;
            pending.values().forEach(failed::addAll);
            pending.clear();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
        queues.completer().complete(failed, event -> event.fail(cause));
    }

    private void checkSubmitted(long value) {
        if (value < 0 || value > submitted) {
            throw new IllegalArgumentException("value " + value + " of queue '" + queue.name()
                    + "' was not submitted yet, the newest is " + submitted + "; submit first");
        }
    }

    private void demand(long value) {
        lock.lock();
        try {
            if (value <= demanded || lost != null) {
                return;
            }
            demanded = value;
        } finally {
            lock.unlock();
        }
        queues.executor().demand(queue, value);
    }

    private void hostSaw(long value) {
        lock.lock();
        try {
            seen = Math.max(seen, value);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the highest value that the host has seen reached. */
    long seen() {
        lock.lock();
        try {
            return seen;
        } finally {
            lock.unlock();
        }
    }

    /** Waits without a limit of time. */
    void awaitForever(long value) {
        while (!await(value, Duration.ofNanos(TimeUnit.DAYS.toNanos(1)))) {
            Thread.onSpinWait();
        }
    }
}
