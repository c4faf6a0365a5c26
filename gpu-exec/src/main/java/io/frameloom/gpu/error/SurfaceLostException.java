package io.frameloom.gpu.error;

/**
 * A surface is gone, as that of a window that was destroyed. The device works on; close the swapchain and the surface,
 * and make new ones of another window.
 */
public final class SurfaceLostException extends GpuException {
    private static final long serialVersionUID = 1L;

    /** A lost surface. */
    public SurfaceLostException(String message) {
        super(message);
    }
}
