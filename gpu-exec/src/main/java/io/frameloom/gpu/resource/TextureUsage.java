package io.frameloom.gpu.resource;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceLimits;

/** What a texture may be used for; fixed at creation. */
public enum TextureUsage {
    /** Sampled by shaders. */
    SAMPLED,
    /** Read or written as storage by shaders. */
    STORAGE,
    /** Colour attachment. */
    COLOR_ATTACHMENT,
    /** Depth or stencil attachment. */
    DEPTH_ATTACHMENT,
    /** Source of copies. */
    COPY_SRC,
    /** Destination of copies and clears. */
    COPY_DST,
    /**
     * Only an attachment, whose contents no render pass stores. On a device with {@link
     * DeviceLimits.Memory#lazilyAllocated} such a texture with memory of its own takes only the memory that it needs.
     * Goes with attachment usages alone.
     */
    TRANSIENT_ATTACHMENT,
    /**
     * Attachment that its render pass reads at the same pixel. Takes {@link Capability#DYNAMIC_RENDERING_LOCAL_READ},
     * and an attachment usage beside it.
     */
    INPUT_ATTACHMENT
}
