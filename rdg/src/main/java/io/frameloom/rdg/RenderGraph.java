package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.present.SwapchainImage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.declare.PassDeclaration;
import io.frameloom.rdg.declare.RedeclaredList;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.execute.ImmediateRun;
import io.frameloom.rdg.options.RdgProperties;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One frame's passes and resources, in the order in which the application declares them. That order gives the meaning
 * of the frame; the compiler removes what no output needs, overlaps what is independent and places the barriers.
 * Unreal's FRDGBuilder.
 *
 * <p>One thread at a time (the render thread). A graph describes one frame, and after {@link #reset(String)} the next;
 * the idea of declaring a frame and compiling it is that of "FrameGraph: Extensible Rendering Architecture in
 * Frostbite" (Y. O'Donnell, GDC 2017).
 */
public final class RenderGraph {
    private final GraphDeclaration declaration;
    private final RdgBlackboard blackboard = new RdgBlackboard(this);
    private final RedeclaredList<OverlapGroup> overlapGroups = new RedeclaredList<>(0);
    private int uniformBuffers;

    /**
     * Creates an empty graph; declaration sites are kept if the system property {@code frameloom.rdg.debug} says so.
     */
    public RenderGraph(String name) {
        this(name, RdgOptions.defaults());
    }

    /**
     * Creates an empty graph; declaration sites are kept if {@link RdgOptions#debug} says so, or the system property
     * {@code frameloom.rdg.debug}, which wins.
     */
    public RenderGraph(String name, RdgOptions options) {
        this(name, RdgProperties.GROUP.flag("debug", options.debug()), null);
    }

    /** Creates an empty graph. With {@code immediate} its passes run while they are declared. */
    RenderGraph(String name, boolean keepSites, @Nullable ImmediateRun immediate) {
        Objects.requireNonNull(name, "a graph needs a name: name must not be null");
        declaration = new GraphDeclaration(name, keepSites, immediate);
    }

    /** Returns the name. */
    public String name() {
        return declaration.name();
    }

    /** Forgets what was declared and keeps the name: see {@link #reset(String)}. */
    public RenderGraph reset() {
        return reset(name());
    }

    /**
     * Forgets all that was declared: passes, resources, scopes, the blackboard, extents, and what was asked of
     * resources after the frame. The next frame can then be declared into this object and its memory. A program that
     * declares the same frame after frame then allocates next to nothing for it. A pass of the same name and kind, or a
     * resource of the same name and shape, at the same place as in the frame before gets the same object. So keep a
     * graph for each view if their frames differ.
     *
     * <p>The thread that declares the graph calls it, at any time outside of a declaration. Plans of the graph stay as
     * they are, and so do their frames, under way or executed later. Their bodies go on with their handles. A frame
     * that was not compiled is dropped.
     *
     * <p>Former handles, views, builders of passes, uniform buffers, overlap groups, setup tasks and open scopes are no
     * longer valid. A declaration with one gives the same error as one with another graph's. If the new frame has got
     * the same object again, the handle stands for that. Methods that only read, such as {@link
     * RdgTexture#description}, still work.
     *
     * <p>The graph stays as large as its largest frame and keeps its names and shapes. It keeps no body, condition,
     * writer, external resource or value of the blackboard of a former frame.
     *
     * @param newName name of the next frame
     * @throws RdgException if the graph runs in immediate mode, where a frame takes a new graph:
     *     {@link FrameExecutor#beginGraph(String, RenderGraphCompiler, RenderGraph)} resets a graph where it can
     */
    public RenderGraph reset(String newName) {
        declaration.require(newName, "newName");
        if (declaration.immediate() != null) {
            throw new RdgException("graph '" + name() + "' runs in immediate mode and cannot be reset to declare '"
                    + newName + "'; begin a graph for each frame with FrameExecutor.beginGraph");
        }
        declaration.reset(newName);
        blackboard.clear();
        overlapGroups.clear();
        uniformBuffers = 0;
        return this;
    }

    /** Returns the number of the frame that is declared, another one after each reset. */
    long frame() {
        return declaration.frame();
    }

    /** Returns whether an overlap group of this graph is one of this frame. */
    boolean has(OverlapGroup group) {
        return overlapGroups.has(group.number(), group);
    }

    /** Returns in words where something comes from that is not of this frame. */
    String foreign(RenderGraph from) {
        return from == this ? "a former frame of the graph, which was reset" : "graph '" + from.name() + "'";
    }

    /** Returns the values that the features of this graph leave for each other. */
    public RdgBlackboard blackboard() {
        return blackboard;
    }

    /**
     * Opens a scope. The passes that are declared until it is closed get a label in debuggers and a time of their own
     * in {@link FrameStatistics#scopeTimes}. Scopes nest. Passes that share a render pass are labelled by the scope of
     * the first of them.
     */
    public PassScope scope(String scopeName) {
        declaration.require(scopeName, "scopeName");
        return declaration.scopes().open(scopeName, true, Set.of());
    }

    /** Declares passes in a scope: as {@link #scope(String)}, closed also if the declaration fails. */
    public void scope(String scopeName, Runnable declaration) {
        this.declaration.require(declaration, "declaration");
        PassScope scope = scope(scopeName);
        try {
            declaration.run();
        } finally {
            scope.close();
        }
    }

    /**
     * Opens a scope whose passes all get flags: {@link PassFlag#NEVER_CULL}, {@link PassFlag#NEVER_MERGE},
     * {@link PassFlag#NEVER_PARALLEL} or {@link PassFlag#UNTRACKED_ACCESS}. Unreal's scope flags
     * (ERDGPassFlags::ScopeMask).
     *
     * @throws RdgException for any other flag, which depends on the pass
     */
    public PassScope flagScope(PassFlag first, PassFlag... more) {
        Set<PassFlag> flags = EnumSet.of(first, more);
        return declaration.scopes().open(flags.toString(), false, flags);
    }

    /**
     * Starts work of the host that passes depend on, and returns while it runs. Declaration and compilation go on.
     * Passes that {@linkplain PassBuilder#after(RdgSetupTask...) name it} are recorded when it is done. So it cannot
     * declare anything itself. If it fails, the frame does. The frame does not wait for one that no pass names, or only
     * culled passes. Unreal's setup tasks (AddSetupTask).
     *
     * @param tasks the task graph of the executor that is to execute the frame
     * @param body runs on a worker
     * @param after events that the work waits for, such as that of a file being read; if one fails, the work does
     */
    public RdgSetupTask setupTask(TaskGraph tasks, String taskName, TaskBody body, GraphEvent... after) {
        GraphEvent event =
                tasks.task(taskName, body).on(WorkerLevel.HIGH).after(after).dispatch();
        return new RdgSetupTask(this, tasks, taskName, event, declaration.site());
    }

    /** Makes a group of storage writes that may overlap. A frame can use 2,097,149; a use of more is refused. */
    public OverlapGroup overlapGroup(String groupName) {
        declaration.require(groupName, "groupName");
        OverlapGroup former = overlapGroups.former();
        OverlapGroup group = former != null && former.name().equals(groupName)
                ? former
                : new OverlapGroup(this, overlapGroups.size(), groupName);
        overlapGroups.add(group);
        return group;
    }

    /**
     * Begins the declaration of a pass, which {@link PassBuilder#record} ends. Unreal's AddPass. Declare a pass before
     * the next one is added: into another than the last, each call takes time for all passes and accesses after it.
     */
    public PassBuilder addPass(String passName, PassKind kind) {
        declaration.require(passName, "passName");
        declaration.require(kind, "kind");
        PassDeclaration pass = declaration.addPass(passName, kind);
        PassBuilder former = pass.builder();
        return former == null ? pass.keep(new PassBuilder(this, pass)) : former;
    }

    /**
     * Adds a pass that declares no resource of the graph, such as one that works on resources of its own. It is never
     * culled. As a raster pass it begins its render passes itself.
     */
    public void addPass(String passName, PassKind kind, PassBody body) {
        declaration.require(body, "body");
        PassBuilder pass = addPass(passName, kind).flag(PassFlag.NEVER_CULL);
        if (kind == PassKind.RASTER) {
            pass.flag(PassFlag.SKIP_RENDER_PASS);
        }
        pass.record(body);
    }

    /**
     * Adds a pass that uses the resources of its parameters: see {@link PassBuilder#parameters}.
     *
     * @param body gets the parameters again
     */
    public <P extends Record> void addPass(
            String passName, PassKind kind, P parameters, BiConsumer<PassContext, P> body) {
        declaration.require(parameters, "parameters");
        declaration.require(body, "body");
        addPass(passName, kind).parameters(parameters).record(context -> body.accept(context, parameters));
    }

    /**
     * Begins the declaration of a pass that runs on the CPU at its place in the graph: after the work of the device
     * that it depends on, and before the work that depends on it is submitted. {@link PassBuilder#run} ends the
     * declaration. It declares reads of buffers in mapped memory as {@link Access#HOST_READ} and writes as {@link
     * Access#HOST_WRITE}, and its body gets that memory. Only what depends on it waits for it. A batch that does delays
     * those after it in the order of submission.
     *
     * <p>So a pass can read what an earlier pass of the frame has computed, and decide by that what a later pass does.
     * The price is a round trip to the host.
     */
    public PassBuilder hostPass(String passName) {
        return addPass(passName, PassKind.HOST);
    }

    /** Names an extent in texels, such as that of the swapchain, for {@link RelativeExtent#of(String)}. */
    public void setExtent(String extentName, int width, int height) {
        declaration.require(extentName, "extentName");
        declaration.setExtent(extentName, width, height);
    }

    /**
     * Declares a texture that exists only inside this frame; its usage, which may be empty, is completed from the
     * declared accesses.
     */
    public RdgTexture createTexture(String textureName, TextureDescription description) {
        declaration.require(textureName, "textureName");
        declaration.require(description, "description");
        return declaration.transientTexture(textureName, description);
    }

    /**
     * Declares a texture of a size relative to another one.
     *
     * @param shape everything but width and height
     * @throws RdgException if the reference is unknown or of another graph
     */
    public RdgTexture createTexture(String textureName, RelativeExtent extent, TextureDescription shape) {
        return createTexture(textureName, extent.resolve(textureName, declaration, shape));
    }

    /**
     * Declares a buffer that exists only inside this frame; its usage, which may be empty, is completed from the
     * declared accesses.
     */
    public RdgBuffer createBuffer(String bufferName, BufferDescription description) {
        declaration.require(bufferName, "bufferName");
        declaration.require(description, "description");
        return declaration.transientBuffer(bufferName, description);
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
        declaration.require(bufferName, "bufferName");
        declaration.require(writer, "writer");
        if (bytes < 1) {
            throw new RdgException(
                    "graph '" + name() + "': uniform buffer '" + bufferName + "' needs at least 1 byte, got " + bytes);
        }
        return new RdgUniformBuffer(this, uniformBuffers++, bufferName, bytes, writer, declaration.site());
    }

    /**
     * Registers a texture of the application; its contents survive the frame. The same texture registered again, or
     * another import of the same driver object, gives the same handle. Unreal's RegisterExternalTexture.
     *
     * <p>A texture or buffer that belongs to one queue family at a time ({@link Texture#isExclusive}) belongs to the
     * family of the graphics queue when the frame starts and when it ends, also if it fails. In between the plan hands
     * it over. An imported one that some families share is used on queues of these alone.
     *
     * @param current layout in which the texture is when the frame starts
     * @throws RdgException if the texture was registered before with another layout or is an image of a swapchain, or
     *     if {@code current} is PRESENT and it can never be presented
     */
    public RdgTexture registerExternal(Texture texture, TextureLayout current) {
        declaration.require(current, "current");
        if (texture.isSwapchainImage()) {
            throw new RdgException("graph '" + name() + "': texture '" + texture.name()
                    + "' is an image of a swapchain, whose layout and contents are undefined; register the acquired"
                    + " SwapchainImage");
        }
        return declaration.external(texture, current, false);
    }

    /**
     * Registers an acquired image of a swapchain. Its contents are undefined at first, and it is left in {@link
     * Access#PRESENT}; the frame waits for its acquisition and presents it ({@link FrameExecutor#execute(FramePlan,
     * FrameSync)}). The same image registered again gives the same handle. The compiled plan also holds for every later
     * acquisition of the same image.
     */
    public RdgTexture registerExternal(SwapchainImage image) {
        RdgTexture handle = declaration.external(image.texture(), TextureLayout.UNDEFINED, false);
        declaration.present(handle);
        return handle;
    }

    /**
     * Registers a buffer of the application; its contents survive the frame. The same buffer registered again gives the
     * same handle.
     */
    public RdgBuffer registerExternal(Buffer buffer) {
        return declaration.external(buffer, false);
    }

    /**
     * Returns the textures that were declared until now, in order, without passthrough ones. So a tool that adds its
     * passes last can read any of them.
     */
    public List<RdgTexture> textures() {
        return declaration.textures();
    }

    /** Returns the handle of a texture that was registered, or null. Unreal's FindExternalTexture. */
    public @Nullable RdgTexture findExternal(Texture texture) {
        return (RdgTexture) declaration.findExternal(texture);
    }

    /** Returns the handle of a buffer that was registered, or null. */
    public @Nullable RdgBuffer findExternal(Buffer buffer) {
        return (RdgBuffer) declaration.findExternal(buffer);
    }

    /**
     * Registers a texture that the graph neither writes nor tracks. Passes may read it in one layout. It gives no
     * barrier, order or wait. What the application writes into it must be visible before the frame.
     *
     * @param layout the layout in which it is and stays
     */
    public RdgTexture registerPassthrough(Texture texture, TextureLayout layout) {
        declaration.require(layout, "layout");
        return declaration.external(texture, layout, true);
    }

    /** Registers a buffer that the graph neither writes nor tracks. */
    public RdgBuffer registerPassthrough(Buffer buffer) {
        return declaration.external(buffer, true);
    }

    /**
     * Takes a history into the frame. Without a former frame of this shape, a pass clears the contents that the frame
     * reads. It is culled if nothing reads them.
     *
     * @param shape shape of both textures; its usage is completed for the clear and for {@link RdgHistory#rest}
     * @throws RdgException if the history is closed or in this graph already
     */
    public TextureHistory.Frame history(TextureHistory history, TextureDescription shape) {
        return history.declare(this, shape);
    }

    /** Takes a history into the frame; as for textures, with a fill in place of the clear. */
    public BufferHistory.Frame history(BufferHistory history, BufferDescription shape) {
        return history.declare(this, shape);
    }

    /**
     * Asks that an external texture is left ready for an access; without it the plan decides
     * ({@link FramePlan#finalLayout}). Unreal's SetTextureAccessFinal.
     *
     * @throws RdgException if the texture is of another graph, transient, not tracked, or an image of a swapchain; or
     *     if {@code access} is {@link Access#PRESENT} and it can never be presented
     */
    public void finalAccess(RdgTexture texture, Access access) {
        declaration.require(access, "access");
        declaration.finalAccess(texture, access);
    }

    /**
     * Names the access that comes after the frame, so that the compiler checks the usage of the buffer for it. Frames
     * need no barrier before what the application submits after them.
     *
     * @throws RdgException if the buffer is of another graph, transient, or not tracked
     */
    public void finalAccess(RdgBuffer buffer, Access access) {
        declaration.require(access, "access");
        declaration.finalAccess(buffer, access);
    }

    /**
     * Makes a transient texture outlive the frame, ready for an access. It gets memory of its own. Unreal's
     * QueueTextureExtraction.
     *
     * @throws RdgException if the texture is of another graph, external, or extracted before
     */
    public TextureExtraction extract(RdgTexture texture, Access finalAccess) {
        declaration.require(finalAccess, "finalAccess");
        TextureExtraction extraction = new TextureExtraction(texture.name());
        declaration.extract(texture, extraction, finalAccess);
        return extraction;
    }

    /**
     * Makes a transient buffer outlive the frame. It gets memory of its own.
     *
     * @throws RdgException if the buffer is of another graph, external, or extracted before
     */
    public BufferExtraction extract(RdgBuffer buffer) {
        BufferExtraction extraction = new BufferExtraction(buffer.name());
        declaration.extract(buffer, extraction, null);
        return extraction;
    }

    /** Makes a transient buffer outlive the frame with the usage that a later access takes. */
    public BufferExtraction extract(RdgBuffer buffer, Access finalAccess) {
        declaration.require(finalAccess, "finalAccess");
        BufferExtraction extraction = new BufferExtraction(buffer.name());
        declaration.extract(buffer, extraction, finalAccess);
        return extraction;
    }

    /**
     * Hands the contents of a transient buffer of {@link MemoryUsage#READBACK} memory to the host when the frame has
     * completed.
     *
     * @throws RdgException if the buffer is of other memory, too large for an array, of another graph, or taken out
     *     before
     */
    public RdgReadback readBack(RdgBuffer staging) {
        BufferDescription shape = staging.description();
        if (shape.memory() != MemoryUsage.READBACK || shape.bytes() > Integer.MAX_VALUE) {
            throw new RdgException("graph '" + name() + "': buffer '" + staging.name() + "'"
                    + declaration.siteSuffix(staging) + " of " + shape.bytes() + " bytes is in "
                    + shape.memory()
                    + " memory; read back a buffer of READBACK memory of at most " + Integer.MAX_VALUE + " bytes");
        }
        RdgReadback readback = new RdgReadback(staging.name(), (int) shape.bytes());
        declaration.extract(staging, readback, null);
        return readback;
    }

    /**
     * Gives a transient memory of its own. Use it if other code goes on using the transient in the frame, or to find
     * out whether a mistake comes of shared memory. It costs that memory.
     *
     * @throws RdgException if the resource is of another graph, external or of a history
     */
    public void neverAlias(RdgResource resource) {
        declaration.neverAlias(resource);
    }

    /**
     * Says that a resource may stay unused or unread, such as one that optional features share. The plan then does not
     * warn of it ({@link PlanWarning.Code#UNUSED_RESOURCE}, {@link PlanWarning.Code#NEVER_READ}). Unreal's
     * RemoveUnusedTextureWarning and RemoveUnusedBufferWarning.
     *
     * @throws RdgException if the resource is of another graph
     */
    public void mayStayUnused(RdgResource resource) {
        declaration.mayStayUnused(resource);
    }

    GraphDeclaration declaration() {
        return declaration;
    }
}
