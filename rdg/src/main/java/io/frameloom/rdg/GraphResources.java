package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The part of a graph's declaration that says which resources there are, and what becomes of them after the frame. */
abstract sealed class GraphResources permits RenderGraph {
    private final DeclaredResources resources = new DeclaredResources(self());
    private final NamedExtents extents = new NamedExtents(self());
    private int uniformBuffers;

    abstract RenderGraph self();

    /** Names an extent in texels, such as that of the swapchain, for {@link RelativeExtent#of(String)}. */
    public void setExtent(String extentName, int width, int height) {
        extents.set(extentName, width, height);
    }

    /** Declares a texture that exists only inside this frame; its usage, which may be empty, is completed from the declared accesses. */
    public RdgTexture createTexture(String textureName, TextureDescription description) {
        return resources.transientTexture(textureName, description);
    }

    /**
     * Declares a texture of a size relative to another one.
     *
     * @param shape everything but width and height
     * @throws RdgException if the reference is unknown or of another graph
     */
    public RdgTexture createTexture(String textureName, RelativeExtent extent, TextureDescription shape) {
        return createTexture(textureName, extents.resolve(textureName, extent, shape));
    }

    /** Declares a buffer that exists only inside this frame; its usage, which may be empty, is completed from the declared accesses. */
    public RdgBuffer createBuffer(String bufferName, BufferDescription description) {
        return resources.transientBuffer(bufferName, description);
    }

    /** Makes a uniform buffer of this frame with a copy of the remaining bytes of {@code data}; its position stays. */
    public RdgUniformBuffer createUniforms(String bufferName, ByteBuffer data) {
        ByteBuffer copy = ByteBuffer.allocate(data.remaining());
        copy.put(data.duplicate()).flip();
        return createUniforms(bufferName, copy.remaining(), target -> target.put(copy.duplicate()));
    }

    /**
     * Makes a uniform buffer of this frame.
     *
     * @param bytes size, at least 1
     * @param writer writes the contents when the first pass that uses them is recorded, on that thread
     */
    public RdgUniformBuffer createUniforms(String bufferName, int bytes, Consumer<ByteBuffer> writer) {
        if (bytes < 1) {
            throw new RdgException("graph '" + self().name() + "': uniform buffer '" + bufferName
                    + "' needs at least 1 byte, got " + bytes);
        }
        return new RdgUniformBuffer(self(), uniformBuffers++, bufferName, bytes, writer, self().site());
    }

    /**
     * Registers a texture of the application; its contents survive the frame. The same texture registered again, or
     * another import of the same driver object, gives the same handle. Unreal's RegisterExternalTexture.
     *
     * <p>A texture or buffer that belongs to one queue family at a time ({@link Texture#isExclusive}) belongs to the family of
     * the graphics queue when the frame starts and when it ends, also if it fails; in between the plan hands it over. An
     * imported one that some families share is used on queues of these alone.
     *
     * @param current layout in which the texture is when the frame starts
     * @throws RdgException if the texture was registered before with another layout, is an image of a swapchain, or is said to
     *     be in PRESENT and can never be presented
     */
    public RdgTexture registerExternal(Texture texture, TextureLayout current) {
        requireNoSwapchainImage(texture);
        return resources.external(texture, current, false);
    }

    /**
     * Registers an acquired image of a swapchain. Its contents are undefined at first, and it is left in
     * {@link Access#PRESENT}; the frame waits for its acquisition and presents it
     * ({@link FrameExecutor#execute(FramePlan, FrameSync)}). Registered again, the same handle. The compiled plan
     * is good for every later acquisition of the same image.
     */
    public RdgTexture registerExternal(SwapchainImage image) {
        RdgTexture handle = resources.external(image.texture(), TextureLayout.UNDEFINED, false);
        resources.present(handle);
        return handle;
    }

    private void requireNoSwapchainImage(Texture texture) {
        if (texture.isSwapchainImage()) {
            throw new RdgException("graph '" + self().name() + "': texture '" + texture.name()
                    + "' is an image of a swapchain, whose layout and contents are undefined; register the acquired"
                    + " SwapchainImage");
        }
    }

    /** Registers a buffer of the application; its contents survive the frame. Registered again, the same handle. */
    public RdgBuffer registerExternal(Buffer buffer) {
        return resources.external(buffer, false);
    }

    /** Registers a texture, or another one if it is null. Unreal's RegisterExternalTextureWithFallback. */
    public RdgTexture registerExternalWithFallback(
            @Nullable Texture texture, TextureLayout current, Texture fallback, TextureLayout fallbackCurrent) {
        return texture == null ? registerExternal(fallback, fallbackCurrent) : registerExternal(texture, current);
    }

    /** Registers a buffer, or another one if it is null. */
    public RdgBuffer registerExternalWithFallback(@Nullable Buffer buffer, Buffer fallback) {
        return registerExternal(buffer == null ? fallback : buffer);
    }

    /** Registers a texture, or returns null for null. Unreal's TryRegisterExternalTexture. */
    public @Nullable RdgTexture tryRegisterExternal(@Nullable Texture texture, TextureLayout current) {
        return texture == null ? null : registerExternal(texture, current);
    }

    /** Registers a buffer, or returns null for null. */
    public @Nullable RdgBuffer tryRegisterExternal(@Nullable Buffer buffer) {
        return buffer == null ? null : registerExternal(buffer);
    }

    /** Returns the handle of a texture that was registered, or null. Unreal's FindExternalTexture. */
    public @Nullable RdgTexture findExternal(Texture texture) {
        return (RdgTexture) resources.findExternal(texture);
    }

    /** Returns the handle of a buffer that was registered, or null. */
    public @Nullable RdgBuffer findExternal(Buffer buffer) {
        return (RdgBuffer) resources.findExternal(buffer);
    }

    /**
     * Registers a texture that nothing in the graph writes and that is not tracked: passes may read it in one layout,
     * and no barrier, order or wait comes of it. What the application writes into it must be visible before the frame.
     *
     * @param layout the layout in which it is and stays
     */
    public RdgTexture registerPassthrough(Texture texture, TextureLayout layout) {
        return resources.external(texture, layout, true);
    }

    /** Registers a buffer that nothing in the graph writes and that is not tracked. */
    public RdgBuffer registerPassthrough(Buffer buffer) {
        return resources.external(buffer, true);
    }

    /**
     * Takes a history into the frame. Before there is a former frame of this shape, what the frame reads is cleared by a
     * pass of its own, which is culled if nothing reads it.
     *
     * @param shape shape of both textures; its usage is completed for the clear and for {@link RdgHistory#rest}
     * @throws RdgException if the history is closed or in this graph already
     */
    public TextureHistory.Frame history(TextureHistory history, TextureDescription shape) {
        return DeclaredHistories.declare(self(), resources, history, shape);
    }

    /** Takes a history into the frame; as for textures, with a fill in place of the clear. */
    public BufferHistory.Frame history(BufferHistory history, BufferDescription shape) {
        return DeclaredHistories.declare(self(), resources, history, shape);
    }

    /**
     * Asks that an external texture is left ready for an access; without it the plan decides
     * ({@link FramePlan#finalLayout}). Unreal's SetTextureAccessFinal.
     *
     * @throws RdgException if the texture is of another graph, transient, not tracked, or an image of a swapchain, or if it is
     *     to be left ready for {@link Access#PRESENT} and can never be presented
     */
    public void finalAccess(RdgTexture texture, Access access) {
        resources.finalAccess(texture, access);
    }

    /**
     * Names the access that comes after the frame, so that the buffer is checked to have the usage that it takes. Frames
     * and what the application submits behind them need no barrier between them.
     *
     * @throws RdgException if the buffer is of another graph, transient, or not tracked
     */
    public void finalAccess(RdgBuffer buffer, Access access) {
        resources.finalAccess(buffer, access);
    }

    /**
     * Makes a transient texture outlive the frame, ready for an access. It gets memory of its own. Unreal's
     * QueueTextureExtraction.
     *
     * @throws RdgException if the texture is of another graph, external, or extracted before
     */
    public TextureExtraction extract(RdgTexture texture, Access finalAccess) {
        TextureExtraction extraction = new TextureExtraction(texture.name());
        resources.extract(texture, extraction, finalAccess);
        return extraction;
    }

    /**
     * Makes a transient buffer outlive the frame. It gets memory of its own.
     *
     * @throws RdgException if the buffer is of another graph, external, or extracted before
     */
    public BufferExtraction extract(RdgBuffer buffer) {
        BufferExtraction extraction = new BufferExtraction(buffer.name());
        resources.extract(buffer, extraction, null);
        return extraction;
    }

    /** Makes a transient buffer outlive the frame with the usage that a later access takes. */
    public BufferExtraction extract(RdgBuffer buffer, Access finalAccess) {
        BufferExtraction extraction = new BufferExtraction(buffer.name());
        resources.extract(buffer, extraction, finalAccess);
        return extraction;
    }

    /**
     * Hands what passes write into a transient buffer of {@link MemoryUsage#READBACK} memory to the host when the frame
     * has completed.
     *
     * @throws RdgException if the buffer is of other memory, too large for an array, of another graph, or taken out before
     */
    public RdgReadback readBack(RdgBuffer staging) {
        BufferDescription shape = staging.description();
        if (shape.memory() != MemoryUsage.READBACK || shape.bytes() > Integer.MAX_VALUE) {
            throw new RdgException("graph '" + self().name() + "': buffer '" + staging.name() + "'"
                    + resources.siteSuffix(staging) + " of " + shape.bytes() + " bytes is in " + shape.memory()
                    + " memory; read back a buffer of READBACK memory of at most " + Integer.MAX_VALUE + " bytes");
        }
        RdgReadback readback = new RdgReadback(staging.name(), (int) shape.bytes());
        resources.extract(staging, readback, null);
        return readback;
    }

    /**
     * Gives a transient memory of its own, as one needs that other code goes on using in the frame, or to find out whether a
     * mistake comes of shared memory. It costs that memory.
     *
     * @throws RdgException if the resource is of another graph, external or of a history
     */
    public void neverAlias(RdgResource resource) {
        resources.neverAlias(resource);
    }

    /**
     * Says that a resource may stay unused or unread, such as one that features share of which any may be off: the plan does
     * not warn of it ({@link PlanWarning.Code#UNUSED_RESOURCE}, {@link PlanWarning.Code#NEVER_READ}). Unreal's
     * RemoveUnusedTextureWarning and RemoveUnusedBufferWarning.
     *
     * @throws RdgException if the resource is of another graph
     */
    public void mayStayUnused(RdgResource resource) {
        resources.mayStayUnused(resource);
    }

    DeclaredResources resources() {
        return resources;
    }

    RdgResource handle(int index) {
        return resources.handle(index);
    }

    /** Returns where a resource was declared, as the end of a message. */
    String siteOf(RdgResource resource) {
        return resources.siteSuffix(resource);
    }

    /** Forgets the resources and extents. */
    void clear() {
        resources.clear();
        extents.clear();
        uniformBuffers = 0;
    }
}
