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
import org.jspecify.annotations.Nullable;

/** Frames under way, what is freed with them, and the bytes of all images until then. Guarded by the streamer. */
final class FrameLedger {
    private final GpuDevice device;
    /** Frames that are not known to have ended, the oldest first. */
    private final Deque<Frame> frames = new ArrayDeque<>();
    /** Ends with the next frame. */
    private List<Runnable> leaving = new ArrayList<>();

    private final Deque<Closing> closings = new ArrayDeque<>();
    /** What was closed since the last frame was declared. */
    private List<Closed> closed = new ArrayList<>();

    private long imageBytes;
    private long leavingBytes;

    /**
     * A frame under way.
     *
     * @param wishes what the frame before it wished; complete when this one is
     * @param feedback where they were, which has contents when this one has succeeded
     * @param copied textures whose image this frame fills from the one before
     * @param leaving frees what no later frame uses
     */
    record Frame(
            CompletableFuture<ByteBuffer> wishes,
            Buffer feedback,
            List<StreamedTexture> copied,
            List<Runnable> leaving) {
        boolean hasSucceeded() {
            return wishes.isDone() && !wishes.isCompletedExceptionally();
        }
    }

    /**
     * Memory that no later submission uses.
     *
     * @param last what frees it, when nothing uses it any more; null if the device frees it by itself
     */
    private record Closed(long bytes, @Nullable Runnable last) {}

    /**
     * What was closed, and is free when the device has done all that was submitted before.
     *
     * @param submitted by queue what was submitted when it was surely closed
     */
    private record Closing(List<Closed> closed, List<Long> submitted) {
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

    /**
     * Frees memory of an image when the next frame has ended, which is the last to use it.
     *
     * @param close what hides it from later submissions
     * @param last what frees it when the device has done those before, by a submission; null if {@code close} does
     */
    void leave(long bytes, Runnable close, @Nullable Runnable last) {
        leavingBytes += bytes;
        leaving.add(() -> {
            close.run();
            closed.add(new Closed(bytes, last));
        });
    }

    /** Runs an action when the next frame has ended. */
    void atEnd(Runnable action) {
        leaving.add(action);
    }

    /** Takes the next frame in. */
    void declared(CompletableFuture<ByteBuffer> wishes, Buffer feedback, List<StreamedTexture> copied) {
        frames.add(new Frame(wishes, feedback, copied, leaving));
        leaving = new ArrayList<>();
    }

    /** Frees what frames that have ended used alone, and shows these frames, the oldest first. */
    void takeEnded(Consumer<Frame> ended) {
        if (!closed.isEmpty()) {
            closings.add(new Closing(closed, values(GpuTimeline::submitted)));
            closed = new ArrayList<>();
        }
        List<Long> completed = values(GpuTimeline::completed);
        while (!closings.isEmpty() && closings.getFirst().isOver(completed)) {
            closings.removeFirst().closed.forEach(this::free);
        }
        while (!frames.isEmpty() && hasOldestEnded()) {
            Frame oldest = frames.removeFirst();
            oldest.leaving.forEach(Runnable::run);
            ended.accept(oldest);
        }
    }

    private void free(Closed each) {
        if (each.last != null) {
            each.last.run();
            closed.add(new Closed(each.bytes, null));
        } else {
            leavingBytes -= each.bytes;
            imageBytes -= each.bytes;
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
