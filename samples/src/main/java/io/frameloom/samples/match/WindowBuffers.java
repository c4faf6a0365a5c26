package io.frameloom.samples.match;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;

/** The memory in which windows of up to a number of bytes are matched. One thread. */
final class WindowBuffers implements AutoCloseable {
    static final int FOLDED = 4096;
    static final int FOLD_WORDS = 7;
    /** Words of what is read back before the folds: numbers of brackets and of those without partner. */
    static final int COUNTS = 2;

    private final OwnedObjects made = new OwnedObjects();
    final Buffer upload;
    final Buffer text;
    final Buffer places;
    final Buffer brackets;
    final Buffer opens;
    final Buffer links;
    final Buffer keep;
    final Buffer counts;
    final Buffer folds;
    final Buffer scratch;
    final Buffer readback;

    /**
     * Makes the buffers.
     *
     * @param bytes bytes of a window
     * @param scratchBytes what the primitives need for a window full of brackets
     */
    WindowBuffers(GpuDevice device, int bytes, long scratchBytes) {
        long runs = (bytes + 31L) / 32;
        long words = bytes * (long) Integer.BYTES;
        long foldBytes = (bytes + FOLDED - 1L) / FOLDED * FOLD_WORDS * Integer.BYTES;
        try {
            upload = made.own(device.createBuffer("window", BufferDescription.upload(runs * 32, BufferUsage.COPY_SRC)));
            text = device(device, "text", runs * 32);
            places = device(device, "places", runs * Integer.BYTES);
            brackets = device(device, "brackets", words);
            opens = device(device, "opens", words);
            links = device(device, "links", words);
            keep = device(device, "keep", runs * Integer.BYTES);
            counts = device(device, "counts", (long) COUNTS * Integer.BYTES);
            folds = device(device, "folds", foldBytes);
            scratch = device(device, "scratch", scratchBytes);
            readback = made.own(device.createBuffer(
                    "results", BufferDescription.readback(Math.max(words, (long) COUNTS * Integer.BYTES + foldBytes))));
        } catch (RuntimeException | Error e) {
            made.closeAfter(e);
            throw e;
        }
    }

    private Buffer device(GpuDevice device, String name, long bytes) {
        return made.own(device.createBuffer(
                name,
                BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
    }

    static BufferRange whole(Buffer buffer) {
        return new BufferRange(buffer, 0, buffer.description().bytes());
    }

    @Override
    public void close() {
        made.close();
    }
}
