package io.frameloom.rdg;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.waiting.EventFuture;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Bytes on their way from the device to the host: a future that the completion of the frame fulfils, on a worker. No
 * thread waits for it. Unreal's FRHIGPUBufferReadback and FRHIGPUTextureReadback. Made by {@link RenderGraph#readBack};
 * any thread.
 *
 * <p>On a device that {@linkplain io.frameloom.gpu.DeviceCapabilities#renders renders} nothing, the virtual GPU, draws
 * leave noise; the log says so.
 */
public final class RdgReadback implements Extraction {
    private final String name;
    private final int bytes;
    private final CompletableFuture<ByteBuffer> future = new CompletableFuture<>();
    /** The completion of the frame; null before it is launched. */
    private final AtomicReference<@Nullable GraphEvent> frame = new AtomicReference<>();

    private volatile boolean asked;
    private boolean executed;

    RdgReadback(String name, int bytes) {
        this.name = name;
        this.bytes = bytes;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns a future of the bytes, read-only, in native order, each time with a position of its own. It fails if the
     * frame fails; its failure then counts as seen. It fails too if the task graph stops or is closed before the frame
     * has completed. It stays pending as long as the graph is not executed.
     *
     * <p>{@code get()} and {@code join()} of the future of a launched frame wait as {@link GraphEvent#await()} of
     * {@link FrameHandle#completed} does. A long wait is explained, and one that could never end throws an {@link
     * IllegalStateException}. That is not so with a timeout, also that of {@code orTimeout}, nor for futures that
     * depend on this one.
     */
    public CompletableFuture<ByteBuffer> bytes() {
        asked = true;
        GraphEvent completed = frame.get();
        if (completed != null) {
            failWith(completed, future);
        }
        EventFuture<ByteBuffer> bytes = new EventFuture<>(frame::get);
        CompletableFuture<?> unused = future.whenComplete((read, failure) -> {
            if (failure != null) {
                bytes.completeExceptionally(failure);
            } else {
                bytes.complete(view(read));
            }
        });
        return bytes;
    }

    /**
     * Returns a future of the bytes for code that looks at it now and then, beside the application: a failure of the
     * frame stays unseen, for those who have to see it. If the task graph stops before the frame has completed, it
     * stays pending.
     */
    public CompletableFuture<ByteBuffer> unwatchedBytes() {
        return future.thenApply(RdgReadback::view);
    }

    /**
     * Lets a future that was handed out fail with a frame, whose failure counts as seen. The last task of the frame
     * fulfils the future, but does not run when the task graph has stopped or was closed.
     */
    static void failWith(GraphEvent completed, CompletableFuture<?> handedOut) {
        CompletableFuture<?> unused = completed.toCompletableFuture().whenComplete((nothing, failure) -> {
            if (failure != null) {
                handedOut.completeExceptionally(failure);
            }
        });
    }

    private static ByteBuffer view(ByteBuffer bytes) {
        return bytes.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    void requireUnresolved() {
        if (executed) {
            throw new IllegalStateException(
                    "readback '" + name + "' was executed before: declare a new graph per frame");
        }
    }

    void resolve() {
        executed = true;
    }

    /** Notes the completion of the frame, which will settle this. RENDER thread. */
    void launched(GraphEvent completed) {
        frame.set(completed);
        if (asked) {
            failWith(completed, future);
        }
    }

    /** Takes a copy of what the frame left in {@code staging}, or the failure of the frame. */
    void settle(Buffer staging, @Nullable Throwable failure) {
        if (failure != null) {
            future.completeExceptionally(failure);
            return;
        }
        ByteBuffer copy;
        try {
            copy = ByteBuffer.allocate(bytes);
            copy.put(staging.mapped().slice(0, bytes)).flip();
        } catch (Throwable unreadable) {
            future.completeExceptionally(unreadable);
            throw unreadable;
        }
        future.complete(copy);
    }
}
