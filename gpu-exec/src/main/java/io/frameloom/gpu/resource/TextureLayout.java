package io.frameloom.gpu.resource;

import io.frameloom.gpu.command.Access;
import org.jspecify.annotations.Nullable;

/** The layout of a texture subresource in memory. */
public enum TextureLayout {
    /** Contents are undefined; the only layout of fresh memory, and the source of a transition that discards. */
    UNDEFINED,
    /** Any access; the only layout for storage access. */
    GENERAL,
    /** Colour attachment. */
    COLOR,
    /** Writable depth or stencil attachment. */
    DEPTH,
    /** Read-only depth or stencil attachment that may be sampled at the same time. */
    DEPTH_RO,
    /** Sampled by shaders. */
    SHADER_RO,
    /** Source of a copy or blit. */
    TRANSFER_SRC,
    /** Destination of a copy, blit or clear. */
    TRANSFER_DST,
    /** Handed to the presentation engine; only for images of swapchains and imported images. */
    PRESENT,
    /**
     * Attachment that the render pass itself reads at the same pixel, on the tile of tiling GPUs ({@link
     * Access#INPUT_ATTACHMENT}). It stays so while the render pass writes it.
     */
    LOCAL_READ;

    /** Returns the usage that a texture must have been created for to be in this layout, or null if any can. */
    public @Nullable TextureUsage requiredUsage() {
        return switch (this) {
            case COLOR -> TextureUsage.COLOR_ATTACHMENT;
            case DEPTH, DEPTH_RO -> TextureUsage.DEPTH_ATTACHMENT;
            case SHADER_RO -> TextureUsage.SAMPLED;
            case LOCAL_READ -> TextureUsage.INPUT_ATTACHMENT;
            case TRANSFER_SRC -> TextureUsage.COPY_SRC;
            case TRANSFER_DST -> TextureUsage.COPY_DST;
            case UNDEFINED, GENERAL, PRESENT -> null;
        };
    }
}
