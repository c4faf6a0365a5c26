package io.frameloom.rdg;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource.Placement;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Textures and buffers without memory: of a fake device, or of none, since the compiler looks at their shape only. */
public final class FakeResources {
    private static final Set<Integer> FAMILIES = Set.of(0, 1, 2, 3, 4);

    private FakeResources() {}

    /** An imported texture that some families share, or that belongs to one at a time if there are none. */
    static Texture imported(
            String name, TextureDescription description, TextureLayout layout, Set<Integer> sharedFamilies) {
        return new FakeTexture(name, description, 0, layout, sharedFamilies);
    }

    /** An imported buffer that belongs to one family at a time. */
    static Buffer exclusive(String name, BufferDescription description) {
        return new FakeBuffer(name, description, 0, TextureLayout.GENERAL);
    }

    public static Texture texture(String name, int mips, int layers, Format format) {
        EnumSet<TextureUsage> usage = EnumSet.complementOf(EnumSet.of(TextureUsage.TRANSIENT_ATTACHMENT));
        return external(
                name, new TextureDescription(1024, 1024, mips, layers, format, usage), 0, TextureLayout.UNDEFINED);
    }

    /** A texture that a driver knows by a handle: another import of the same object has the same one. */
    static Texture imported(String name, long handle, Format format) {
        EnumSet<TextureUsage> usage = EnumSet.complementOf(EnumSet.of(TextureUsage.TRANSIENT_ATTACHMENT));
        return external(name, new TextureDescription(1024, 1024, 1, 1, format, usage), handle, TextureLayout.UNDEFINED);
    }

    /** A texture that was made from a description. */
    public static Texture made(String name, TextureDescription description) {
        return external(name, description, 0, null);
    }

    /** A texture that is nobody else's. */
    static Texture own(String name, Format format) {
        EnumSet<TextureUsage> usage = EnumSet.complementOf(EnumSet.of(TextureUsage.TRANSIENT_ATTACHMENT));
        return external(name, new TextureDescription(1024, 1024, 1, 1, format, usage), 0, null);
    }

    static Buffer imported(String name, long handle, long bytes) {
        return new FakeBuffer(name, any(bytes), handle, null);
    }

    static Buffer buffer(String name, long bytes) {
        return buffer(name, any(bytes));
    }

    static Buffer buffer(String name, BufferDescription description) {
        return new FakeBuffer(name, description, 0, null);
    }

    static Buffer readback(String name, long bytes) {
        return buffer(name, BufferDescription.readback(bytes));
    }

    private static Texture external(
            String name, TextureDescription description, long handle, @Nullable TextureLayout imported) {
        return new FakeTexture(name, description, handle, imported, FAMILIES);
    }

    private static BufferDescription any(long bytes) {
        return new BufferDescription(bytes, EnumSet.allOf(BufferUsage.class), MemoryUsage.DEVICE);
    }

    /** What textures and buffers have. */
    abstract static class Fake {
        private final String name;
        private final long handle;
        private final @Nullable TextureLayout imported;
        private final Set<Integer> sharedFamilies;
        private final @Nullable Placement placement;
        private final Consumer<Object> onClose;
        private volatile boolean closed;

        Fake(
                String name,
                long handle,
                @Nullable TextureLayout imported,
                Set<Integer> sharedFamilies,
                @Nullable Placement placement,
                Consumer<Object> onClose) {
            this.name = name;
            this.handle = handle;
            this.imported = imported;
            this.sharedFamilies = sharedFamilies;
            this.placement = placement;
            this.onClose = onClose;
        }

        public final String name() {
            return name;
        }

        public final long nativeHandle() {
            return handle;
        }

        public final @Nullable TextureLayout imported() {
            return imported;
        }

        public final Set<Integer> sharedFamilies() {
            return sharedFamilies;
        }

        public final @Nullable Placement placement() {
            return placement;
        }

        public final boolean isClosed() {
            return closed;
        }

        public final void close() {
            closed = true;
            onClose.accept(this);
        }

        @Override
        public final String toString() {
            return name;
        }
    }

    private record View(Texture texture, SubresourceRange range) implements TextureView {}

    /** A texture. */
    public static final class FakeTexture extends Fake implements Texture {
        private final TextureDescription description;
        private final boolean ofSwapchain;
        private final Map<SubresourceRange, TextureView> views = new ConcurrentHashMap<>();

        private FakeTexture(
                String name,
                TextureDescription description,
                long handle,
                @Nullable TextureLayout imported,
                Set<Integer> sharedFamilies) {
            super(name, handle, imported, sharedFamilies, null, closed -> {});
            this.description = description;
            this.ofSwapchain = false;
        }

        /** A texture of a device. */
        public FakeTexture(
                String name,
                TextureDescription description,
                @Nullable Placement placement,
                boolean ofSwapchain,
                Consumer<Object> onClose) {
            super(name, 0, null, Set.of(), placement, onClose);
            this.description = description;
            this.ofSwapchain = ofSwapchain;
        }

        @Override
        public TextureDescription description() {
            return description;
        }

        @Override
        public TextureView view() {
            return view(SubresourceRange.all(description));
        }

        @Override
        public TextureView view(SubresourceRange range) {
            return views.computeIfAbsent(range, key -> new View(this, key));
        }

        @Override
        public TextureView view(
                SubresourceRange range, TextureViewKind kind, Format format, ComponentMapping components) {
            return view(range);
        }

        @Override
        public boolean isSwapchainImage() {
            return ofSwapchain;
        }
    }

    /** A buffer. */
    public static final class FakeBuffer extends Fake implements Buffer {
        private final BufferDescription description;
        private final Consumer<String> onMap;

        private FakeBuffer(String name, BufferDescription description, long handle, @Nullable TextureLayout imported) {
            super(name, handle, imported, Set.of(), null, closed -> {});
            this.description = description;
            this.onMap = mapped -> {};
        }

        /** A buffer of a device, which is told before it is mapped. */
        public FakeBuffer(
                String name,
                BufferDescription description,
                @Nullable Placement placement,
                Consumer<String> onMap,
                Consumer<Object> onClose) {
            super(name, 0, null, Set.of(), placement, onClose);
            this.description = description;
            this.onMap = onMap;
        }

        @Override
        public BufferDescription description() {
            return description;
        }

        @Override
        public ByteBuffer mapped(long offset, int bytes) {
            return mapped().slice((int) offset, bytes);
        }

        @Override
        public ByteBuffer mapped() {
            if (description.memory() == MemoryUsage.DEVICE) {
                throw new IllegalStateException("buffer '" + name() + "' is not mapped");
            }
            onMap.accept(name());
            return ByteBuffer.allocate((int) description.bytes()).order(ByteOrder.nativeOrder());
        }
    }
}
