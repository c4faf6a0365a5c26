package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.device.EventCompleter;
import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.device.PendingWork;
import io.frameloom.gpu.device.Retired;
import io.frameloom.gpu.device.Uncaught;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.internal.SilentTimeline;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;

/**
 * A queue's timeline semaphore, whose value is the number of the newest completed submission, and the thread that turns
 * values reached into events.
 *
 * <p>Each queue has a waiter of its own, blocked in the driver on this one semaphore while events are pending, and on a
 * condition while none is. One waiter for all queues would wait for any of several semaphores, for which Mesa's
 * software driver (22.3) polls: half a second of waiting took 29 ms of CPU time on a busy machine, against 0.2 ms for
 * one semaphore.
 *
 * <p>Pending events are in a heap under a lock. An event leaves the heap once, in the order of values, taken by the
 * waiter (reached) or by the thread that gives the device up (reached or failed). The waiter waits for one more than
 * the highest value seen, the lowest that a pending event can have, so registering an event never has to interrupt it.
 * Device loss is published before the heap is emptied under the lock, and a registration looks at it under the same
 * lock: no event is left.
 *
 * <p>The application's code at the end of an event may do anything, and close the device. So events complete on the
 * waiter, which then holds nothing and asks the driver only through the gate of the semaphore, or on the event thread:
 * a thread that finds the device lost may hold the guard of a queue. Closing does not wait for the waiter if it runs on
 * it; the waiter then ends when it has completed what is left.
 */
public final class VulkanTimeline implements GpuTimeline, SilentTimeline, Retired.Work, PendingWork.Of, AutoCloseable {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final String name;
    private final DeviceCore core;
    private final EventCompleter completer;
    private final TimelineSemaphore semaphore;
    private final PendingWork work;
    private final Thread waiter;
    private final AtomicLong seen = new AtomicLong();
    private final AtomicLong reported = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Pending> pending = new PriorityQueue<>(Comparator.comparingLong(Pending::value));

    private volatile long submitted;
    /** The value of a submission in progress, else {@link #submitted}. */
    private volatile long claimed;
    /** With the lock. */
    private boolean closed;

    private record Pending(long value, GraphEvent event) {}

    VulkanTimeline(String name, DeviceCore core, QueueDriver driver, TaskGraph tasks, EventCompleter completer) {
        this.name = name;
        this.core = core;
        this.completer = completer;
        this.semaphore = new TimelineSemaphore(name, core, driver);
        this.work = new PendingWork(name, this::reachedByDevice, tasks);
        core.loss().onLoss(this::failPending);
        waiter = new Thread(this::run, "frameloom-gpu-" + name);
        waiter.setDaemon(true);
    }

    void start() {
        waiter.start();
    }

    @Override
    public PendingWork work() {
        return work;
    }

    public long semaphore() {
        return semaphore.handle();
    }

    /**
     * Notes that a submission is about to check that what it names is open, and that it completes with {@code value}:
     * later closes wait for that. Submitting thread only.
     */
    void claim(long value) {
        claimed = value;
    }

    /** Notes that no submission is in progress. Submitting thread only. */
    void settle() {
        if (claimed != submitted) {
            claimed = submitted;
        }
    }

    @Override
    public long newest() {
        return claimed;
    }

    /**
     * The claim of a submission that then failed is over with the one before. A loss ends all but a submission in
     * progress: the driver still reads what that names.
     */
    @Override
    public boolean isOver(long value) {
        long last = Math.min(value, claimed);
        return last <= seen.get() || (last <= submitted && core.loss().cause() != null) || last <= peek();
    }

    /** Leaves a loss to others, as {@link #isOver} does. */
    @Override
    public void awaitOver(long value, long nanos) {
        long last = Math.min(value, submitted);
        if (!isOver(last) && semaphore.await(last, nanos) == VK13.VK_SUCCESS) {
            see(last);
        }
    }

    /** Asks the driver, without reporting anything or finding a device lost: that could call the application. */
    private long peek() {
        long value = ask();
        return value < 0 ? seen.get() : see(Math.min(value, submitted));
    }

    /** Returns the value that the driver knows, negative if it does not answer. */
    private long ask() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long value = stack.nmalloc(Long.BYTES, Long.BYTES);
            return semaphore.value(value) == VK13.VK_SUCCESS ? MemoryUtil.memGetLong(value) : -1;
        }
    }

    /**
     * Returns how far the queue has come, when the device is lost: what the host has seen, or what the driver says. A
     * lost device may say anything, so a value that was never submitted counts for nothing.
     */
    CrashReport.QueueState state(Function<List<PassTrail>, PassTrail.Reader> readers) {
        long newest = submitted;
        long value = ask();
        return work.state(newest, Math.max(seen.get(), value > newest ? 0 : value), readers);
    }

    /** Notes that the submission of {@code value} has been handed to the device. Submitting thread only. */
    void submitted(long value) {
        submitted = value;
    }

    /** Returns the highest value that the host has seen reached, without asking the device. */
    long seen() {
        return seen.get();
    }

    /**
     * Returns the highest value that was reported outside: by an answer, the end of a wait, or an event. A program
     * cannot rely on a value that only the waiter has seen.
     */
    public long reported() {
        return reported.get();
    }

    private void report(long value) {
        reported.accumulateAndGet(value, Math::max);
    }

    @Override
    public long submitted() {
        return submitted;
    }

    @Override
    public long completed() {
        long value = current();
        report(value);
        return value;
    }

    private long current() {
        if (core.loss().cause() != null) {
            return seen.get();
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            long value = stack.nmalloc(Long.BYTES, Long.BYTES);
            int result = semaphore.value(value);
            if (result == TimelineSemaphore.GONE) {
                return seen.get();
            }
            // Out of the gate: code that learns of a loss may close the device.
            if (result != VK13.VK_SUCCESS) {
                core.loss().lose("reading the timeline of queue '" + name + "'", result);
                return seen.get();
            }
            // A device that is being lost may report any value.
            return see(Math.min(MemoryUtil.memGetLong(value), submitted));
        }
    }

    /** Leaves a failure to others. */
    @Override
    public long reachedByDevice() {
        long value = ask();
        return value < 0 ? seen.get() : Math.min(value, submitted);
    }

    /** Asks the driver only for what the host has not seen yet. */
    private boolean isReached(long value) {
        boolean reached = value <= seen.get() || value <= current();
        if (reached) {
            report(value);
        }
        return reached;
    }

    private long see(long value) {
        return seen.accumulateAndGet(value, Math::max);
    }

    @Override
    public GraphEvent reached(long value) {
        requireSubmitted(value);
        GraphEvent event = work.event(value);
        if (isReached(value)) {
            event.trigger();
            return event;
        }
        DeviceLostException lost;
        boolean over;
        lock.lock();
        try {
            lost = core.loss().cause();
            // Closing a device that works has waited for everything.
            over = closed;
            if (lost == null && !over) {
                pending.add(new Pending(value, event));
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        if (lost != null) {
            event.fail(lost);
        } else if (over) {
            event.trigger();
        }
        return event;
    }

    @Override
    public boolean await(long value, Duration timeout) {
        requireSubmitted(value);
        if (isReached(value)) {
            return true;
        }
        // A device that is being given up continues its work, and the last of it is reported before it counts as lost.
        if (core.loss().cause() != null && !isReached(value)) {
            core.loss().check();
        }
        int result = waitLong(value, nanos(timeout));
        if (result == VK13.VK_SUCCESS) {
            see(value);
            report(value);
            return true;
        }
        if (result == VK13.VK_TIMEOUT) {
            return false;
        }
        throw core.loss().lose("waiting for queue '" + name + "'", result);
    }

    private void requireSubmitted(long value) {
        if (value < 0 || value > submitted) {
            throw new IllegalArgumentException("queue '" + name + "' has submitted up to value " + submitted
                    + "; value " + value + " was never submitted");
        }
    }

    private static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        return timeout.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : timeout.toNanos();
    }

    /** Waits in the driver. Once closed everything is reached, unless the device is lost. */
    private int waitFor(long value, long timeoutNanos) {
        int result = semaphore.await(value, timeoutNanos);
        if (result == TimelineSemaphore.GONE) {
            return core.loss().cause() == null ? VK13.VK_SUCCESS : VK13.VK_ERROR_DEVICE_LOST;
        }
        return result;
    }

    /** As {@link #waitFor}; a long wait is reported. */
    private int waitLong(long value, long timeoutNanos) {
        int[] result = new int[1];
        work.await(value, timeoutNanos, nanos -> {
            result[0] = waitFor(value, nanos);
            return result[0] != VK13.VK_TIMEOUT;
        });
        return result[0];
    }

    private void run() {
        try {
            waitAgainAndAgain();
        } catch (RuntimeException | Error e) {
            // No thread would complete the events any more: they fail instead.
            core.loss().lose("the waiter of queue '" + name + "' died: " + e, VK13.VK_ERROR_UNKNOWN);
            throw e;
        }
    }

    private void waitAgainAndAgain() {
        for (long next = awaitPending(); next > 0; next = awaitPending()) {
            int result = waitFor(next, Long.MAX_VALUE);
            if (result == VK13.VK_SUCCESS) {
                complete(take(current()));
            } else if (result != VK13.VK_TIMEOUT) {
                core.loss().lose("waiting for queue '" + name + "'", result);
            }
        }
    }

    /**
     * Blocks until an event is pending and returns the value to wait for, 0 once closed. It follows the value that was
     * seen when the event was found to be pending: another thread may see more meanwhile, and the value after that may
     * never be submitted.
     */
    private long awaitPending() {
        while (true) {
            lock.lock();
            try {
                while (pending.isEmpty() && !closed) {
                    changed.awaitUninterruptibly();
                }
                if (pending.isEmpty()) {
                    return 0;
                }
                long known = seen.get();
                if (pending.element().value > known) {
                    return known + 1;
                }
            } finally {
                lock.unlock();
            }
            // Another thread has seen the value since the event was registered.
            complete(take(seen.get()));
        }
    }

    private List<GraphEvent> take(long upTo) {
        List<GraphEvent> taken = new ArrayList<>();
        lock.lock();
        try {
            while (!pending.isEmpty() && pending.element().value <= upTo) {
                Pending next = pending.remove();
                if (next.value <= seen.get()) {
                    report(next.value);
                }
                taken.add(next.event);
            }
        } finally {
            lock.unlock();
        }
        return taken;
    }

    private static void complete(List<GraphEvent> events) {
        Uncaught.forEach(events, GraphEvent::trigger);
    }

    private void failPending() {
        DeviceLostException lost = Objects.requireNonNull(core.loss().cause());
        completer.complete(take(Long.MAX_VALUE), event -> event.fail(lost));
    }

    /**
     * Has the reached events completed, instead of a waiter that is held up.
     *
     * @return whether that is all that was submitted, or the driver no longer answers
     */
    boolean completeReached() {
        long last = submitted;
        long value = ask();
        if (value < 0) {
            return true;
        }
        completer.complete(take(see(Math.min(value, last))), GraphEvent::trigger);
        return value >= last;
    }

    /** Blocks until all that was submitted is complete, or the device is lost. */
    void drain() {
        long last = submitted;
        if (core.loss().cause() == null && completed() < last) {
            int result = waitLong(last, Long.MAX_VALUE);
            if (result == VK13.VK_SUCCESS) {
                see(last);
                report(last);
            } else {
                core.loss().lose("waiting for queue '" + name + "'", result);
            }
        }
    }

    /**
     * Stops the waiter, on its own thread as soon as it returns there, and destroys the semaphore when no call in the
     * driver uses it any more. The queue must be idle or the device lost, so that waits there return.
     */
    @Override
    public void close() {
        if (core.loss().cause() == null) {
            see(submitted);
        }
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        joinWaiter();
        semaphore.close();
    }

    private void joinWaiter() {
        boolean interrupted = false;
        while (waiter.isAlive() && Thread.currentThread() != waiter) {
            try {
                waiter.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
