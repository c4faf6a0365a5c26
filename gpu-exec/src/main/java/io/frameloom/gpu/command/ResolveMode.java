package io.frameloom.gpu.command;

import io.frameloom.gpu.DeviceLimits;

/**
 * How the samples of a depth or stencil attachment become one; {@link DeviceLimits.DepthResolve} lists the modes of a
 * device.
 */
public enum ResolveMode {
    /** Sample 0, as every device can. */
    SAMPLE_ZERO,
    /** The average; not for stencil. */
    AVERAGE,
    /** The smallest. */
    MIN,
    /** The largest. */
    MAX
}
