package io.frameloom.rdg.execute;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Textures and buffers of the fake device. */
final class FakeResources {
    private FakeResources() {}

    private record View(Texture texture, SubresourceRange range) implements TextureView {}

    static final class FakeTexture implements Texture {
        private final FakeDevice device;
        private final String name;
        private final TextureDescription description;
        private final @Nullable Placement placement;
        private final Map<SubresourceRange, TextureView> views = new ConcurrentHashMap<>();
        private boolean swapchainImage;
        private volatile boolean closed;

        static FakeTexture ofSwapchain(FakeDevice device, String name) {
            FakeTexture texture = new FakeTexture(device, name, FakeRig.TARGET, null);
            texture.swapchainImage = true;
            return texture;
        }

        FakeTexture(FakeDevice device, String name, TextureDescription description, @Nullable Placement placement) {
            this.device = device;
            this.name = name;
            this.description = description;
            this.placement = placement;
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
            return swapchainImage;
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
            device.closed(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static final class FakeBuffer implements Buffer {
        private final FakeDevice device;
        private final String name;
        private final BufferDescription description;
        private final Resource.@Nullable Placement placement;
        private volatile boolean closed;

        FakeBuffer(
                FakeDevice device, String name, BufferDescription description, Resource.@Nullable Placement placement) {
            this.device = device;
            this.name = name;
            this.description = description;
            this.placement = placement;
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
        public ByteBuffer mapped(long offset, int bytes) {
            return mapped().slice((int) offset, bytes);
        }

        @Override
        public ByteBuffer mapped() {
            if (description.memory() == MemoryUsage.DEVICE) {
                throw new IllegalStateException("buffer '" + name + "' is not mapped");
            }
            device.requireReadable(name);
            return ByteBuffer.allocate((int) description.bytes()).order(ByteOrder.nativeOrder());
        }

        @Override
        public Resource.@Nullable Placement placement() {
            return placement;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            closed = true;
            device.closed(this);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
