package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.nio.ByteBuffer;

/**
 * The commands of a {@link CommandList} that move and fill bytes. All of them are recorded outside of render passes.
 * Textures are in the layout that the open pass declares for them, else in {@link TextureLayout#TRANSFER_SRC} or {@link
 * TextureLayout#TRANSFER_DST}. {@link TextureLayout#GENERAL} is the other layout that can be declared; a copy or blit
 * that reads and writes one subresource needs it.
 *
 * <p>Each command is checked before the driver sees it. Its exception names the list, the command and the resource:
 * {@link IllegalArgumentException} for arguments that do not fit, {@link IllegalStateException} where the command does
 * not belong: inside a render pass, on a queue that cannot execute it, with a closed object, or with a texture that the
 * pass has in another layout.
 */
public interface TransferCommands {
    /** Copies bytes between buffers; the ranges must not overlap in one buffer. */
    void copyBuffer(Buffer source, long sourceOffset, Buffer destination, long destinationOffset, long bytes);

    /** Copies texels of a buffer into a region of a texture. */
    void copyBufferToTexture(Buffer source, TexelLayout layout, Texture destination, TextureRegion region);

    /** Copies tightly packed rows into one mip of one layer, plane 0. */
    void copyBufferToTexture(Buffer source, long sourceOffset, Texture destination, int mip, int layer);

    /** Copies a region of a texture into a buffer. */
    void copyTextureToBuffer(Texture source, TextureRegion region, Buffer destination, TexelLayout layout);

    /** Copies one mip of one layer, plane 0, into tightly packed rows. */
    void copyTextureToBuffer(Texture source, int mip, int layer, Buffer destination, long destinationOffset);

    /**
     * Copies a region between textures whose texels (blocks of compressed formats) have equal size in bytes. Layers,
     * samples and extents must be equal. Between a compressed and another format, extents are equal in blocks and
     * texels: 3 x 3 texels of R16G16B16A16 are 12 x 12 of BC1. The blocks of two compressed formats must have equal
     * extents.
     */
    void copyTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to);

    /** Copies mip 0, layer 0, plane 0 between textures of equal extent and format. */
    void copyTexture(Texture source, Texture destination);

    /**
     * Copies a region with scaling and conversion. On a graphics queue. Formats must be of the same numeric kind and
     * support blits ({@link FormatSupport}); depth and stencil formats must be equal and take {@link Filter#NEAREST}.
     * Slices of a {@link TextureKind#THREE_D} texture are blitted from and to layer 0.
     */
    void blitTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to, Filter filter);

    /**
     * Resolves the samples of a region of colour to a texture of one sample and the same format. On a graphics queue.
     */
    void resolveTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to);

    /** Fills bytes (offset and length in multiples of four) with a repeated word. */
    void fillBuffer(Buffer destination, long offset, long bytes, int word);

    /**
     * Writes the remaining bytes of {@code data}, which are recorded with the command; its position stays. Offset and
     * length are multiples of four, the length at most 65,536: larger data goes through
     * {@link FrameContext#allocateUpload}.
     */
    void updateBuffer(Buffer destination, long offset, ByteBuffer data);

    /** Clears a colour texture. On a graphics or compute queue. */
    void clearTexture(Texture destination, SubresourceRange range, RenderingInfo.ClearColor color);

    /**
     * Clears the planes of a range of a depth or stencil texture. On a graphics queue.
     *
     * @param depth 0 to 1, for planes of depth
     * @param stencil 0 to 255, for planes of stencil
     */
    void clearDepthStencil(Texture destination, SubresourceRange range, float depth, int stencil);
}
