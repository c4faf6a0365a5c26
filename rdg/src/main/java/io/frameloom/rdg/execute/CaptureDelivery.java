package io.frameloom.rdg.execute;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgListener;
import io.frameloom.rdg.explain.UnwrittenFile;
import io.frameloom.rdg.insert.CaptureUse;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.waiting.EventFuture;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the captures of one frame out when the device has done it, and then writes them where that is asked for. The
 * listener receives a file that cannot be written. Neither its picture nor the frame fails.
 */
public final class CaptureDelivery {
    private final Path folder;
    private final RdgListener listener;
    private final List<CompletableFuture<CapturedTexture>> futures = new ArrayList<>(0);
    /** The completion of the frame; null before it is launched. */
    private final AtomicReference<@Nullable GraphEvent> completed = new AtomicReference<>();

    /** A delivery for a plan with these settings; an empty capture folder stands for none. */
    public CaptureDelivery(RdgDiagnostics diagnostics) {
        this.folder = diagnostics.captureFolder();
        this.listener = diagnostics.watch().listener();
    }

    public List<CompletableFuture<CapturedTexture>> futures() {
        return futures;
    }

    /** Notes the completion of the frame, which will fulfil the futures. RENDER thread. */
    public void launched(GraphEvent completion) {
        completed.set(completion);
    }

    /** Waits for the contents of a staging buffer, which goes back to {@code recycle} in any case. */
    public void expect(CaptureUse capture, Buffer staging, Frame frame, Consumer<Resource> recycle) {
        CompletableFuture<CapturedTexture> future = new EventFuture<>(completed::get);
        futures.add(future);
        frame.whenSettled(failure -> {
            try {
                deliver(capture, staging, failure, future);
            } finally {
                recycle.accept(staging);
            }
        });
        if (!folder.toString().isEmpty()) {
            frame.afterSettled(() -> {
                if (!future.isCompletedExceptionally()) {
                    write(future.join(), frame.number());
                }
            });
        }
    }

    private static void deliver(
            CaptureUse capture,
            Buffer staging,
            @Nullable Exception failure,
            CompletableFuture<CapturedTexture> future) {
        if (failure != null) {
            future.completeExceptionally(failure);
            return;
        }
        CapturedTexture captured;
        try {
            captured = capture.read(staging);
        } catch (Throwable unreadable) {
            future.completeExceptionally(unreadable);
            throw unreadable;
        }
        future.complete(captured);
    }

    private void write(CapturedTexture captured, long frame) {
        Path file = folder;
        try {
            file = folder.resolve("frame" + frame + " " + captured.fileName());
            Files.createDirectories(folder);
            try (OutputStream out = Files.newOutputStream(file)) {
                captured.write(out);
            }
        } catch (IOException | RuntimeException e) {
            listener.notWritten(
                    file,
                    "capture '" + captured.capture() + "' cannot be written to " + file
                            + "; name another folder with frameloom.rdg.captureFolder",
                    UnwrittenFile.cause(e));
        }
    }
}
