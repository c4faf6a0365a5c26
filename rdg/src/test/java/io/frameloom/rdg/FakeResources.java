package io.frameloom.rdg;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Externals without a device: the compiler looks at their shape only. */
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
        return new FakeTexture(name, new TextureDescription(1024, 1024, mips, layers, format, usage));
    }

    /** A texture that a driver knows by a handle: another import of the same object has the same one. */
    static Texture imported(String name, long handle, Format format) {
        EnumSet<TextureUsage> usage = EnumSet.complementOf(EnumSet.of(TextureUsage.TRANSIENT_ATTACHMENT));
        return new FakeTexture(
                name, new TextureDescription(1024, 1024, 1, 1, format, usage), handle, TextureLayout.UNDEFINED);
    }

    /** A texture that was made from a description. */
    public static Texture made(String name, TextureDescription description) {
        return new FakeTexture(name, description, 0, null);
    }

    /** A texture that is nobody else's. */
    static Texture own(String name, Format format) {
        EnumSet<TextureUsage> usage = EnumSet.complementOf(EnumSet.of(TextureUsage.TRANSIENT_ATTACHMENT));
        return new FakeTexture(name, new TextureDescription(1024, 1024, 1, 1, format, usage), 0, null);
    }

    static Buffer imported(String name, long handle, long bytes) {
        return new FakeBuffer(
                name, new BufferDescription(bytes, EnumSet.allOf(BufferUsage.class), MemoryUsage.DEVICE), handle);
    }

    static Buffer buffer(String name, long bytes) {
        return new FakeBuffer(name, new BufferDescription(bytes, EnumSet.allOf(BufferUsage.class), MemoryUsage.DEVICE));
    }

    static Buffer buffer(String name, BufferDescription description) {
        return new FakeBuffer(name, description);
    }

    static Buffer readback(String name, long bytes) {
        return new FakeBuffer(name, BufferDescription.readback(bytes));
    }

    private record FakeTexture(
            String name,
            TextureDescription description,
            long nativeHandle,
            @Nullable TextureLayout imported,
            Set<Integer> sharedFamilies)
            implements Texture {
        FakeTexture(String name, TextureDescription description) {
            this(name, description, 0, TextureLayout.UNDEFINED);
        }

        FakeTexture(String name, TextureDescription description, long nativeHandle, @Nullable TextureLayout imported) {
            this(name, description, nativeHandle, imported, FAMILIES);
        }

        @Override
        public TextureView view() {
            throw new UnsupportedOperationException("no device");
        }

        @Override
        public TextureView view(SubresourceRange range) {
            throw new UnsupportedOperationException("no device");
        }

        @Override
        public TextureView view(
                SubresourceRange range, TextureViewKind kind, Format format, ComponentMapping components) {
            throw new UnsupportedOperationException("no device");
        }

        @Override
        public @Nullable Placement placement() {
            return null;
        }

        @Override
        public boolean isClosed() {
            return false;
        }

        @Override
        public void close() {}
    }

    private record FakeBuffer(
            String name,
            BufferDescription description,
            long nativeHandle,
            @Nullable TextureLayout imported) implements Buffer {
        FakeBuffer(String name, BufferDescription description) {
            this(name, description, 0);
        }

        FakeBuffer(String name, BufferDescription description, long nativeHandle) {
            this(name, description, nativeHandle, null);
        }

        @Override
        public ByteBuffer mapped() {
            throw new UnsupportedOperationException("no device");
        }

        @Override
        public ByteBuffer mapped(long offset, int bytes) {
            throw new UnsupportedOperationException("no device");
        }

        @Override
        public @Nullable Placement placement() {
            return null;
        }

        @Override
        public boolean isClosed() {
            return false;
        }

        @Override
        public void close() {}
    }
}
