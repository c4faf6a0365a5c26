package io.frameloom.samples.window;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.virtual.VirtualSurface;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.EXTHeadlessSurface;

/** A surface that shows nothing: the virtual GPU's, or one by VK_EXT_headless_surface. */
final class HeadlessStage implements Stage {
    private int width;
    private int height;
    private @Nullable VirtualSurface virtual;

    HeadlessStage(int width, int height) {
        this.width = width;
        this.height = height;
    }

    @Override
    public Set<String> extensions() {
        return Set.of(EXTHeadlessSurface.VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);
    }

    @Override
    public Surface open(GpuDevice device) {
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
    public void resize(int newWidth, int newHeight) {
        width = newWidth;
        height = newHeight;
        if (virtual != null) {
            virtual.resize(newWidth, newHeight);
        }
    }

    @Override
    public boolean poll() {
        return true;
    }

    @Override
    public void close() {
        virtual = null;
    }
}
