package io.frameloom.gpu.resource;

import io.frameloom.gpu.command.FrameContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A part of a mapped upload buffer that an application keeps, to be filled again and again by {@link
 * FrameContext#allocateUpload(long, int, UploadSlice)}, which then makes no objects. One thread at a time.
 */
public final class UploadSlice {
    private @Nullable Buffer buffer;
    private @Nullable ByteBuffer data;
    private long offset;
    private long bytes;

    /** A slice of nothing yet. */
    public UploadSlice() {}

    /** Makes this a part of a buffer; for implementations of frame contexts. */
    public void set(Buffer of, ByteBuffer whole, int first, int length) {
        ByteBuffer view = data;
        if (view == null || buffer != of) {
            view = whole.duplicate().order(ByteOrder.nativeOrder());
            data = view;
            buffer = of;
        }
        offset = first;
        bytes = length;
        view.limit(first + length).position(first);
    }

    /** Returns the buffer. */
    public Buffer buffer() {
        return filled(buffer);
    }

    /** Returns the first byte within the buffer. */
    public long offset() {
        return offset;
    }

    /** Returns the length in bytes, 0 before the slice was filled. */
    public long bytes() {
        return bytes;
    }

    /**
     * Returns the mapped bytes, native order: from the position, which is {@link #offset}, to the limit. Successive
     * slices of one buffer return the same object.
     */
    public ByteBuffer data() {
        return filled(data);
    }

    private static <T> T filled(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the upload slice was never filled; pass it to allocateUpload first");
        }
        return part;
    }
}
