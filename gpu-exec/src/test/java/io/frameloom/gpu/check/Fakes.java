package io.frameloom.gpu.check;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.GpuTimeline;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.present.Swapchain;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Resources and queues without a device: the checker looks at records alone. */
public final class Fakes {
    private Fakes() {}

    /** A queue; its family is its index. */
    public record Queue(String name, int index) implements GpuQueue {
        @Override
        public QueueKind kind() {
            return QueueKind.GRAPHICS;
        }

        @Override
        public int family() {
            return index;
        }

        @Override
        public GpuTimeline timeline() {
            throw new UnsupportedOperationException("queue of a test");
        }

        @Override
        public TimelinePoint submit(Submission submission) {
            throw new UnsupportedOperationException("queue of a test");
        }
    }

    /** A heap. */
    public static final class Heap implements MemoryHeap {
        @Override
        public String name() {
            return "heap";
        }

        @Override
        public long bytes() {
            return 1 << 20;
        }

        @Override
        public Texture placeTexture(String name, TextureDescription description, long offset) {
            throw new UnsupportedOperationException("heap of a test");
        }

        @Override
        public Buffer placeBuffer(String name, BufferDescription description, long offset) {
            throw new UnsupportedOperationException("heap of a test");
        }

        @Override
        public void close() {}
    }

    /** Events. */
    record Events(int count) implements DeviceEventSet {
        @Override
        public String name() {
            return "events";
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException("events of a test");
        }

        @Override
        public void close() {}
    }

    /** A timeline of somebody else. */
    public record Timeline(String name, long nativeHandle) implements ExternalTimeline {}

    /** An engine's binary semaphore. */
    public record Semaphore(String name, long nativeHandle) implements ExternalSemaphore {}

    /** A turn of a swapchain image. */
    record Image(int index, Texture texture) implements SwapchainImage {
        @Override
        public Swapchain swapchain() {
            throw new UnsupportedOperationException("image of a test");
        }
    }

    static Image swapchainImage(String name, int index) {
        return new Image(index, new FakeTexture(name, shape(1, 1), null, true));
    }

    /** A buffer. */
    public static final class FakeBuffer implements Buffer {
        private final String name;
        private final BufferDescription description;
        private final @Nullable Placement placement;
        private final long handle;
        private final boolean imported;
        private Set<Integer> sharedFamilies = Set.of();
        private boolean closed;

        FakeBuffer(String name, BufferDescription description, @Nullable Placement placement) {
            this(name, description, placement, 0, false);
        }

        FakeBuffer(
                String name,
                BufferDescription description,
                @Nullable Placement placement,
                long handle,
                boolean imported) {
            this.name = name;
            this.description = description;
            this.placement = placement;
            this.handle = handle;
            this.imported = imported;
        }

        /** Makes it one that families share. */
        FakeBuffer sharedBy(Integer... families) {
            sharedFamilies = Set.of(families);
            return this;
        }

        @Override
        public Set<Integer> sharedFamilies() {
            return sharedFamilies;
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
        public String name() {
            return name;
        }

        @Override
        public BufferDescription description() {
            return description;
        }

        @Override
        public ByteBuffer mapped() {
            throw new UnsupportedOperationException("buffer of a test");
        }

        @Override
        public ByteBuffer mapped(long offset, int bytes) {
            throw new UnsupportedOperationException("buffer of a test");
        }

        @Override
        public @Nullable Placement placement() {
            return placement;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** A texture. */
    public static final class FakeTexture implements Texture {
        private final String name;
        private final TextureDescription description;
        private final @Nullable Placement placement;
        private final boolean ofSwapchain;
        private final long handle;
        private final @Nullable TextureLayout imported;
        private boolean closed;

        FakeTexture(String name, TextureDescription description, @Nullable Placement placement, boolean ofSwapchain) {
            this(name, description, placement, ofSwapchain, 0, null);
        }

        FakeTexture(
                String name,
                TextureDescription description,
                @Nullable Placement placement,
                boolean ofSwapchain,
                long handle,
                @Nullable TextureLayout imported) {
            this.name = name;
            this.description = description;
            this.placement = placement;
            this.ofSwapchain = ofSwapchain;
            this.handle = handle;
            this.imported = imported;
        }

        @Override
        public long nativeHandle() {
            return handle;
        }

        @Override
        public @Nullable TextureLayout imported() {
            return imported;
        }

        @Override
        public boolean isSwapchainImage() {
            return ofSwapchain;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public TextureDescription description() {
            return description;
        }

        @Override
        public TextureView view() {
            throw new UnsupportedOperationException("texture of a test");
        }

        @Override
        public TextureView view(SubresourceRange range) {
            throw new UnsupportedOperationException("texture of a test");
        }

        @Override
        public TextureView view(
                SubresourceRange range, TextureViewKind kind, Format format, ComponentMapping components) {
            throw new UnsupportedOperationException("texture of a test");
        }

        @Override
        public @Nullable Placement placement() {
            return placement;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    public static FakeBuffer buffer(String name, long bytes) {
        return new FakeBuffer(name, BufferDescription.device(bytes, BufferUsage.STORAGE), null);
    }

    /** A buffer that belongs to one queue family at a time. */
    static FakeBuffer exclusive(String name, long bytes) {
        return new FakeBuffer(name, buffer(name, bytes).description().withSharing(QueueSharing.EXCLUSIVE), null);
    }

    /** A texture that belongs to one queue family at a time. */
    static FakeTexture exclusive(String name, int mips, int layers) {
        return new FakeTexture(name, shape(mips, layers).withSharing(QueueSharing.EXCLUSIVE), null, false);
    }

    /** A placed buffer that belongs to one queue family at a time. */
    static FakeBuffer exclusive(String name, MemoryHeap heap, long offset, long bytes) {
        return new FakeBuffer(
                name,
                buffer(name, bytes).description().withSharing(QueueSharing.EXCLUSIVE),
                new io.frameloom.gpu.resource.Resource.Placement(heap, offset, bytes));
    }

    /** A buffer that the host reads when it likes. */
    public static FakeBuffer readback(String name, long bytes) {
        return new FakeBuffer(name, BufferDescription.readback(bytes), null);
    }

    /** A mapped buffer. */
    static FakeBuffer mapped(String name, long bytes) {
        return new FakeBuffer(name, BufferDescription.upload(bytes, BufferUsage.STORAGE), null);
    }

    static FakeBuffer mapped(String name, MemoryHeap heap, long offset, long bytes) {
        return new FakeBuffer(
                name,
                BufferDescription.upload(bytes, BufferUsage.STORAGE),
                new io.frameloom.gpu.resource.Resource.Placement(heap, offset, bytes));
    }

    /** A mapped buffer that the driver knows by a handle. */
    static FakeBuffer mapped(String name, long bytes, long handle) {
        return new FakeBuffer(name, BufferDescription.upload(bytes, BufferUsage.STORAGE), null, handle, false);
    }

    /** A buffer that the driver knows by a handle, imported or not. */
    public static FakeBuffer buffer(String name, long bytes, long handle, boolean imported) {
        return new FakeBuffer(name, BufferDescription.device(bytes, BufferUsage.STORAGE), null, handle, imported);
    }

    /** A texture of an engine. */
    public static FakeTexture imported(String name, long handle, TextureLayout layout) {
        return new FakeTexture(name, shape(1, 1), null, false, handle, layout);
    }

    static FakeBuffer buffer(String name, MemoryHeap heap, long offset, long bytes) {
        return new FakeBuffer(
                name,
                BufferDescription.device(bytes, BufferUsage.STORAGE),
                new io.frameloom.gpu.resource.Resource.Placement(heap, offset, bytes));
    }

    static FakeTexture texture(String name, int mips, int layers) {
        return new FakeTexture(name, shape(mips, layers), null, false);
    }

    static FakeTexture texture(String name, MemoryHeap heap, long offset, long bytes) {
        return new FakeTexture(
                name, shape(1, 1), new io.frameloom.gpu.resource.Resource.Placement(heap, offset, bytes), false);
    }

    private static TextureDescription shape(int mips, int layers) {
        return TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED)
                .withMips(mips)
                .withLayers(layers);
    }

    public static ResourceUse use(Buffer buffer, Access access) {
        return use(buffer, 0, buffer.description().bytes(), access);
    }

    static ResourceUse use(Buffer buffer, Access access, boolean discard) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, discard);
    }

    static ResourceUse use(Buffer buffer, long offset, long bytes, Access access) {
        return new ResourceUse.OfBuffer(buffer, offset, bytes, access, access.writes() && !access.reads());
    }

    public static ResourceUse use(Texture texture, Access access) {
        return use(texture, SubresourceRange.all(texture.description()), access, access.layout());
    }

    static ResourceUse use(Texture texture, SubresourceRange range, Access access, TextureLayout layout) {
        return new ResourceUse.OfTexture(texture, range, access, access.writes() && !access.reads(), layout);
    }
}
