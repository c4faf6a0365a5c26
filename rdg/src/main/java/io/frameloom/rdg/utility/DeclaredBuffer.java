package io.frameloom.rdg.utility;

import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Storage of a pass before a frame gives it memory. A primitive checks with it what it will record.
 *
 * @param name debug name
 * @param description its shape
 */
record DeclaredBuffer(String name, BufferDescription description) implements Buffer {
    /** Returns all of a buffer of some bytes. */
    static BufferRange range(String name, long bytes) {
        BufferDescription storage = BufferDescription.device(Math.max(1, bytes), BufferUsage.STORAGE);
        return new BufferRange(new DeclaredBuffer(name, storage), 0, bytes);
    }

    @Override
    public @Nullable Placement placement() {
        return null;
    }

    @Override
    public ByteBuffer mapped() {
        throw new IllegalStateException("buffer '" + name + "' has no memory when its pass is declared");
    }

    @Override
    public ByteBuffer mapped(long offset, int bytes) {
        return mapped();
    }

    @Override
    public boolean isClosed() {
        return false;
    }

    @Override
    public void close() {}
}
