package io.frameloom.gpu.command;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureView;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command list being recorded for one queue.
 *
 * <p>Recorded by one thread at a time; different lists are recorded in parallel. A primary list comes from
 * {@link FrameContext#beginCommands}, is finished by {@link #end} and submitted once. A secondary list comes from
 * {@link FrameContext#beginSecondary}, is finished by {@link #end} and executed once by a primary list.
 *
 * <p>Bindings are by the names of the shader, or by {@link ShaderSlot}s where many are recorded. They belong to the
 * bound pipeline and are forgotten when a pipeline is bound, even the same one. They must be complete before a draw,
 * dispatch or trace (the error names what is missing). A binding that is an array of resources is filled element by
 * element.
 *
 * <p>The commands that move and fill bytes ({@link #copyBuffer} to {@link #clearDepthStencil}) are recorded outside of
 * render passes. Their textures are in the layouts that the open pass declares for them, else in {@link
 * TextureLayout#TRANSFER_SRC} or {@link TextureLayout#TRANSFER_DST}; {@link TextureLayout#GENERAL} is the other one that
 * can be declared, and what a copy or blit both reads and writes one subresource in.
 *
 * <p>Each command is checked before the driver sees it, and throws naming the list, the command and the resource:
 * {@link IllegalStateException} where the command does not belong (inside a render pass, on a queue that cannot execute
 * it, with something closed, with a texture that the pass has in another layout), {@link IllegalArgumentException} for
 * arguments that do not fit.
 *
 * <p>What a command names must stay open until the list was submitted. It may be closed from then on: the device keeps
 * it until it has finished with it. {@link #end}, {@link #execute} and {@link GpuQueue#submit} refuse a list that names
 * a closed resource, pipeline, binding set, timestamp set or query set. Bound objects are named by the draws and
 * dispatches that use them; pipelines are named by being bound.
 *
 * <p>A list belongs to its owner until its frame context is reset; then it is {@linkplain FrameContext recycled}, the
 * object too. Beginning and recording lists allocates nothing once the pools of the frame context have grown to the
 * size of a frame; on the virtual device it does.
 */
public interface CommandList {
    /** Returns the label. */
    String label();

    /** Returns the queue it is recorded for. */
    GpuQueue queue();

    /**
     * Begins a pass: a debug label on the device and the declaration that the hazard checker judges. The uses hold
     * until the end of the pass. A {@link #barrier} inside of it orders the pass's own commands, not those before or
     * after the pass.
     *
     * @param name name of the pass
     * @param uses every resource the pass's commands touch
     * @throws IllegalArgumentException if a resource does not have the declared range, or the usage that the access
     *     needs
     */
    void beginPass(String name, List<ResourceUse> uses);

    /**
     * Ends the pass.
     *
     * @throws IllegalStateException if it leaves a label or a render pass open
     */
    void endPass();

    /**
     * Issues barriers; nothing if empty. Inside a render pass these are of its attachments in layout {@link
     * io.frameloom.gpu.resource.TextureLayout#LOCAL_READ} and of the stages that draw: they order draws that write an
     * attachment before draws that read it as {@link Access#INPUT_ATTACHMENT}, pixel by pixel.
     */
    void barrier(BarrierBatch batch);

    /**
     * Issues the first half of a split barrier. The commands that the barriers follow end here, those that they hold
     * back begin at {@link #waitEvent}; the barriers take effect anywhere in between. A texture that changes its layout
     * is used by nothing in between. On a graphics or compute queue, in a primary list, between passes.
     *
     * @param index which event of the set. Only one list may set it between two {@linkplain DeviceEventSet#reset
     *     resets}; a list that is never submitted counts
     * @param batch barriers, at least one; none names the host or hands over between queue families
     * @throws IllegalStateException if a list sets the event already
     * @throws IllegalArgumentException if the list that waits for the event was recorded before for another queue, or
     *     with other barriers
     */
    void setEvent(DeviceEventSet events, int index, BarrierBatch batch);

    /**
     * Issues the second half of a split barrier. This list, or another of the same queue, has the first half and is
     * submitted with this one before it, or earlier.
     *
     * @param batch the barriers of {@link #setEvent}, equal in all
     * @throws IllegalStateException if a list waits for the event already
     * @throws IllegalArgumentException if the list that sets the event was recorded before for another queue, or with
     *     other barriers
     */
    void waitEvent(DeviceEventSet events, int index, BarrierBatch batch);

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
     * Copies a region between textures whose texels (blocks of compressed formats) have equal size in bytes; layers and
     * samples must be equal, and extents too. Between a compressed and another format those are equal in blocks and
     * texels: 3 x 3 texels of R16G16B16A16 are 12 x 12 of BC1. Of two compressed formats the blocks have equal extents.
     */
    void copyTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to);

    /** Copies mip 0, layer 0, plane 0 between textures of equal extent and format. */
    void copyTexture(Texture source, Texture destination);

    /**
     * Copies a region with scaling and conversion. On a graphics queue. Formats must be of the same numeric kind and
     * support blits ({@link FormatSupport}); depth and stencil formats must be equal and take {@link Filter#NEAREST}. Slices of
     * a {@link TextureKind#THREE_D} texture are blitted from and to layer 0.
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

    /** Opens a label for debuggers; labels nest. */
    void beginLabel(String label);

    /** Closes the innermost label. */
    void endLabel();

    /** Marks a point for debuggers. */
    void insertLabel(String label);

    /** Begins a render pass and sets viewport and scissor to its area. */
    void beginRendering(RenderingInfo info);

    /**
     * Clears a rectangle of a colour attachment in the open render pass, in all its layers.
     *
     * @param attachment position in {@link RenderingInfo#colors}
     */
    void clearColorAttachment(int attachment, RenderingInfo.ClearColor color, int x, int y, int width, int height);

    /**
     * Clears a rectangle of the depth attachment, the stencil attachment, or both in the open render pass, in all
     * layers.
     *
     * @param depth 0 to 1
     * @param stencil 0 to 255
     */
    void clearDepthStencilAttachment(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height);

    /**
     * Executes secondary lists in order. Inside a render pass they are lists of that pass, which must have been begun
     * with {@link RenderingInfo#withSecondaries}. Outside they are lists of compute and copy work; inside of a pass,
     * those without passes and barriers of their own. The pipeline and everything bound are forgotten.
     *
     * @param secondaries ended, of this device and queue family, not executed before
     * @throws IllegalStateException if something that one of them names was closed since, or if one writes depth or
     *     stencil that the open render pass only reads; none is executed then
     * @throws IllegalArgumentException if one was begun for other formats, or clears more than the open render pass
     *     has; none is executed then
     */
    void execute(List<CommandList> secondaries);

    /** Ends the render pass. */
    void endRendering();

    /** Sets the viewport in texels, with depths from 0 to 1. */
    default void setViewport(float x, float y, float width, float height) {
        setViewport(x, y, width, height, 0, 1);
    }

    /**
     * Sets the viewport in texels, within {@link DeviceLimits.Rendering}.
     *
     * @param y upper edge; the lower one if {@code height} is negative
     * @param height from the upper edge down, or negative, from the lower edge up: clip coordinates then have y up, as
     *     in OpenGL, and front faces turn the other way
     * @param minDepth depth of the nearest point in clip coordinates, 0 to 1
     * @param maxDepth depth of the farthest point, 0 to 1; may be less than {@code minDepth}
     */
    default void setViewport(float x, float y, float width, float height, float minDepth, float maxDepth) {
        setViewport(0, x, y, width, height, minDepth, maxDepth);
    }

    /**
     * As {@link #setViewport(float, float, float, float, float, float)}, for a pipeline with several.
     *
     * @param index which viewport, below {@link DeviceLimits.Rendering#maxViewports}; all but the first are unset at the
     *     beginning of a render pass
     */
    void setViewport(int index, float x, float y, float width, float height, float minDepth, float maxDepth);

    /** Sets the scissor rectangle in texels. */
    default void setScissor(int x, int y, int width, int height) {
        setScissor(0, x, y, width, height);
    }

    /** Sets the scissor rectangle of a viewport in texels. */
    void setScissor(int index, int x, int y, int width, int height);

    /** Sets the faces that are dropped, for pipelines with {@link DynamicState#CULL_MODE}. */
    void setCullMode(GraphicsPipelineDescription.CullMode cull);

    /** Sets which triangles face the viewer, for pipelines with {@link DynamicState#FRONT_FACE}. */
    void setFrontFace(RasterState.FrontFace front);

    /**
     * Sets how vertices are combined, for pipelines with {@link DynamicState#TOPOLOGY}. A draw is refused if its
     * pipeline was made for other primitives, or restarts strips and the topology has none.
     */
    void setTopology(RasterState.Topology topology);

    /**
     * Sets the depth test, for pipelines with {@link DynamicState#DEPTH_TEST}. Its bias is not used.
     *
     * @param test the test, or null for none
     */
    void setDepthTest(GraphicsPipelineDescription.@Nullable DepthState test);

    /**
     * Sets the stencil test, for pipelines with {@link DynamicState#STENCIL_TEST}.
     *
     * @param test the test, or null for none; its references are not used by pipelines with {@link
     *     DynamicState#STENCIL_REFERENCE}
     */
    void setStencilTest(@Nullable StencilState test);

    /**
     * Sets where vertex attributes lie, for pipelines with {@link DynamicState#VERTEX_INPUT}. A draw is refused if its
     * pipeline's own vertex buffers give an attribute that these do not give, or give as another type of number. The
     * same immutable list each time, as {@link List#of} makes it, is checked once.
     *
     * @param buffers vertex buffers by binding number
     * @throws IllegalArgumentException if the device cannot read them, as for pipelines
     */
    void setVertexInput(List<GraphicsPipelineDescription.VertexBuffer> buffers);

    /** Sets the reference of the stencil test, 0 to 255, for pipelines with a dynamic one. */
    void setStencilReference(int reference);

    /** Sets the constants of blending. */
    void setBlendConstants(float red, float green, float blue, float alpha);

    /**
     * Sets the amount added to depth, for pipelines with {@link DynamicState#DEPTH_BIAS}; 0 at the beginning of a
     * render pass.
     *
     * @param constant in units of the smallest difference that the depth format can hold
     * @param slope factor of the slope of depth
     * @param clamp largest amount that is added if positive, smallest if negative; 0 for no limit, which is the only
     *     value allowed if {@link DeviceLimits.Pipelines#depthBiasClamp} is false
     * @throws IllegalArgumentException if a number is not finite
     * @throws UnsupportedOperationException if the device cannot clamp
     */
    void setDepthBias(float constant, float slope, float clamp);

    /**
     * Sets the width of lines in texels, for pipelines with {@link DynamicState#LINE_WIDTH}; 1 at the beginning of a
     * render pass.
     *
     * @param width from {@link DeviceLimits.Pipelines#minLineWidth} to {@link DeviceLimits.Pipelines#maxLineWidth},
     *     both 1 on a device without wide lines
     * @throws IllegalArgumentException if the device draws no lines of that width
     */
    void setLineWidth(float width);

    /** Binds a pipeline. */
    void bindPipeline(Pipeline pipeline);

    /** Binds a texture with a sampler to a name. */
    void bindTexture(String name, TextureView view, Sampler sampler);

    /** Binds a texture to a name of its own; the shader samples it with samplers that are bound separately. */
    void bindTexture(String name, TextureView view);

    /** Binds a sampler to a name of its own; the shader uses it with textures that are bound separately. */
    void bindSampler(String name, Sampler sampler);

    /** Binds a storage texture to a name. */
    void bindStorageTexture(String name, TextureView view);

    /** Binds a range of a buffer to the name of a uniform or storage block. */
    void bindBuffer(String name, Buffer buffer, long offset, long bytes);

    /** Binds a texture with a sampler to an element of an array. */
    void bindTexture(String name, int index, TextureView view, Sampler sampler);

    /** Binds a texture to an element of an array of textures whose samplers are bound separately. */
    void bindTexture(String name, int index, TextureView view);

    /** Binds a sampler to an element of an array of samplers. */
    void bindSampler(String name, int index, Sampler sampler);

    /** Binds a storage texture to an element of an array. */
    void bindStorageTexture(String name, int index, TextureView view);

    /** Binds a range of a buffer to an element of an array of blocks. */
    void bindBuffer(String name, int index, Buffer buffer, long offset, long bytes);

    /**
     * As {@link #bindTexture(String, TextureView, Sampler)}, without looking up a name.
     *
     * @throws IllegalArgumentException as that, and if the slot is of another pipeline than the bound one
     */
    void bindTexture(ShaderSlot slot, TextureView view, Sampler sampler);

    /**
     * As {@link #bindTexture(String, TextureView)}, without looking up a name.
     *
     * @throws IllegalArgumentException as that, and if the slot is of another pipeline than the bound one
     */
    void bindTexture(ShaderSlot slot, TextureView view);

    /**
     * As {@link #bindSampler(String, Sampler)}, without looking up a name.
     *
     * @throws IllegalArgumentException as that, and if the slot is of another pipeline than the bound one
     */
    void bindSampler(ShaderSlot slot, Sampler sampler);

    /**
     * As {@link #bindStorageTexture(String, TextureView)}, without looking up a name.
     *
     * @throws IllegalArgumentException as that, and if the slot is of another pipeline than the bound one
     */
    void bindStorageTexture(ShaderSlot slot, TextureView view);

    /**
     * As {@link #bindBuffer(String, Buffer, long, long)}, without looking up a name.
     *
     * @throws IllegalArgumentException as that, and if the slot is of another pipeline than the bound one
     */
    void bindBuffer(ShaderSlot slot, Buffer buffer, long offset, long bytes);

    /** Binds an acceleration structure to a name, GLSL's {@code accelerationStructureEXT}. */
    void bindAccelerationStructure(String name, AccelerationStructure structure);

    /** Binds an acceleration structure to an element of an array. */
    void bindAccelerationStructure(String name, int index, AccelerationStructure structure);

    /**
     * As {@link #bindAccelerationStructure(String, AccelerationStructure)}, without looking up a name.
     *
     * @throws IllegalArgumentException as that, and if the slot is of another pipeline than the bound one
     */
    void bindAccelerationStructure(ShaderSlot slot, AccelerationStructure structure);

    /** Binds a prepared set; its number must not be filled by name or slot as well. */
    void bindSet(BindingSet set);

    /**
     * Binds a bindless table for all pipelines of this list that have one, those that are bound later as well.
     *
     * @throws IllegalStateException if the table is closed, or a resource in it whose slot is open
     */
    void bindTable(BindlessTable table);

    /**
     * Sets the push constants from the remaining bytes of {@code data}; its position stays. Like bindings they are
     * forgotten when a pipeline is bound. A pipeline with push constants draws and dispatches once all of them are set.
     */
    void pushConstants(ByteBuffer data);

    /** Binds a vertex buffer to a binding number. */
    void bindVertexBuffer(int binding, Buffer buffer, long offset);

    /** Binds the index buffer. */
    void bindIndexBuffer(Buffer buffer, long offset, IndexType type);

    /** Draws. */
    void draw(int vertexCount, int instanceCount, int firstVertex, int firstInstance);

    /** Draws by indices. */
    void drawIndexed(int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance);

    /**
     * Draws with arguments from a buffer of usage {@link BufferUsage#INDIRECT}: vertex count, instance count, first
     * vertex, first instance, as four words. The first instance is 0 unless {@link
     * DeviceLimits.Drawing#drawIndirectFirstInstance}.
     *
     * @param offset first byte, a multiple of 4
     * @param draws number of draws; more than one where {@link DeviceCapabilities} allow
     * @param stride bytes from one draw's arguments to the next, a multiple of 4 and at least 16
     */
    void drawIndirect(Buffer arguments, long offset, int draws, int stride);

    /**
     * Draws by indices with arguments from a buffer: index count, instance count, first index, vertex offset, first
     * instance, as five words; otherwise as {@link #drawIndirect}.
     */
    void drawIndexedIndirect(Buffer arguments, long offset, int draws, int stride);

    /**
     * As {@link #drawIndirect} with the number of draws from a buffer of usage {@link BufferUsage#INDIRECT}, at most
     * {@code maxDraws}.
     *
     * @throws UnsupportedOperationException if the device cannot
     */
    void drawIndirectCount(Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride);

    /**
     * As {@link #drawIndexedIndirect} with the number of draws from a buffer.
     *
     * @throws UnsupportedOperationException if the device cannot
     */
    void drawIndexedIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride);

    /**
     * Draws with a pipeline {@linkplain GraphicsPipelineDescription#ofMeshes of meshes}: starts workgroups of its task
     * shader, or of its mesh shader if it has none. The other draws refuse such a pipeline, and this one all others.
     *
     * @throws IllegalArgumentException if these are more workgroups than {@link DeviceLimits.MeshStage} allows
     */
    void drawMeshTasks(int groupsX, int groupsY, int groupsZ);

    /**
     * As {@link #drawMeshTasks} with arguments from a buffer of usage {@link BufferUsage#INDIRECT}: workgroups in x, y
     * and z, as three words, within the same limits.
     *
     * @param offset first byte, a multiple of 4
     * @param draws number of draws; more than one where {@link DeviceCapabilities} allow
     * @param stride bytes from one draw's arguments to the next, a multiple of 4 and at least 12
     */
    void drawMeshTasksIndirect(Buffer arguments, long offset, int draws, int stride);

    /**
     * As {@link #drawMeshTasksIndirect} with the number of draws from a buffer of usage {@link BufferUsage#INDIRECT}, at
     * most {@code maxDraws}.
     *
     * @throws UnsupportedOperationException if the device cannot
     */
    void drawMeshTasksIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride);

    /** Dispatches workgroups. */
    void dispatch(int groupsX, int groupsY, int groupsZ);

    /** Dispatches as many workgroups as three words of a buffer of usage {@link BufferUsage#INDIRECT} say. */
    void dispatchIndirect(Buffer arguments, long offset);

    /**
     * Traces rays by the bound {@link RayTracingPipeline}: its ray generation shader runs {@code width} times {@code
     * height} times {@code depth} times. On a graphics or compute queue, outside of render passes, and not under a
     * condition.
     *
     * @param table of the bound pipeline
     * @param memory where {@linkplain ShaderBindingTable#write its records} lie: of usage {@link BufferUsage#STORAGE}, a
     *     use as {@link Access#SHADER_BINDING_TABLE}
     * @param offset first byte of them, a multiple of {@link ShaderBindingTable#alignment}
     * @throws IllegalArgumentException if there are more rays than {@link DeviceLimits.RayTracing#maxInvocations}, or in
     *     a dimension more than a dispatch has invocations; or if the memory is too small, imported, shared or of
     *     another usage
     * @throws IllegalStateException if a condition is open, or the table is of another pipeline than the bound one
     */
    void traceRays(ShaderBindingTable table, Buffer memory, long offset, int width, int height, int depth);

    /**
     * As {@link #traceRays} with as many rays as three words of a buffer of usage {@link BufferUsage#INDIRECT} say.
     *
     * @param argumentOffset of the words, a multiple of 4
     * @throws IllegalArgumentException if the words are not within the buffer, or one of the buffers is imported, shared
     *     or of another usage
     * @throws IllegalStateException as {@link #traceRays}
     */
    void traceRaysIndirect(ShaderBindingTable table, Buffer memory, long offset, Buffer arguments, long argumentOffset);

    /**
     * Lets the device leave out draws, dispatches and {@linkplain #clearColorAttachment clears in render passes} up to
     * {@link #endConditionalRendering}, if a word of a buffer is 0. All other commands are done, the loads and stores of
     * render passes among them. The word is read when the list runs, a use as {@link Access#INDIRECT}; nothing writes it
     * before the end. On a graphics or compute queue, inside a render pass or around whole ones, in one pass. One
     * condition is open at a time; no secondary list is executed and {@linkplain #traceRays no ray traced} while it is.
     *
     * @param condition of usage {@link BufferUsage#INDIRECT}. An imported one has
     *     {@code VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT} as well
     * @param offset of the word, a multiple of 4; that of a {@linkplain #copyQueries copied} number of samples does
     * @param inverted whether they are left out if the word is not 0 instead
     * @throws IllegalStateException if the device does not have {@link Capability#CONDITIONAL_RENDERING} on, or another
     *     condition is open
     */
    void beginConditionalRendering(Buffer condition, long offset, boolean inverted);

    /**
     * Ends the open condition, in the render pass, pass and part in which it was begun.
     *
     * @throws IllegalStateException if none is open there
     */
    void endConditionalRendering();

    /**
     * Writes a timestamp after all earlier commands. Not inside a render pass with multiview.
     *
     * @param index which one of the set. Only one list may write it between two {@linkplain TimestampSet#reset resets};
     *     a list that is never submitted counts
     * @throws IllegalStateException if a list writes it already
     */
    void writeTimestamp(TimestampSet timestamps, int index);

    /**
     * Begins to count what the commands up to {@link #endQuery} do, secondary lists excepted, which count for
     * themselves. On a graphics queue, inside a render pass or around whole ones, but not with
     * multiview. One query of samples and one of statistics may be open at a time.
     *
     * @param index which one of the set. Only one list may count it, once, between two {@linkplain QuerySet#reset
     *     resets}; a list that is never submitted counts
     * @throws IllegalStateException if the query was begun already, or one that counts the same is open
     */
    void beginQuery(QuerySet queries, int index);

    /**
     * Ends the open query of a set, in the render pass, pass and part in which it was begun.
     *
     * @throws IllegalStateException if none is open there
     */
    void endQuery(QuerySet queries);

    /**
     * Copies results of queries to a buffer of usage {@link BufferUsage#COPY_DST}, a use as {@link Access#COPY_DST}:
     * for each {@link QueryKind#numbers} of 8 bytes. The copy waits for what this list has counted, itself or in lists
     * that it executes. Queries that no list has begun give 0. On a graphics queue, outside of render passes.
     *
     * @param first the first query
     * @param count number of queries, at least 1
     * @param offset where the results go, a multiple of 8
     * @throws IllegalStateException if another list counts one of the queries
     */
    void copyQueries(QuerySet queries, int first, int count, Buffer destination, long offset);

    /**
     * Builds an acceleration structure, anew or as an update. Several builds in a row overlap, so each has scratch memory
     * of its own, and there is a barrier between bottom levels and the top level that refers to them. On a graphics or
     * compute queue, outside of render passes.
     */
    void buildAccelerationStructure(AccelerationStructureBuild build);

    /**
     * Copies an acceleration structure to another one of its level; where builds are recorded.
     *
     * @throws IllegalArgumentException if the source was not built {@link
     *     AccelerationStructureDescription.Flag#COMPACTABLE} and is to be compacted
     */
    void copyAccelerationStructure(
            AccelerationStructure source, AccelerationStructure destination, AccelerationStructure.CopyMode mode);

    /**
     * Writes a bottom level to memory, for a later run on the same device and driver; where builds are recorded. A top
     * level is built anew.
     *
     * @param destination of usage {@link BufferUsage#STORAGE}, a use as {@link Access#ACCELERATION_STRUCTURE_OUTPUT}.
     *     The result has as many bytes as a query of {@link QueryKind#SERIALIZED_BYTES} says
     * @param offset first byte, a multiple of 256
     */
    void serializeAccelerationStructure(AccelerationStructure source, Buffer destination, long offset);

    /**
     * Reads a bottom level back from memory; where builds are recorded.
     *
     * @param source of usage {@link BufferUsage#STORAGE}, a use as {@link Access#ACCELERATION_STRUCTURE_INPUT}
     * @param offset first byte, a multiple of 256
     * @param destination at least as large as the one that was written
     */
    void deserializeAccelerationStructure(Buffer source, long offset, AccelerationStructure destination);

    /**
     * Counts how many bytes a copy of an acceleration structure takes, as the kind of the queries says; where builds are
     * recorded.
     *
     * @param index which one of the set, as {@link #beginQuery} takes it
     */
    void measureAccelerationStructure(AccelerationStructure structure, QuerySet queries, int index);

    /**
     * Finishes recording.
     *
     * @throws IllegalStateException if a pass, render pass or label is open, which may then be ended; or if something
     *     that the list names, or a list that it executes, was closed since: then the list is unusable
     */
    void end();
}
