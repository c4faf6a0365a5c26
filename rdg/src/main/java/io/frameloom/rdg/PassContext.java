package io.frameloom.rdg;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureView;

/**
 * What a pass sees while it records; valid only inside {@link PassBody#record}, on the thread that called it. Every
 * method throws {@link IllegalStateException} outside of the body or on another thread.
 *
 * <p>Only resources that the pass declared can be resolved; any other gives an {@link RdgException} that names the pass
 * and the resource. A handle of another graph, or of a former frame's, gives such an exception too where its position
 * or its name is another one. A resource of the same position and name stands for it, since a frame may execute the
 * plan and the bodies of a former one again. So bodies take handles that were declared with them.
 */
public interface PassContext {
    /**
     * Returns the command list; a raster pass's render pass has begun unless it skips it.
     *
     * @throws IllegalStateException outside of the body
     */
    CommandList commands();

    /**
     * Returns the texture of a declared handle.
     *
     * @throws RdgException if the pass has not declared it, or it is of another graph
     * @throws IllegalStateException outside of the body
     */
    Texture texture(RdgTexture texture);

    /**
     * Returns the view of everything of a declared texture.
     *
     * @throws RdgException as {@link #texture}
     * @throws IllegalArgumentException if the texture is only for copies
     * @throws IllegalStateException outside of the body
     */
    TextureView view(RdgTexture texture);

    /**
     * Returns the view of a range of a declared texture.
     *
     * @throws RdgException as {@link #texture}
     * @throws IllegalArgumentException if the range is not within the texture, or the texture is only for copies
     * @throws IllegalStateException outside of the body
     */
    TextureView view(RdgTexture texture, SubresourceRange range);

    /**
     * Returns the view of a declared texture for a handle.
     *
     * @throws RdgException as {@link #texture}
     * @throws IllegalArgumentException if the texture cannot be seen so
     * @throws IllegalStateException outside of the body
     */
    TextureView view(RdgTextureView view);

    /**
     * Returns the buffer of a declared handle.
     *
     * @throws RdgException if the pass has not declared it, or it is of another graph
     * @throws IllegalStateException outside of the body
     */
    Buffer buffer(RdgBuffer buffer);

    /**
     * Returns the memory of a declared uniform buffer of the frame; its first taker writes the contents.
     *
     * @throws RdgException if the pass has not declared it
     * @throws IllegalStateException outside of the body
     */
    BufferSlice uniforms(RdgUniformBuffer buffer);

    /**
     * Returns the queries whose results go to a buffer: the first that {@link PassBuilder#counts} has named with it.
     *
     * @throws RdgException if the pass counts nothing into the buffer
     * @throws IllegalStateException outside of the body
     */
    QuerySet queries(RdgBuffer results);

    /** Returns the queries whose results go to the range of a view, as {@link #queries(RdgBuffer)}. */
    QuerySet queries(RdgBufferView results);

    /**
     * Returns mapped memory that lives until the frame has completed on the device.
     *
     * @param bytes length
     * @param alignment what the offset is a multiple of, for texels the size of one; it is a multiple of 4 as well
     * @throws IllegalArgumentException if there are no bytes or too many for a buffer of Java, or the alignment is none
     * @throws IllegalStateException outside of the body
     */
    BufferSlice upload(long bytes, int alignment);

    /**
     * Returns the width of the render area in texels; of a raster pass only.
     *
     * @throws IllegalStateException outside of the body
     */
    int width();

    /**
     * Returns the height of the render area in texels; of a raster pass only.
     *
     * @throws IllegalStateException outside of the body
     */
    int height();
}
