package io.frameloom.gpu.check;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A resource cut into cells: 64 bytes of a buffer, or one layer of a texture. Cells of aliasing buffers have the same
 * number. A buffer with a twin is called by either, being one object of the driver. An exclusive resource belongs to one
 * queue family at a time and is handed over; the others are everybody's. Of exclusive ones, those that were made so belong to
 * the first that uses them.
 */
record Cells(Resource resource, int firstId, int count, boolean exclusive, Fakes.@Nullable FakeBuffer twin) {
    private static final long BYTES = 64;

    Cells(Resource resource, int firstId, int count, boolean exclusive) {
        this(resource, firstId, count, exclusive, null);
    }

    /** What a buffer is called for the sake of some cells. */
    private Fakes.FakeBuffer named(int cell) {
        return twin == null || cell % 2 == 0 ? (Fakes.FakeBuffer) resource : twin;
    }

    @Override
    public String toString() {
        return resource.name();
    }

    /** Whether the host can read and write it. */
    boolean isMapped() {
        return resource instanceof Fakes.FakeBuffer buffer
                && buffer.description().memory() != MemoryUsage.DEVICE;
    }

    boolean isTexture() {
        return resource instanceof Fakes.FakeTexture;
    }

    int id(int cell) {
        return firstId + cell;
    }

    ResourceUse use(int from, int to, Access access, TextureLayout layout, @Nullable Object group) {
        return resource instanceof Fakes.FakeTexture texture
                ? Fakes.use(texture, new SubresourceRange(0, 1, from, to - from, 0, 1), access, layout)
                : new ResourceUse.OfBuffer(
                        named(from),
                        from * BYTES,
                        (to - from) * BYTES,
                        access,
                        access.writes() && !access.reads(),
                        group);
    }

    BarrierBatch barrier(
            int cell,
            BarrierBatch.Scope scope,
            TextureLayout from,
            TextureLayout to,
            BarrierBatch.@Nullable OwnershipTransfer transfer) {
        if (resource instanceof Fakes.FakeTexture texture) {
            SubresourceRange range = new SubresourceRange(0, 1, cell, 1, 0, 1);
            return new BarrierBatch(
                    List.of(new BarrierBatch.TextureBarrier(texture, range, scope, from, to, transfer)),
                    List.of(),
                    List.of());
        }
        return new BarrierBatch(
                List.of(),
                List.of(new BarrierBatch.BufferBarrier(named(cell + 1), cell * BYTES, BYTES, scope, transfer)),
                List.of());
    }
}
