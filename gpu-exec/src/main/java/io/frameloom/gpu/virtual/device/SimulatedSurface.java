package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.error.SurfaceLostException;
import io.frameloom.gpu.present.HdrMetadata;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.SurfaceFormat;
import io.frameloom.gpu.present.SurfaceSupport;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualSurface;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The state of a surface of the virtual device. Any thread. */
final class SimulatedSurface extends VirtualObject implements VirtualSurface {
    private static final int MIN_IMAGES = 2;
    private static final int MAX_IMAGES = 8;
    private static final int MAX_EXTENT = 16_384;
    /** As a window of an HDR display has them, but none in Display P3: what is absent must be there to be tried. */
    private static final List<SurfaceFormat> FORMATS = List.of(
            SurfaceFormat.srgb(Format.B8G8R8A8_SRGB),
            SurfaceFormat.srgb(Format.B8G8R8A8_UNORM),
            SurfaceFormat.srgb(Format.R8G8B8A8_SRGB),
            SurfaceFormat.srgb(Format.R8G8B8A8_UNORM),
            SurfaceFormat.HDR10,
            SurfaceFormat.SC_RGB);

    private int width;
    private int height;
    private boolean lost;
    private @Nullable VirtualSwapchain swapchain;
    private @Nullable Presented newest;
    private Consumer<Presented> listener = presented -> {};
    private long handed;
    private @Nullable SimulatedDisplay display;
    private @Nullable HdrMetadata metadata;

    SimulatedSurface(SimulatedDevice device, String name, int width, int height) {
        super(device, name);
        this.width = width;
        this.height = height;
    }

    @Override
    public synchronized void resize(int newWidth, int newHeight) {
        if (newWidth < 0 || newHeight < 0 || newWidth > MAX_EXTENT || newHeight > MAX_EXTENT) {
            throw new IllegalArgumentException(
                    describe() + " is 0x0 to " + MAX_EXTENT + "x" + MAX_EXTENT + ", got " + newWidth + "x" + newHeight);
        }
        width = newWidth;
        height = newHeight;
        reportToSwapchain();
    }

    /** Something has changed that an acquisition may wait for. */
    synchronized void reportToSwapchain() {
        if (swapchain != null) {
            swapchain.wake();
        }
    }

    @Override
    public synchronized void simulateDisplay(Duration period) {
        Objects.requireNonNull(period, "period must not be null");
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("a display has a period above 0, got " + period);
        }
        if (swapchain != null) {
            throw new IllegalStateException(describe() + " has swapchain '" + swapchain.name()
                    + "' already; simulate its display before you make that");
        }
        display = new SimulatedDisplay(this, period.toNanos());
    }

    @Override
    public void advance(Duration time) {
        Objects.requireNonNull(time, "time must not be null");
        if (time.isNegative()) {
            throw new IllegalArgumentException("time passes forwards, got " + time);
        }
        SimulatedDisplay moved = display();
        if (moved == null) {
            throw new IllegalStateException(describe() + " has no display whose time could pass; simulate one first");
        }
        catchUp(() -> moved.advance(time.toNanos()));
    }

    @Override
    public int queued() {
        SimulatedDisplay asked = display();
        return asked == null ? 0 : asked.queued();
    }

    /** Returns the display, or null if images are displayed as soon as they are ready. */
    synchronized @Nullable SimulatedDisplay display() {
        return display;
    }

    @Override
    public synchronized @Nullable HdrMetadata hdrMetadata() {
        return metadata;
    }

    synchronized void hdrMetadata(HdrMetadata described) {
        metadata = described;
    }

    @Override
    public synchronized void lose() {
        lost = true;
        reportToSwapchain();
    }

    @Override
    public @Nullable Presented newest() {
        catchUp(() -> {});
        synchronized (this) {
            return newest;
        }
    }

    /** Lets the virtual GPU finish what it was given, and then do something, unless it is closed. */
    private void catchUp(Runnable then) {
        CompletableFuture<Void> caughtUp = new CompletableFuture<>();
        boolean open = device().queuing().post(graph -> {
            try {
                while (graph.hasReady()) {
                    graph.step();
                }
                then.run();
            } finally {
                caughtUp.complete(null);
            }
        });
        if (open) {
            caughtUp.join();
        }
    }

    @Override
    public synchronized void onPresented(Consumer<Presented> whom) {
        Objects.requireNonNull(whom, "whom must not be null");
        listener = whom;
    }

    /** Returns the number of a presentation that begins. */
    synchronized long nextNumber() {
        return ++handed;
    }

    /** Shows an image at a time of the display; {@link #report} follows. Thread of the virtual GPU. */
    Presented show(VirtualSwapchainImage.Slot slot, long nanos) {
        VirtualTexture image = slot.texture;
        int bytes = (int) image.sliceBytes(0, 0);
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        copy.put(image.memory().access(image.address(0, 0, 0), bytes)).flip();
        Presented presented = new Presented(
                slot.number,
                image.description().width(),
                image.description().height(),
                image.description().format(),
                slot.colorSpace,
                copy.asReadOnlyBuffer(),
                nanos);
        synchronized (this) {
            newest = presented;
        }
        return presented;
    }

    /** Runs the application's listener, so with no lock; thread of the virtual GPU. */
    void report(Presented presented) {
        Consumer<Presented> watching;
        synchronized (this) {
            watching = listener;
        }
        watching.accept(presented);
    }

    synchronized void occupy(VirtualSwapchain by) {
        if (isClosed()) {
            throw new IllegalStateException(describe() + " is closed; swapchain '" + by.name() + "' needs one");
        }
        if (swapchain != null) {
            throw new IllegalStateException(describe() + " has swapchain '" + swapchain.name()
                    + "'; close or recreate that instead of making '" + by.name() + "'");
        }
        swapchain = by;
    }

    synchronized void vacate() {
        swapchain = null;
    }

    synchronized boolean isLost() {
        return lost;
    }

    synchronized boolean hasExtent(int asWidth, int asHeight) {
        return width == asWidth && height == asHeight;
    }

    @Override
    public synchronized SurfaceSupport support() {
        if (isClosed()) {
            throw new IllegalStateException(describe() + " is closed; it can do nothing");
        }
        if (lost) {
            throw new SurfaceLostException(
                    describe() + " is lost; close it with its swapchain and make new ones, the device works on");
        }
        return new SurfaceSupport(
                FORMATS,
                EnumSet.of(PresentMode.FIFO, PresentMode.MAILBOX, PresentMode.IMMEDIATE),
                MIN_IMAGES,
                MAX_IMAGES,
                width,
                height,
                MAX_EXTENT,
                MAX_EXTENT,
                EnumSet.complementOf(EnumSet.of(TextureUsage.DEPTH_ATTACHMENT)),
                List.of(device().queues().get(0)));
    }

    @Override
    public synchronized void close() {
        if (swapchain != null) {
            throw new IllegalStateException(
                    describe() + " is closed before its swapchain '" + swapchain.name() + "'; close that first");
        }
        super.close();
    }
}
