package io.frameloom.samples.window;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.present.Surface;
import java.util.Set;

/** Where the sample shows its frames. One thread, the one that started the program. */
interface Stage extends AutoCloseable {
    /** Returns the instance extensions that its surface is made with. */
    Set<String> extensions();

    /** Makes the surface; closed before the device, which is closed before the stage. */
    Surface open(GpuDevice device);

    /** Returns what it is, for a sentence. */
    String name();

    /** Returns the width in texels that a swapchain takes if its surface leaves it the choice. */
    int width();

    /** Returns the height in texels, likewise. */
    int height();

    /** Asks for another extent. */
    void resize(int width, int height);

    /** Sees to what the user does; returns whether to go on. */
    boolean poll();

    @Override
    void close();
}
