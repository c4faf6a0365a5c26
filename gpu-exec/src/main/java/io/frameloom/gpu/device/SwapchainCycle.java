package io.frameloom.gpu.device;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.error.SurfaceLostException;
import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.HdrMetadata;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.Format;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The life of a swapchain for all backends: which calls are allowed when, and their results. A status that is no
 * success stays until the swapchain is recreated.
 *
 * <p>One lock guards everything and is held while the backend's part of a step runs; acquisitions let it go while they
 * wait for an image. Any thread.
 */
public abstract class SwapchainCycle implements Swapchain {
    private final String name;
    private final Surface surface;
    /** Fair: a thread that presents gets in between the attempts of one that waits for an image. */
    private final ReentrantLock lock = new ReentrantLock(true);

    /** Guards {@link #changes}; taken last and for moments only, so any thread may report one whatever it holds. */
    private final ReentrantLock changing = new ReentrantLock();

    private final Condition changed = changing.newCondition();
    /** Events so far that may end a wait for an image: who has looked waits for another number, and misses none. */
    private long changes;

    private final long pauseNanos;
    private final boolean reportsDisplay;
    private @Nullable HdrMetadata described;
    private SwapchainDescription wished;
    private SwapchainChoice choice;
    /** Why there is nothing to acquire; OK if there is. */
    private SwapchainStatus state = SwapchainStatus.OK;

    private volatile boolean closed;
    /** Whether closing has ended. */
    private boolean released;

    /**
     * A swapchain without images; {@link #begin} makes them.
     *
     * @param pauseNanos how long an acquisition waits for a presentation, or for {@link #wake}, before it asks the
     *     backend again
     * @throws IllegalArgumentException if the images cannot be used as asked
     */
    public SwapchainCycle(
            String name, Surface surface, SwapchainDescription wished, long pauseNanos, boolean reportsDisplay) {
        this.name = name;
        this.surface = surface;
        this.wished = wished;
        this.pauseNanos = pauseNanos;
        this.reportsDisplay = reportsDisplay;
        this.choice = SwapchainChoice.of(name, wished, surface.support(), reportsDisplay);
    }

    /** Throws unless the device can be used. */
    protected abstract void requireUsable();

    /** Returns the known status of the surface: OK, OUT_OF_DATE or SURFACE_LOST. */
    protected abstract SwapchainStatus surfaceStatus();

    protected abstract void make(SwapchainDescription description, SwapchainChoice chosen);

    /**
     * Tries to acquire an image.
     *
     * @param nanos how long it may take
     * @return the result, or null if no image became free
     */
    protected abstract @Nullable Acquisition tryAcquire(long nanos);

    /**
     * Hands over an image whose presentation was taken. What throws gives the presentation back if the image is still
     * the application's.
     */
    protected abstract SwapchainStatus show(ImageTurn turn);

    /** Takes all images back and waits until the device has finished with them. */
    protected abstract void takeBack();

    /** Frees what was taken back; called again if it cannot yet. */
    protected abstract void discard();

    /**
     * Lets go of everything, at the end.
     *
     * @return false if the device is being closed by another thread, which closes this as well
     */
    protected abstract boolean release();

    protected abstract int images();

    /** Returns how many images the application holds. */
    protected abstract int held();

    /**
     * Waits until few presented images wait to be displayed; called if the backend reports that.
     *
     * @param most how many may
     * @param nanos how long it may take
     * @return TIMEOUT if there are more, or the status of the surface
     */
    protected abstract SwapchainStatus awaitDisplay(int most, long nanos);

    /** Describes the pictures that follow; returns whether the device passes it on. */
    protected abstract boolean describe(HdrMetadata metadata);

    /** Makes the first images; called once. */
    public final void begin() {
        lock.lock();
        try {
            makeChosen();
        } finally {
            lock.unlock();
        }
    }

    private void makeChosen() {
        if (choice.hasArea()) {
            make(wished, choice);
            state = SwapchainStatus.OK;
            if (described != null) {
                describe(described);
            }
        } else {
            state = SwapchainStatus.MINIMIZED;
        }
    }

    /** Returns the status of an acquisition now; called by the backend's part of a step. */
    public final SwapchainStatus status() {
        SwapchainStatus known = surfaceStatus();
        return known == SwapchainStatus.SURFACE_LOST || state == SwapchainStatus.OK ? known : state;
    }

    @Override
    public final Acquisition acquire(Duration timeout) {
        long nanos = nanos(timeout);
        long start = System.nanoTime();
        long left = nanos;
        boolean interrupted = false;
        try {
            while (true) {
                long seen = changes();
                Acquisition acquisition = attempt(left);
                if (acquisition != null) {
                    return acquisition;
                }
                left = nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return new Acquisition(SwapchainStatus.TIMEOUT, null);
                }
                try {
                    awaitChange(seen, Math.min(left, pauseNanos));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Makes acquisitions that wait for an image look again; whatever locks are held. */
    public final void wake() {
        changing.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            changing.unlock();
        }
    }

    private long changes() {
        changing.lock();
        try {
            return changes;
        } finally {
            changing.unlock();
        }
    }

    private void awaitChange(long seen, long nanos) throws InterruptedException {
        changing.lockInterruptibly();
        try {
            long left = nanos;
            while (changes == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            changing.unlock();
        }
    }

    private @Nullable Acquisition attempt(long nanos) {
        lock.lock();
        try {
            requireOpen("acquired from");
            requireUsable();
            SwapchainStatus status = status();
            if (status != SwapchainStatus.OK) {
                note(status);
                return new Acquisition(status, null);
            }
            Acquisition acquisition = attemptWithinLatency(Math.max(0, nanos));
            if (acquisition != null) {
                note(acquisition.status());
            }
            return acquisition;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Acquisition attemptWithinLatency(long nanos) {
        int limit = wished.maximumFrameLatency();
        if (!reportsDisplay || limit == SwapchainDescription.UNLIMITED) {
            return tryAcquire(nanos);
        }
        // The one to be acquired is on its way as well.
        int most = limit - 1 - held();
        if (most < 0) {
            return null;
        }
        long start = System.nanoTime();
        SwapchainStatus displayed = awaitDisplay(most, nanos);
        if (displayed == SwapchainStatus.TIMEOUT) {
            return null;
        }
        return displayed.succeeded()
                ? tryAcquire(Math.max(0, nanos - (System.nanoTime() - start)))
                : new Acquisition(displayed, null);
    }

    private static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        // All bits set would mean no limit, which is forbidden where no image may ever become free.
        return timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0 ? Long.MAX_VALUE : timeout.toNanos();
    }

    private void note(SwapchainStatus status) {
        if (!status.succeeded()) {
            state = status;
        }
    }

    @Override
    public final SwapchainStatus present(SwapchainImage image) {
        lock.lock();
        try {
            requireOpen("presented to");
            if (!(image instanceof ImageTurn turn) || turn.swapchain() != this) {
                throw new IllegalArgumentException("swapchain '" + name + "' presents " + image + "; present it there");
            }
            requireUsable();
            turn.beginPresent();
            SwapchainStatus status = shown(turn);
            wake();
            note(status);
            return status;
        } finally {
            lock.unlock();
        }
    }

    private SwapchainStatus shown(ImageTurn turn) {
        try {
            return show(turn);
        } catch (RuntimeException failure) {
            if (!turn.isHeld()) {
                // It is unknown whether the image went: only new images are sure to work.
                state = SwapchainStatus.OUT_OF_DATE;
                wake();
            }
            throw failure;
        }
    }

    @Override
    public final SwapchainStatus recreate(int width, int height) {
        lock.lock();
        try {
            requireOpen("recreated as");
            requireUsable();
            SwapchainDescription next = wished.withExtent(width, height);
            takeBack();
            wished = next;
            state = SwapchainStatus.OUT_OF_DATE;
            try {
                requireUsable();
                choice = SwapchainChoice.of(name, wished, surface.support(), reportsDisplay);
                makeChosen();
            } catch (SurfaceLostException lost) {
                state = SwapchainStatus.SURFACE_LOST;
            } finally {
                discard();
                wake();
            }
            return state;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen(String action) {
        if (closed) {
            throw new IllegalStateException("swapchain '" + name + "' is " + action + " after it was closed");
        }
    }

    @Override
    public final void close() {
        lock.lock();
        try {
            if (!released) {
                closed = true;
                wake();
                takeBack();
                discard();
                released = release();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final boolean isClosed() {
        return closed;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Surface surface() {
        return surface;
    }

    @Override
    public final Format format() {
        return chosen().format().format();
    }

    @Override
    public final ColorSpace colorSpace() {
        return chosen().format().colorSpace();
    }

    @Override
    public final boolean reportsDisplay() {
        return reportsDisplay;
    }

    @Override
    public final boolean setHdrMetadata(HdrMetadata metadata) {
        Objects.requireNonNull(metadata, "metadata must not be null");
        lock.lock();
        try {
            requireOpen("described");
            requireUsable();
            described = metadata;
            return describe(metadata);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final PresentMode presentMode() {
        return chosen().mode();
    }

    @Override
    public final int width() {
        return chosen().width();
    }

    @Override
    public final int height() {
        return chosen().height();
    }

    @Override
    public final GpuQueue presentQueue() {
        return chosen().queue();
    }

    @Override
    public final int imageCount() {
        lock.lock();
        try {
            return images();
        } finally {
            lock.unlock();
        }
    }

    public final SwapchainChoice chosen() {
        lock.lock();
        try {
            return choice;
        } finally {
            lock.unlock();
        }
    }
}
