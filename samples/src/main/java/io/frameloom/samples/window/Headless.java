package io.frameloom.samples.window;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.virtual.VirtualSurface;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.EXTHeadlessSurface;

/** Surfaces that show nothing: the virtual GPU's, or those of VK_EXT_headless_surface. */
final class Headless implements WindowSystem {
    @Override
    public Set<String> extensions() {
        return Set.of(EXTHeadlessSurface.VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);
    }

    @Override
    public Stage open(String title, int x, int y, int width, int height) {
        return new Place(width, height);
    }

    @Override
    public void poll() {
        // Nobody does anything.
    }

    @Override
    public void await(Duration time) {
        throw new IllegalStateException("a surface without a display is never minimised");
    }

    @Override
    public void close() {
        // Nothing was begun.
    }

    private static final class Place implements Stage {
        private int width;
        private int height;
        private @Nullable VirtualSurface virtual;

        Place(int width, int height) {
            this.width = width;
            this.height = height;
        }

        @Override
        public Surface surface(GpuDevice device) {
            Surface surface = device.createHeadlessSurface("surface", width, height);
            virtual = surface instanceof VirtualSurface ours ? ours : null;
            return surface;
        }

        @Override
        public String name() {
            return "a surface without a display";
        }

        @Override
        public int width() {
            return width;
        }

        @Override
        public int height() {
            return height;
        }

        @Override
        public boolean isMinimized() {
            return false;
        }

        @Override
        public boolean isClosed() {
            return false;
        }

        @Override
        public void resize(int newWidth, int newHeight) {
            width = newWidth;
            height = newHeight;
            if (virtual != null) {
                virtual.resize(newWidth, newHeight);
            }
        }

        @Override
        public void fullScreen(boolean whether) {
            // There is no screen.
        }

        @Override
        public void title(String title) {
            // Nobody reads it.
        }

        @Override
        public void listen(StageListener listener) {
            // Nobody does anything.
        }

        @Override
        public void close() {
            virtual = null;
        }
    }
}
