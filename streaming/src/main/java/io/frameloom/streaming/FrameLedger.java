package io.frameloom.streaming;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.resource.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Frames under way, what is freed with them, and the bytes of all images until then. Guarded by the streamer. */
final class FrameLedger {
    private final GpuDevice device;
    /** Frames that are not known to have ended, the oldest first. */
    private final Deque<Frame> frames = new ArrayDeque<>();
    /** Ends with the next frame. */
    private List<Runnable> leaving = new ArrayList<>();

    private final Deque<Closing> closings = new ArrayDeque<>();
    /** Bytes of images that were closed since the last frame was declared. */
    private long closedBytes;

    private long imageBytes;
    private long leavingBytes;

    /**
     * A frame under way.
     *
     * @param wishes what the frame before it wished; complete when this one is
     * @param feedback where they were, which has contents when this one has succeeded
     * @param changed textures whose image this frame fills from the one before
     * @param leaving frees what no later frame uses
     */
    record Frame(
            CompletableFuture<ByteBuffer> wishes,
            Buffer feedback,
            List<StreamedTexture> changed,
            List<Runnable> leaving) {
        boolean hasSucceeded() {
            return wishes.isDone() && !wishes.isCompletedExceptionally();
        }
    }

    /**
     * Images that were closed. The device frees them when it has done all that was submitted before.
     *
     * @param bytes memory of the images
     * @param submitted by queue what was submitted when they were surely closed
     */
    private record Closing(long bytes, List<Long> submitted) {
        boolean isOver(List<Long> completed) {
            return IntStream.range(0, submitted.size()).allMatch(i -> completed.get(i) >= submitted.get(i));
        }
    }

    FrameLedger(GpuDevice device) {
        this.device = device;
    }

    /** Returns the bytes of all images, those included that are being loaded. */
    long imageBytes() {
        return imageBytes;
    }

    /** Returns the bytes of those that are about to be freed. */
    long leavingBytes() {
        return leavingBytes;
    }

    /** Counts the bytes of an image more, or below zero of one that is not made after all. */
    void add(long bytes) {
        imageBytes += bytes;
    }

    /** Frees an image when the next frame has ended, which is the last to use it. */
    void leave(ResidentImage image) {
        leavingBytes += image.bytes();
        leaving.add(() -> closeLeaving(image));
    }

    /** Frees an image that no frame uses. */
    void close(ResidentImage image) {
        leavingBytes += image.bytes();
        closeLeaving(image);
    }

    private void closeLeaving(ResidentImage image) {
        image.close();
        closedBytes += image.bytes();
    }

    /** Runs an action when the next frame has ended. */
    void atEnd(Runnable action) {
        leaving.add(action);
    }

    /** Takes the next frame in. */
    void declared(CompletableFuture<ByteBuffer> wishes, Buffer feedback, List<StreamedTexture> changed) {
        frames.add(new Frame(wishes, feedback, changed, leaving));
        leaving = new ArrayList<>();
    }

    /** Frees what frames that have ended used alone, and shows these frames, the oldest first. */
    void takeEnded(Consumer<Frame> ended) {
        if (closedBytes > 0) {
            closings.add(new Closing(closedBytes, values(GpuTimeline::submitted)));
            closedBytes = 0;
        }
        List<Long> completed = values(GpuTimeline::completed);
        while (!closings.isEmpty() && closings.getFirst().isOver(completed)) {
            long freed = closings.removeFirst().bytes;
            leavingBytes -= freed;
            imageBytes -= freed;
        }
        while (!frames.isEmpty() && hasOldestEnded()) {
            Frame oldest = frames.removeFirst();
            oldest.leaving.forEach(Runnable::run);
            ended.accept(oldest);
        }
    }

    /** Frames complete in order. So what is not complete when a later one has succeeded was never executed. */
    private boolean hasOldestEnded() {
        return frames.getFirst().wishes.isDone() || frames.stream().anyMatch(Frame::hasSucceeded);
    }

    private List<Long> values(Function<GpuTimeline, Long> value) {
        return device.queues().stream().map(GpuQueue::timeline).map(value).toList();
    }

    /** Frees all that is left, when all frames have been submitted. */
    void close() {
        frames.forEach(each -> each.leaving.forEach(Runnable::run));
        leaving.forEach(Runnable::run);
    }
}
