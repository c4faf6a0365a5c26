package io.frameloom.samples.window;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.present.Surface;

/** Where a sample shows its frames: a window or what stands for one. The thread of its {@link WindowSystem}. */
public interface Stage extends AutoCloseable {
    /** Makes the surface; closed before the device, which is closed before the stage. */
    Surface surface(GpuDevice device);

    /** Returns what it is, for a sentence. */
    String name();

    /** Returns the width in texels that a swapchain takes if its surface leaves it the choice. */
    int width();

    /** Returns the height in texels, likewise. */
    int height();

    /** Returns whether the user looks at nothing of it, so that frames for it are wasted. */
    boolean isMinimized();

    /** Returns whether the user has closed it. */
    boolean isClosed();

    /** Asks for another extent. */
    void resize(int width, int height);

    /** Covers the whole screen, or goes back to where it was. */
    void fullScreen(boolean whether);

    /** Sets the words above it. */
    void title(String title);

    /** Says who is told of what the user does. */
    void listen(StageListener listener);

    @Override
    void close();
}
