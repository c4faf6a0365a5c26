package io.frameloom.rdg;

import io.frameloom.gpu.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Bytes on their way from the device to the host: a future that the completion of the frame fulfils, on a worker, without
 * anybody waiting. Unreal's FRHIGPUBufferReadback and FRHIGPUTextureReadback. Made by {@link RenderGraph#readBack}; any
 * thread.
 *
 * <p>On a device that {@linkplain io.frameloom.gpu.DeviceCapabilities#renders renders} nothing, the virtual GPU, what draws
 * have left is noise; the log says so.
 */
public final class RdgReadback implements Extraction {
    private final String name;
    private final int bytes;
    private final CompletableFuture<ByteBuffer> future = new CompletableFuture<>();
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
     * Returns a future of the bytes, read-only, in native order, each time with a position of its own. It fails as the
     * frame fails, and stays pending as long as the graph is not executed.
     */
    public CompletableFuture<ByteBuffer> bytes() {
        return future.thenApply(RdgReadback::view);
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
