package io.frameloom.rdg.execute;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Upload memory of what records one after the other: the passes of a recording group, or the same part of several
 * passes. No other group has it, so what is handed out does not depend on which one records first. One thread at a
 * time.
 *
 * <p>A round that needs more takes further chunks, each as large as all before. The next round begins with one chunk,
 * for one and a half times the most that the last rounds needed. So steady use makes no chunks. What is four times too
 * large for a window of rounds is made smaller.
 */
final class UploadArena implements AutoCloseable {
    /** Many small groups are not to hold much. */
    static final long LEAST = 1 << 14;
    /** Rounds after which the most that was needed is forgotten. */
    static final int WINDOW = 16;

    private static final int TOO_LARGE = 4;
    private static final int LEAST_ALIGNMENT = Integer.BYTES;

    private final GpuDevice device;
    private final String name;
    private final List<Chunk> chunks = new ArrayList<>(1);
    private int made;
    private int current;
    private long used;
    private long reserved;
    private long demand;
    private long peak;
    private int rounds;
    private long first = LEAST;

    private record Chunk(Buffer buffer, ByteBuffer whole) {}

    UploadArena(GpuDevice device, String name) {
        this.device = device;
        this.name = name;
    }

    /**
     * Hands out memory until the next {@link #reset}, as {@link io.frameloom.gpu.command.FrameContext#allocateUpload}
     * does.
     */
    BufferSlice allocate(long bytes, int alignment) {
        if (bytes < 1 || bytes > Integer.MAX_VALUE || alignment < 1) {
            throw new IllegalArgumentException("upload memory of '" + name + "' is 1 to " + Integer.MAX_VALUE
                    + " bytes with an alignment of 1 or more, got " + bytes + " bytes aligned to " + alignment);
        }
        DeviceCapabilities capabilities = device.capabilities();
        long step = step(alignment, capabilities);
        demand = nextMultiple(demand, step) + bytes;
        while (true) {
            if (current == chunks.size()) {
                chunks.add(make(bytes, capabilities));
            }
            long offset = nextMultiple(used, step);
            Chunk chunk = chunks.get(current);
            if (offset + bytes <= chunk.whole.capacity()) {
                used = offset + bytes;
                ByteBuffer data = chunk.whole.slice((int) offset, (int) bytes).order(ByteOrder.nativeOrder());
                return new BufferSlice(chunk.buffer, offset, bytes, data);
            }
            current++;
            used = 0;
        }
    }

    /** The least common multiple of an alignment and those of the device, which are powers of two. */
    private static long step(int alignment, DeviceCapabilities capabilities) {
        int least =
                Math.max(LEAST_ALIGNMENT, Math.max(capabilities.uniformAlignment(), capabilities.storageAlignment()));
        return (long) alignment / Math.min(Integer.lowestOneBit(alignment), least) * least;
    }

    private static long nextMultiple(long from, long step) {
        return (from + step - 1) / step * step;
    }

    private Chunk make(long bytes, DeviceCapabilities capabilities) {
        long size = Math.max(bytes, Math.min(Math.max(first, reserved), most(capabilities)));
        Buffer buffer = device.createBuffer(
                name + " upload " + made,
                BufferDescription.upload(
                        size,
                        BufferUsage.COPY_SRC,
                        BufferUsage.UNIFORM,
                        BufferUsage.STORAGE,
                        BufferUsage.VERTEX,
                        BufferUsage.INDEX,
                        BufferUsage.INDIRECT));
        made++;
        reserved += size;
        return new Chunk(buffer, buffer.mapped());
    }

    private static long most(DeviceCapabilities capabilities) {
        return Math.min(Integer.MAX_VALUE, capabilities.limits().memory().maxBufferBytes());
    }

    /** Takes all memory back: the device has done with it. */
    void reset() {
        current = 0;
        used = 0;
        peak = Math.max(peak, demand);
        demand = 0;
        rounds++;
        boolean replaced = chunks.size() > 1 && peak + peak / 2 <= most(device.capabilities());
        if (!replaced && rounds < WINDOW) {
            return;
        }
        first = Math.max(LEAST, peak + peak / 2);
        if (replaced || peak == 0 || (reserved > LEAST && reserved / TOO_LARGE > peak)) {
            close();
        }
        peak = 0;
        rounds = 0;
    }

    /** Destroys the memory; the next allocation makes new memory. */
    @Override
    public void close() {
        chunks.forEach(chunk -> chunk.buffer.close());
        chunks.clear();
        reserved = 0;
    }
}
