package io.frameloom.rdg;

import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * <p>Passes of the host neither wait for semaphores nor signal them. A semaphore for a resource that one of them uses
 * is refused. One for the whole frame concerns its work on the device.
 *
 * @param images the images of Frameloom's own swapchains that the plan renders to
 * @param after of what the application has submitted itself, what the frame waits for on other queues; null for
 *     everything
 * @param waits the engine's semaphores that the frame waits for
 * @param signals the engine's semaphores that the frame signals
 */
public record FrameSync(
        List<SwapchainImage> images, @Nullable List<TimelinePoint> after, List<Edge> waits, List<Edge> signals) {
    private static final FrameSync NONE = new FrameSync(List.of(), null, List.of(), List.of());

    /**
     * A semaphore and what of the frame it concerns.
     *
     * @param point what is waited for or signalled
     * @param resource the external resource whose uses wait or signal, or null for the whole frame
     */
    public record Edge(ExternalPoint point, @Nullable Resource resource) {}

    /**
     * Copies the lists; each binary semaphore is waited for once, and each semaphore signalled once, which the frame
     * must not wait for.
     */
    public FrameSync {
        images = List.copyOf(images);
        after = after == null ? null : List.copyOf(after);
        waits = List.copyOf(waits);
        signals = List.copyOf(signals);
        requireOnce(
                "waits for binary",
                waits.stream().filter(edge -> !edge.point().isOfTimeline()).toList());
        Map<Object, Edge> signalled = requireOnce("signals", signals);
        for (Edge wait : waits) {
            Edge signal = signalled.get(identity(wait));
            if (signal != null && isOwn(wait, signal)) {
                throw new IllegalArgumentException("a frame waits for value "
                        + wait.point().value() + " of timeline '"
                        + wait.point().semaphore().name() + "', which it signals itself, to be "
                        + signal.point().value() + "; wait for a lower value than it signals");
            }
        }
    }

    /** Returns the edges by their semaphores. */
    private static Map<Object, Edge> requireOnce(String what, List<Edge> edges) {
        Map<Object, Edge> bySemaphore = new HashMap<>();
        for (Edge edge : edges) {
            Edge earlier = bySemaphore.put(identity(edge), edge);
            if (earlier != null) {
                String name = edge.point().semaphore().name();
                String first = earlier.point().semaphore().name();
                throw new IllegalArgumentException("a frame " + what + " semaphore '" + name + "' twice"
                        + (first.equals(name) ? "" : ", also as '" + first + "'") + "; name it once");
            }
        }
        return bySemaphore;
    }

    /** A semaphore that was imported under two names is one. */
    private static Object identity(Edge edge) {
        ExternalSemaphore semaphore = edge.point().semaphore();
        return semaphore.nativeHandle() != 0 ? (Object) semaphore.nativeHandle() : semaphore;
    }

    /** Returns whether the frame waits for a value that only the frame itself could reach. */
    private static boolean isOwn(Edge wait, Edge signal) {
        Resource waiting = wait.resource();
        boolean after = waiting == null || signal.resource() == null || signal.resource() == waiting;
        return after
                && wait.point().isOfTimeline()
                && wait.point().value() >= signal.point().value();
    }

    /** Returns a value that waits for everything the application has submitted, and for nothing else. */
    public static FrameSync none() {
        return NONE;
    }

    /**
     * As this, rendering to images. The batch that uses an image first waits for its acquisition. The submit thread
     * presents all images after the frame's last submission, in the order in which the graph registered them; {@link
     * FrameHandle#presented} says what became of that. The plan of a swapchain's image may be executed whenever that
     * image is acquired again.
     *
     * <p>The images of a frame that fails are presented as well, with unknown contents, so that their swapchains can go
     * on. If the device is lost or refuses that, a swapchain has them back when it is recreated. Before a swapchain is
     * recreated or closed, wait for {@link FrameHandle#submitted} of the frames that render to it.
     *
     * @param more acquired images, one for each {@linkplain RenderGraph#registerExternal(SwapchainImage) one} that the
     *     plan renders to, in any order
     */
    public FrameSync presenting(SwapchainImage... more) {
        List<SwapchainImage> all = new ArrayList<>(images);
        all.addAll(List.of(more));
        return new FrameSync(all, after, waits, signals);
    }

    /**
     * As this, for an application that submits work which the frame does not need, such as uploads for later ones. Of
     * the application's own submissions the frame then waits on other queues for these points alone. It waits for
     * earlier frames as always. On one queue, work stays in the order of its submission. Name the point of each
     * submission that
     *
     * <ul>
     *   <li>has written an external resource of the plan, or changed its layout or owner;
     *   <li>reads a resource that the plan writes or moves to another layout or queue, such as a readback;
     *   <li>has used an extracted resource that was recycled since.
     * </ul>
     *
     * <p>An {@link io.frameloom.gpu.transfer.UploadBatch#point} is such a point.
     *
     * @param points points that were submitted, of any queues of the device; with none the frame waits for no
     *     submission of the application
     */
    public FrameSync after(List<TimelinePoint> points) {
        return new FrameSync(images, points, waits, signals);
    }

    /** As this, where everything that the frame does on the device waits for a semaphore. */
    public FrameSync waitFor(ExternalPoint point) {
        return with(new Edge(point, null));
    }

    /**
     * As this, where the frame's uses of an external resource wait for a semaphore, at the stages of the point. What
     * does not depend on these runs before.
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
     * As this, signalling a semaphore when the device has done the frame. A frame that fails signals as well, when the
     * device has done what was submitted of it, so no wait is in vain. The contents that it was to write are unknown
     * then. A frame that cannot end because its task graph was closed signals when the executor is closed. Nothing is
     * signalled if the device is lost or refuses the signal, such as a value that the timeline has already. That fails
     * the frame.
     */
    public FrameSync signal(ExternalPoint point) {
        return signalling(new Edge(point, null));
    }

    /**
     * As {@link #signal(ExternalPoint)}, as soon as the device has done all that the frame does with an external
     * resource. Where its last uses are on several queues, none of which waits for the others, that is when the frame
     * is done.
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
