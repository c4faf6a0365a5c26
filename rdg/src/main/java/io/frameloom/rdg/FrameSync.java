package io.frameloom.rdg;

import io.frameloom.gpu.ExternalPoint;
import io.frameloom.gpu.ExternalSemaphore;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.SwapchainImage;
import io.frameloom.gpu.TimelinePoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one {@linkplain FrameExecutor#execute(FramePlan, FrameSync) execution} of a plan waits for and signals, besides
 * earlier frames. Immutable.
 *
 * <p>An engine that shares its device gates a frame by its own semaphores in this way, without a submission of its own
 * around the frame:
 *
 * <pre>{@code
 * executor.execute(plan, FrameSync.none()
 *         .waitFor(ExternalPoint.of(engine, drawn), picture)   // the frame's uses of the picture wait
 *         .waitFor(ExternalPoint.of(acquired), image)
 *         .signal(ExternalPoint.of(rendered), image)           // when the image may be presented
 *         .signal(ExternalPoint.of(engine, drawn + 1)));       // when the device has done the frame
 * }</pre>
 *
 * @param images the images of Frameloom's own swapchains that the plan renders to
 * @param after of what the application has submitted itself, what the frame waits for on other queues; null for everything
 * @param waits what holds the frame back of somebody else's semaphores
 * @param signals what the frame signals of somebody else's semaphores
 */
public record FrameSync(
        List<SwapchainImage> images, @Nullable List<TimelinePoint> after, List<Edge> waits, List<Edge> signals) {
    private static final FrameSync NONE = new FrameSync(List.of(), null, List.of(), List.of());

    /**
     * A semaphore and what of the frame it concerns.
     *
     * @param point what is waited for or signalled
     * @param resource the external resource whose uses wait or are waited for, or null for the whole frame
     */
    public record Edge(ExternalPoint point, @Nullable Resource resource) {}

    /** Copies the lists; each binary semaphore is waited for once, and each semaphore signalled once. */
    public FrameSync {
        images = List.copyOf(images);
        after = after == null ? null : List.copyOf(after);
        waits = List.copyOf(waits);
        signals = List.copyOf(signals);
        requireOnce(
                "waits for binary",
                waits.stream().filter(edge -> !edge.point().isOfTimeline()).toList());
        requireOnce("signals", signals);
    }

    private static void requireOnce(String what, List<Edge> edges) {
        for (int i = 1; i < edges.size(); i++) {
            ExternalSemaphore semaphore = edges.get(i).point().semaphore();
            for (Edge earlier : edges.subList(0, i)) {
                if (earlier.point().semaphore() == semaphore) {
                    throw new IllegalArgumentException(
                            "a frame " + what + " semaphore '" + semaphore.name() + "' twice; name it once");
                }
            }
        }
    }

    /** Returns that of a frame which waits for all that the application has submitted itself, and for nothing else. */
    public static FrameSync none() {
        return NONE;
    }

    /**
     * As this, rendering to images: the batch that uses an image first waits for its acquisition, and the submit thread
     * presents all images after the frame's last submission, in the order in which the graph registered them;
     * {@link FrameHandle#presented} says what became of that. The plan of a swapchain's image may be executed whenever that
     * image is acquired again.
     *
     * <p>The images of a frame that fails are presented as well, with whatever they hold, so that their swapchains can go on;
     * only if the device is lost or refuses that, too, a swapchain has them back when it is recreated. Before a swapchain is
     * recreated or closed, wait for {@link FrameHandle#submitted} of the frames that render to it.
     *
     * @param more acquired images, one for each {@linkplain RenderGraph#registerExternal(SwapchainImage) one} that the plan
     *     renders to, in any order
     */
    public FrameSync presenting(SwapchainImage... more) {
        List<SwapchainImage> all = new ArrayList<>(images);
        all.addAll(List.of(more));
        return new FrameSync(all, after, waits, signals);
    }

    /**
     * As this, for an application that submits what the frame does not need, such as uploads for later ones: of everything that
     * it has submitted itself, the frame waits on other queues for these points alone, and for earlier frames as always. So
     * name the points of whatever has written an external resource of the plan or changed its layout or owner, of whatever reads
     * one that the plan writes or moves to another layout or queue, such as a readback, and of whatever has used an extracted
     * one that was recycled since; an {@link io.frameloom.gpu.transfer.UploadBatch#point} is one. On one queue things stay in the
     * order in which they are submitted.
     *
     * @param points points that were submitted, of any queues of the device; none lets the frame wait for nothing of that
     */
    public FrameSync after(List<TimelinePoint> points) {
        return new FrameSync(images, points, waits, signals);
    }

    /** As this, where everything that the frame does on the device waits for a semaphore. */
    public FrameSync waitFor(ExternalPoint point) {
        return with(new Edge(point, null));
    }

    /**
     * As this, where the frame's uses of an external resource wait for a semaphore, at the stages of the point. What does not
     * depend on these runs before.
     *
     * @param resource a texture or buffer that the graph has registered
     */
    public FrameSync waitFor(ExternalPoint point, Resource resource) {
        return with(new Edge(point, resource));
    }

    private FrameSync with(Edge wait) {
        List<Edge> all = new ArrayList<>(waits);
        all.add(wait);
        return new FrameSync(images, after, all, signals);
    }

    /**
     * As this, signalling a semaphore when the device has done the frame. A frame that fails signals as well, when the device
     * has done what was submitted of it, so that nobody waits in vain; what it was to write is unknown then. Nothing is
     * signalled if the device is lost, or refuses the signal, such as a value that the timeline has already: that is the
     * frame's failure.
     */
    public FrameSync signal(ExternalPoint point) {
        return signalling(new Edge(point, null));
    }

    /**
     * As {@link #signal(ExternalPoint)}, as soon as the device has done all that the frame does with an external resource. Where
     * its last uses are on several queues, none of which waits for the others, that is when the frame is done.
     *
     * @param resource a texture or buffer that the graph has registered
     */
    public FrameSync signal(ExternalPoint point, Resource resource) {
        return signalling(new Edge(point, resource));
    }

    private FrameSync signalling(Edge signal) {
        List<Edge> all = new ArrayList<>(signals);
        all.add(signal);
        return new FrameSync(images, after, waits, all);
    }
}
