package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.record.Perishable;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;

/** A buffer of a Vulkan device. */
final class VulkanBuffer implements Buffer, DeviceObject, Perishable {
    private final DeviceCore core;
    private final MemoryAllocator memory;
    private final String name;
    private final BufferDescription description;
    private final long handle;
    private final long allocation;
    private final long mapped;
    private final @Nullable Placement placement;
    private final boolean imported;
    private final long serial;
    private final AtomicBoolean closed = new AtomicBoolean();

    VulkanBuffer(
            DeviceCore core,
            MemoryAllocator memory,
            String name,
            BufferDescription description,
            long handle,
            long allocation,
            long mapped,
            @Nullable Placement placement) {
        this.core = core;
        this.memory = memory;
        this.name = name;
        this.description = description;
        this.handle = handle;
        this.allocation = allocation;
        this.mapped = mapped;
        this.placement = placement;
        this.imported = false;
        this.serial = core.nextSerial();
        core.names().name(VK13.VK_OBJECT_TYPE_BUFFER, handle, name);
    }

    /** A buffer that is somebody else's. */
    VulkanBuffer(DeviceCore core, MemoryAllocator memory, String name, BufferDescription description, long handle) {
        this.core = core;
        this.memory = memory;
        this.name = name;
        this.description = description;
        this.handle = handle;
        this.allocation = MemoryUtil.NULL;
        this.mapped = MemoryUtil.NULL;
        this.placement = null;
        this.imported = true;
        this.serial = core.nextSerial();
    }

    long handle() {
        return handle;
    }

    /** Returns what tells this buffer from another that the driver gives the same handle later. */
    long serial() {
        return serial;
    }

    boolean belongsTo(DeviceCore device) {
        return core == device;
    }

    @Override
    public Kind objectKind() {
        return Kind.BUFFER;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BufferDescription description() {
        return description;
    }

    @Override
    public ByteBuffer mapped() {
        if (mapped == MemoryUtil.NULL) {
            throw new IllegalStateException("buffer '" + name + "' is in " + description.memory()
                    + " memory, which the host does not see; copy through an UPLOAD or READBACK buffer");
        }
        if (closed.get()) {
            throw new IllegalStateException("buffer '" + name + "' is closed");
        }
        if (description.bytes() > Integer.MAX_VALUE) {
            throw new IllegalStateException("buffer '" + name + "' of " + description.bytes()
                    + " bytes is too large to be seen as one ByteBuffer");
        }
        return MemoryUtil.memByteBuffer(mapped, (int) description.bytes());
    }

    /** Returns the mapped bytes of a part. */
    ByteBuffer mapped(long offset, int bytes) {
        return MemoryUtil.memByteBuffer(mapped + offset, bytes);
    }

    @Override
    public @Nullable Placement placement() {
        return placement;
    }

    @Override
    public long nativeHandle() {
        return handle;
    }

    @Override
    public @Nullable TextureLayout imported() {
        return imported ? TextureLayout.GENERAL : null;
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public @Nullable String closedPart() {
        return closed.get() ? "'" + name + "'" : null;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            core.closings().add();
            core.objects().remove(this);
            if (!imported) {
                memory.freeBuffer(handle, allocation);
            }
            if (placement != null) {
                ((VulkanHeap) placement.heap()).vacated(name);
            }
        }
    }

    @Override
    public String toString() {
        return describe();
    }
}
