package io.frameloom.rdg;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.Resource;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.execute.Frame;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Hands the captures of one frame out when the device has done it, and writes them where that is asked for. */
final class CaptureDelivery {
    private final Path folder;
    private final List<CompletableFuture<CapturedTexture>> futures = new ArrayList<>(0);

    /** A delivery; an empty {@code folder} stands for none. */
    CaptureDelivery(Path folder) {
        this.folder = folder;
    }

    List<CompletableFuture<CapturedTexture>> futures() {
        return futures;
    }

    /** Waits for the contents of a staging buffer, which goes back to {@code recycle} in any case. */
    void expect(CaptureUse capture, Buffer staging, Frame frame, Consumer<Resource> recycle) {
        CompletableFuture<CapturedTexture> future = new CompletableFuture<>();
        futures.add(future);
        frame.whenSettled(failure -> {
            try {
                if (failure == null) {
                    deliver(capture.read(staging), frame.number(), future);
                } else {
                    future.completeExceptionally(failure);
                }
            } finally {
                recycle.accept(staging);
            }
        });
    }

    private void deliver(CapturedTexture captured, long frame, CompletableFuture<CapturedTexture> future) {
        future.complete(captured);
        if (folder.toString().isEmpty()) {
            return;
        }
        Path file = folder.resolve("frame" + frame + " " + captured.fileName());
        try {
            Files.createDirectories(folder);
            try (OutputStream out = Files.newOutputStream(file)) {
                captured.write(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "capture '" + captured.capture() + "' cannot be written to " + file
                            + "; name another folder with frameloom.rdg.captureFolder",
                    e);
        }
    }
}
