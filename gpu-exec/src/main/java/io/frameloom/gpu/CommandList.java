package io.frameloom.gpu;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A command list being recorded for one queue.
 *
 * <p>Recorded by one thread at a time; different lists are recorded in parallel. It comes from
 * {@link FrameContext#beginCommands}, is finished by {@link #end} and submitted once.
 *
 * <p>Bindings are by the names of the shader: they belong to the pipeline that is bound, must be complete before a draw
 * or dispatch (the error names what is missing), and are forgotten when another pipeline is bound.
 */
public interface CommandList {
    /** Returns the label. */
    String label();

    /** Returns the queue it is recorded for. */
    GpuQueue queue();

    /**
     * Begins a pass: a debug label on the device and the declaration that the hazard checker judges.
     *
     * @param name name of the pass
     * @param uses every resource the pass's commands touch
     */
    void beginPass(String name, List<ResourceUse> uses);

    /** Ends the pass. */
    void endPass();

    /** Issues barriers; nothing if empty. Not inside a render pass. */
    void barrier(BarrierBatch batch);

    /** Begins a render pass and sets viewport and scissor to its area. */
    void beginRendering(RenderingInfo info);

    /** Ends the render pass. */
    void endRendering();

    /** Sets the viewport (y down, depth 0 to 1) in texels. */
    void setViewport(float x, float y, float width, float height);

    /** Sets the scissor rectangle in texels. */
    void setScissor(int x, int y, int width, int height);

    /** Binds a pipeline. */
    void bindPipeline(Pipeline pipeline);

    /** Binds a texture with a sampler to a name. */
    void bindTexture(String name, TextureView view, Sampler sampler);

    /** Binds a storage texture to a name. */
    void bindStorageTexture(String name, TextureView view);

    /** Binds a range of a buffer to the name of a uniform or storage block. */
    void bindBuffer(String name, Buffer buffer, long offset, long bytes);

    /** Binds a prepared set; its number must not be filled by name as well. */
    void bindSet(BindingSet set);

    /** Sets the push constants from the remaining bytes of {@code data}; its position stays. */
    void pushConstants(ByteBuffer data);

    /** Binds a vertex buffer to a binding number. */
    void bindVertexBuffer(int binding, Buffer buffer, long offset);

    /** Binds the index buffer. */
    void bindIndexBuffer(Buffer buffer, long offset, IndexType type);

    /** Draws. */
    void draw(int vertexCount, int instanceCount, int firstVertex, int firstInstance);

    /** Draws by indices. */
    void drawIndexed(int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance);

    /** Dispatches workgroups. */
    void dispatch(int groupsX, int groupsY, int groupsZ);

    /** Copies bytes between buffers. */
    void copyBuffer(Buffer source, long sourceOffset, Buffer destination, long destinationOffset, long bytes);

    /** Copies tightly packed rows into one mip of one layer. */
    void copyBufferToTexture(Buffer source, long sourceOffset, Texture destination, int mip, int layer);

    /** Copies one mip of one layer into tightly packed rows. */
    void copyTextureToBuffer(Texture source, int mip, int layer, Buffer destination, long destinationOffset);

    /** Copies mip 0, layer 0 between textures of equal extent and format. */
    void copyTexture(Texture source, Texture destination);

    /** Fills bytes (multiple of four) with a repeated word. */
    void fillBuffer(Buffer destination, long offset, long bytes, int word);

    /** Clears a colour texture in layout {@link TextureLayout#TRANSFER_DST}. */
    void clearTexture(Texture destination, SubresourceRange range, RenderingInfo.ClearColor color);

    /** Writes a timestamp after all earlier commands. */
    void writeTimestamp(TimestampSet timestamps, int index);

    /** Finishes recording. */
    void end();
}
