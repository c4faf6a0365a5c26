package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.HdrMetadata;
import io.frameloom.gpu.present.PresentMode;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.present.SwapchainStatus;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FakeResources.FakeTexture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A swapchain of the fake device: it notes what is presented, and refuses images that no submission has signalled. */
final class FakeSwapchain implements Swapchain {
    private final FakeDevice device;
    private final String name;
    private final List<Image> images = new ArrayList<>();
    private final List<Integer> presented = new ArrayList<>();
    private int acquired;
    private boolean refuses;

    private record Image(FakeSwapchain swapchain, int index, Texture texture) implements SwapchainImage {
        @Override
        public String toString() {
            return "image " + index + " of " + swapchain.name;
        }
    }

    FakeSwapchain(FakeDevice device, String name, int imageCount) {
        this.device = device;
        this.name = name;
        for (int i = 0; i < imageCount; i++) {
            images.add(new Image(this, i, new FakeTexture(name + " " + i, FakeRig.TARGET, null, true, device::closed)));
        }
    }

    SwapchainImage next() {
        return images.get(acquired++ % images.size());
    }

    /** Returns the indices of what was presented. */
    synchronized List<Integer> presented() {
        return List.copyOf(presented);
    }

    /** Makes the next presentation fail. */
    synchronized void refuseNext() {
        refuses = true;
    }

    @Override
    public synchronized SwapchainStatus present(SwapchainImage image) {
        if (refuses) {
            refuses = false;
            throw new GpuException("no presentation of " + image);
        }
        long waited = named(image, true);
        if (waited != named(image, false)
                || waited
                        != presented.stream()
                                        .filter(each -> each == image.index())
                                        .count()
                                + 1) {
            throw new IllegalStateException(image + " is presented without a wait and a signal");
        }
        presented.add(image.index());
        return SwapchainStatus.OK;
    }

    /** Returns how many submissions have waited for the image, or signalled it. */
    private long named(SwapchainImage image, boolean acquires) {
        return device.submissions().stream()
                .map(FakeQueue.Submitted::submission)
                .filter(submission -> acquires
                        ? submission.acquires().stream()
                                .map(Submission.Acquire::image)
                                .anyMatch(image::equals)
                        : submission.presents().contains(image))
                .count();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Format format() {
        return FakeRig.TARGET.format();
    }

    @Override
    public ColorSpace colorSpace() {
        return ColorSpace.SRGB;
    }

    @Override
    public boolean reportsDisplay() {
        return false;
    }

    @Override
    public boolean setHdrMetadata(HdrMetadata metadata) {
        return false;
    }

    @Override
    public PresentMode presentMode() {
        return PresentMode.FIFO;
    }

    @Override
    public int width() {
        return FakeRig.TARGET.width();
    }

    @Override
    public int height() {
        return FakeRig.TARGET.height();
    }

    @Override
    public int imageCount() {
        return images.size();
    }

    @Override
    public GpuQueue presentQueue() {
        return device.queue(0);
    }

    @Override
    public Surface surface() {
        throw new UnsupportedOperationException("fake");
    }

    @Override
    public Acquisition acquire(Duration timeout) {
        throw new UnsupportedOperationException("fake");
    }

    @Override
    public SwapchainStatus recreate(int width, int height) {
        throw new UnsupportedOperationException("fake");
    }

    @Override
    public boolean isClosed() {
        return false;
    }

    @Override
    public void close() {}
}
