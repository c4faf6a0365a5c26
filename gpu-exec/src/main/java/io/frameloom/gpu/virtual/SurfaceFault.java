package io.frameloom.gpu.virtual;

import io.frameloom.gpu.present.SwapchainStatus;

/**
 * A fault of a surface of the virtual device, so that an application can test how it reacts.
 *
 * @param status result of the presentation: {@link SwapchainStatus#SURFACE_LOST} loses the surface,
 *     {@link SwapchainStatus#OUT_OF_DATE} makes its swapchain useless until it is recreated,
 *     {@link SwapchainStatus#SUBOPTIMAL} changes nothing
 * @param presentation number of the presentation (of the device, from 1)
 */
public record SurfaceFault(SwapchainStatus status, long presentation) {
    public SurfaceFault {
        if (status != SwapchainStatus.SURFACE_LOST
                && status != SwapchainStatus.OUT_OF_DATE
                && status != SwapchainStatus.SUBOPTIMAL) {
            throw new IllegalArgumentException(
                    "a presentation is answered with SURFACE_LOST, OUT_OF_DATE or SUBOPTIMAL, got " + status);
        }
        if (presentation < 1) {
            throw new IllegalArgumentException("presentations are counted from 1, got " + presentation);
        }
    }
}
