package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.rdg.declare.Mode;
import io.frameloom.rdg.declare.ParameterLayout;
import io.frameloom.rdg.declare.PassDeclaration;
import io.frameloom.rdg.diagnostics.PlanWarning;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * The declaration of one pass; finished by {@link #record}, {@link #recordParts}, {@link #recordNative} or
 * {@link #run}. The thread that
 * declares the graph.
 *
 * <p>A mistake in a declaration is reported by the compiler, together with all others.
 */
public final class PassBuilder {
    private final RenderGraph graph;
    private final PassDeclaration pass;

    PassBuilder(RenderGraph graph, PassDeclaration pass) {
        this.graph = graph;
        this.pass = pass;
    }

    /**
     * Declares that the pass reads all of a texture: of a format with depth and stencil, both. {@code
     * reads(depthStencil, range.plane(0), access)} is of depth alone.
     */
    public PassBuilder reads(RdgTexture texture, Access access) {
        pass.use(texture, null, access, Mode.READ, -1);
        return this;
    }

    /** Declares that the pass reads a range of a texture. */
    public PassBuilder reads(RdgTexture texture, SubresourceRange range, Access access) {
        pass.require(range, "range");
        pass.use(texture, range, access, Mode.READ, -1);
        return this;
    }

    /** Declares that the pass reads all of a buffer. */
    public PassBuilder reads(RdgBuffer buffer, Access access) {
        pass.use(buffer, 0, -1, access, Mode.READ, -1);
        return this;
    }

    /** Declares that the pass reads {@code bytes} bytes of a buffer from {@code offset} on. */
    public PassBuilder reads(RdgBuffer buffer, long offset, long bytes, Access access) {
        pass.use(buffer, offset, bytes, access, Mode.READ, -1);
        return this;
    }

    /** Declares that the pass writes into a texture and keeps what it does not write. */
    public PassBuilder writes(RdgTexture texture, Access access) {
        pass.use(texture, null, access, Mode.WRITE, -1);
        return this;
    }

    /** Declares that the pass writes into a range of a texture and keeps what it does not write. */
    public PassBuilder writes(RdgTexture texture, SubresourceRange range, Access access) {
        pass.require(range, "range");
        pass.use(texture, range, access, Mode.WRITE, -1);
        return this;
    }

    /** Declares that the pass writes into a buffer and keeps what it does not write. */
    public PassBuilder writes(RdgBuffer buffer, Access access) {
        pass.use(buffer, 0, -1, access, Mode.WRITE, -1);
        return this;
    }

    /** Declares that the pass writes into {@code bytes} bytes of a buffer and keeps what it does not write. */
    public PassBuilder writes(RdgBuffer buffer, long offset, long bytes, Access access) {
        pass.use(buffer, offset, bytes, access, Mode.WRITE, -1);
        return this;
    }

    /**
     * Declares that the pass writes into a texture at places where no other pass of {@code group} reads or writes. So
     * the passes of a group need no order and no barrier among each other.
     */
    public PassBuilder writes(RdgTexture texture, Access access, OverlapGroup group) {
        pass.use(texture, null, access, Mode.WRITE, group.number(graph));
        return this;
    }

    /** Declares that the pass writes into a range of a texture where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgTexture texture, SubresourceRange range, Access access, OverlapGroup group) {
        pass.require(range, "range");
        pass.use(texture, range, access, Mode.WRITE, group.number(graph));
        return this;
    }

    /** Declares that the pass writes into a buffer at places where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgBuffer buffer, Access access, OverlapGroup group) {
        pass.use(buffer, 0, -1, access, Mode.WRITE, group.number(graph));
        return this;
    }

    /** Declares that the pass writes into bytes of a buffer where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgBuffer buffer, long offset, long bytes, Access access, OverlapGroup group) {
        pass.use(buffer, offset, bytes, access, Mode.WRITE, group.number(graph));
        return this;
    }

    /** Declares that the pass writes all of a texture; earlier writers are not needed. */
    public PassBuilder overwrites(RdgTexture texture, Access access) {
        pass.use(texture, null, access, Mode.OVERWRITE, -1);
        return this;
    }

    /** Declares that the pass writes all of a range; earlier writers of it are not needed. */
    public PassBuilder overwrites(RdgTexture texture, SubresourceRange range, Access access) {
        pass.require(range, "range");
        pass.use(texture, range, access, Mode.OVERWRITE, -1);
        return this;
    }

    /** Declares that the pass writes all of a buffer; earlier writers are not needed. */
    public PassBuilder overwrites(RdgBuffer buffer, Access access) {
        pass.use(buffer, 0, -1, access, Mode.OVERWRITE, -1);
        return this;
    }

    /** Declares that the pass writes all of {@code bytes} bytes of a buffer; earlier writers of them are not needed. */
    public PassBuilder overwrites(RdgBuffer buffer, long offset, long bytes, Access access) {
        pass.use(buffer, offset, bytes, access, Mode.OVERWRITE, -1);
        return this;
    }

    /** Declares that the pass reads the range of a view. */
    public PassBuilder reads(RdgTextureView view, Access access) {
        return reads(view.texture(), view.range(), access);
    }

    /** Declares that the pass reads the range of a view. */
    public PassBuilder reads(RdgBufferView view, Access access) {
        return reads(view.buffer(), view.offset(), view.bytes(), access);
    }

    /** Declares that the pass writes into the range of a view and keeps what it does not write. */
    public PassBuilder writes(RdgTextureView view, Access access) {
        return writes(view.texture(), view.range(), access);
    }

    /** Declares that the pass writes into the range of a view and keeps what it does not write. */
    public PassBuilder writes(RdgBufferView view, Access access) {
        return writes(view.buffer(), view.offset(), view.bytes(), access);
    }

    /** Declares that the pass writes all of the range of a view; earlier writers of it are not needed. */
    public PassBuilder overwrites(RdgTextureView view, Access access) {
        return overwrites(view.texture(), view.range(), access);
    }

    /** Declares that the pass writes all of the range of a view; earlier writers of it are not needed. */
    public PassBuilder overwrites(RdgBufferView view, Access access) {
        return overwrites(view.buffer(), view.offset(), view.bytes(), access);
    }

    /** Adds mip 0 of layer 0 as the next colour attachment. */
    public PassBuilder color(RdgTexture texture, LoadOp load, ClearColor clear) {
        return color(texture, 0, 0, load, clear);
    }

    /** Adds one mip of one layer as the next colour attachment. */
    public PassBuilder color(RdgTexture texture, int mip, int layer, LoadOp load, ClearColor clear) {
        pass.color(texture, SubresourceRange.of(mip, layer), null, load, clear);
        return this;
    }

    /**
     * Adds slices of one mip of a texture of three dimensions as the next colour attachment. Each slice is a layer to
     * render to; all targets have as many. What the pass does not render to stays. Slices share one layout, so passes
     * that render to different slices of a mip are in order.
     *
     * @throws RdgException if the texture has not three dimensions
     */
    public PassBuilder colorSlices(
            RdgTexture volume, int mip, int firstSlice, int slices, LoadOp load, ClearColor clear) {
        if (volume.description().kind() != TextureKind.THREE_D) {
            throw new RdgException(pass.subject() + pass.suffix() + " attaches slices of '" + volume.name() + "'"
                    + graph.declaration().siteSuffix(volume) + ", which is "
                    + volume.description().kind()
                    + "; attach layers by color, or give it a depth");
        }
        RenderTargets.Slices attached = new RenderTargets.Slices(firstSlice, slices);
        pass.color(volume, SubresourceRange.mip(mip), attached, load, clear);
        return this;
    }

    /** Adds a view of one mip as the next colour attachment; all targets have as many layers. */
    public PassBuilder color(RdgTextureView view, LoadOp load, ClearColor clear) {
        pass.color(view.texture(), view.range(), null, load, clear);
        return this;
    }

    /**
     * Adds mip 0 of layer 0 as the next colour attachment, which the pass does not write: its fragment shaders read it
     * at the pixel that they draw, as {@code subpassInput} ({@link Access#INPUT_ATTACHMENT}). Depth is read likewise by
     * {@link #depthReadOnly(RdgTexture)} and {@code reads(depth, Access.INPUT_ATTACHMENT)}.
     *
     * <p>If the pass before has the same attachments, both share a render pass, and a barrier by region lies between
     * them: what that pass has drawn is read on the tile and need not reach memory. Otherwise the attachments are loaded
     * again, with the same picture. So pipelines need not know which of the two it is.
     *
     * <p>It takes {@link io.frameloom.gpu.Capability#DYNAMIC_RENDERING_LOCAL_READ}. A device without it refuses the
     * graph ({@link RdgError.Code#UNSUPPORTED}), since its shaders cannot have a {@code subpassInput}: there, sample the
     * texture in a pass with other attachments ({@link Access#SAMPLED_FRAGMENT}) by another shader.
     */
    public PassBuilder colorInput(RdgTexture texture) {
        pass.colorInput(texture, SubresourceRange.of(0, 0));
        return this;
    }

    /** Adds a view of one mip as the next colour attachment, which the pass reads as {@link #colorInput(RdgTexture)}. */
    public PassBuilder colorInput(RdgTextureView view) {
        Objects.requireNonNull(view, "view must not be null");
        pass.colorInput(view.texture(), view.range());
        return this;
    }

    /** Sets mip 0 of layer 0 as the depth attachment, written by the pass. Stencil stays as it is. */
    public PassBuilder depth(RdgTexture texture, LoadOp load, float clear) {
        return depth(texture, 0, 0, load, clear);
    }

    /** Sets one mip of one layer as the depth attachment, written by the pass. Stencil stays as it is. */
    public PassBuilder depth(RdgTexture texture, int mip, int layer, LoadOp load, float clear) {
        pass.depth(texture, SubresourceRange.of(mip, layer), load, clear);
        return this;
    }

    /** Sets a view of one mip as the depth attachment, written by the pass; all targets have as many layers. */
    public PassBuilder depth(RdgTextureView view, LoadOp load, float clear) {
        pass.depth(view.texture(), view.range(), load, clear);
        return this;
    }

    /** Sets mip 0 of layer 0 as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTexture texture) {
        return depthReadOnly(texture, 0, 0);
    }

    /** Sets one mip of one layer as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTexture texture, int mip, int layer) {
        pass.depthReadOnly(texture, SubresourceRange.of(mip, layer));
        return this;
    }

    /** Sets a view of one mip as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTextureView view) {
        pass.depthReadOnly(view.texture(), view.range());
        return this;
    }

    /**
     * Sets mip 0 of layer 0 as the stencil attachment, written by the pass. Depth stays as it is, unless the pass has a
     * depth attachment, which then is of the same texture.
     *
     * @param clear 0 to 255, used with {@link LoadOp#CLEAR}
     */
    public PassBuilder stencil(RdgTexture texture, LoadOp load, int clear) {
        pass.stencil(texture, SubresourceRange.mip(0), load, clear);
        return this;
    }

    /** Sets a view of one mip as the stencil attachment, written by the pass; all targets have as many layers. */
    public PassBuilder stencil(RdgTextureView view, LoadOp load, int clear) {
        pass.stencil(view.texture(), view.range(), load, clear);
        return this;
    }

    /** Sets mip 0 of layer 0 as the stencil attachment, tested but not written. */
    public PassBuilder stencilReadOnly(RdgTexture texture) {
        pass.stencilReadOnly(texture, SubresourceRange.mip(0));
        return this;
    }

    /** Sets a view of one mip as the stencil attachment, tested but not written. */
    public PassBuilder stencilReadOnly(RdgTextureView view) {
        pass.stencilReadOnly(view.texture(), view.range());
        return this;
    }

    /** Sets mip 0 of layer 0 as the depth and the stencil attachment, both written by the pass. */
    public PassBuilder depthStencil(RdgTexture texture, LoadOp load, float clearDepth, int clearStencil) {
        return depth(texture, load, clearDepth).stencil(texture, load, clearStencil);
    }

    /** Sets a view of one mip as the depth and the stencil attachment, both written by the pass. */
    public PassBuilder depthStencil(RdgTextureView view, LoadOp load, float clearDepth, int clearStencil) {
        return depth(view, load, clearDepth).stencil(view, load, clearStencil);
    }

    /** Sets mip 0 of layer 0 as the depth and the stencil attachment, both tested but not written. */
    public PassBuilder depthStencilReadOnly(RdgTexture texture) {
        return depthReadOnly(texture).stencilReadOnly(texture);
    }

    /**
     * Resolves the samples of the colour attachment declared last to mip 0 of layer 0, at the end of the render pass.
     * They are averaged; of integers sample 0 is taken. All of the target is overwritten.
     *
     * @throws RdgException if the pass has no colour attachment, has resolved it already, or has a condition
     */
    public PassBuilder resolve(RdgTexture target) {
        pass.resolveColor(target, SubresourceRange.mip(0));
        return this;
    }

    /**
     * Resolves the samples of the colour attachment declared last to a view of one mip, as {@link
     * #resolve(RdgTexture)}.
     */
    public PassBuilder resolve(RdgTextureView target) {
        pass.resolveColor(target.texture(), target.range());
        return this;
    }

    /**
     * Resolves the samples of the depth and stencil attachments that the pass has to mip 0 of layer 0, at the end of
     * the render pass.
     *
     * @throws RdgException if the pass has neither, only tests them, has resolved them already, or has a condition
     */
    public PassBuilder resolve(RdgTexture target, ResolveMode mode) {
        pass.resolveDepthStencil(target, SubresourceRange.mip(0), mode);
        return this;
    }

    /** Resolves depth and stencil to a view of one mip, as {@link #resolve(RdgTexture, ResolveMode)}. */
    public PassBuilder resolve(RdgTextureView target, ResolveMode mode) {
        pass.resolveDepthStencil(target.texture(), target.range(), mode);
        return this;
    }

    /**
     * Limits what a raster pass renders to. Loads, clears, draws, resolves and stores touch no texel of its targets
     * outside of the area, so these texels stay. Passes of different areas share no render pass.
     *
     * @param x left edge in texels
     * @param y upper edge in texels
     * @throws RdgException if the area is empty or begins outside of all targets, or if the pass has one already or is
     *     no raster pass
     */
    public PassBuilder renderArea(int x, int y, int width, int height) {
        pass.renderArea(x, y, width, height);
        return this;
    }

    /**
     * Declares that the pass reads uniform buffers of the frame, which {@link PassContext#uniforms} then gives it.
     *
     * @throws RdgException if one belongs to another graph
     */
    public PassBuilder uniforms(RdgUniformBuffer... read) {
        pass.requireOpen("uniform buffers");
        if (pass.kind() == PassKind.HOST) {
            throw new RdgException(pass.subject() + pass.suffix()
                    + " is a HOST pass, which binds nothing; let its body use what the"
                    + " contents of the uniform buffers come from");
        }
        for (RdgUniformBuffer buffer : read) {
            if (buffer.graph() != graph || buffer.frame() != graph.frame()) {
                throw new RdgException(pass.subject() + " reads uniform buffer " + buffer.described() + " of "
                        + graph.foreign(buffer.graph()) + "; make one in this graph");
            }
            pass.uniform(buffer);
        }
        return this;
    }

    /**
     * Declares that shaders of the pass take numbers of a bindless table. It is bound when the body begins, and each
     * part of a body, as if that called {@link CommandList#bindTable}; other passes do not see it.
     *
     * <p>The graph does not know which slots they take. So the pass declares its uses of what the graph changes, as if
     * it were bound: {@code reads(shadowMap, Access.SAMPLED_FRAGMENT)}; barriers and layouts follow from that alone.
     * What is only read, such as textures that were uploaded before, needs no declaration. On the virtual GPU a hazard
     * checker finds what kernels take too early, or of a freed slot.
     *
     * @throws RdgException if the pass has a table already, is a copy or a pass of the host, or gets native commands. A
     *     table that is closed, or of another device, fails the frame
     */
    public PassBuilder readsTable(BindlessTable table) {
        pass.readsTable(table);
        return this;
    }

    /**
     * Declares that a raster pass counts queries, whose results overwrite a buffer when its render pass ends: {@link
     * QueryKind#bytes} for each. The body begins and ends them, by the set that {@link PassContext#queries} gives it
     * and numbers from 0 on. Those that it does not begin give 0, and so do all of a pass that is left out.
     *
     * <p>The buffer is then read as any other, by shaders or by the host. The pass writes it by {@link
     * CommandList#copyQueries}, a use as {@link Access#COPY_DST}.
     *
     * @throws RdgException if the pass is of another kind, the buffer is not as large as 1 to 65,536 results, or
     *     {@code record} finds that the pass uses these bytes otherwise. A device that cannot count the kind refuses the
     *     plan
     */
    public PassBuilder counts(QueryKind kind, RdgBuffer results) {
        Objects.requireNonNull(results, "results must not be null");
        pass.count(kind, results, 0, results.description().bytes());
        return this;
    }

    /** Declares that a raster pass counts queries into the range of a view, as {@link #counts(QueryKind, RdgBuffer)}. */
    public PassBuilder counts(QueryKind kind, RdgBufferView results) {
        Objects.requireNonNull(results, "results must not be null");
        pass.count(kind, results.buffer(), results.offset(), results.bytes());
        return this;
    }

    /**
     * Declares what the annotated components of a record name, such as {@code @Sampled RdgTexture source}: see the
     * package {@link io.frameloom.rdg.parameter}. Unreal's shader parameter structs. A component that is null is not
     * used. The record's class is read once, whatever the number of passes and frames.
     *
     * @throws RdgException if a component has a type that its annotation does not fit, naming record and component
     */
    public PassBuilder parameters(Record parameters) {
        ParameterLayout.of(parameters.getClass(), pass.subject() + pass.suffix())
                .declare(this, pass, parameters);
        pass.component(null);
        return this;
    }

    /**
     * Declares that the pass comes after another one, whatever the two use. Such orders are transitive, also through
     * passes that are culled. They keep no pass from being culled.
     *
     * @throws RdgException if the other pass belongs to another graph or is this one
     */
    public PassBuilder after(PassBuilder earlier) {
        pass.after(earlier.pass);
        return this;
    }

    /**
     * Declares that the pass is recorded after setup tasks of the graph, whose results its body takes.
     *
     * @throws RdgException if one belongs to another graph
     */
    public PassBuilder after(RdgSetupTask... tasks) {
        pass.requireOpen("setup tasks");
        for (RdgSetupTask task : tasks) {
            if (task.graph() != graph || task.frame() != graph.frame()) {
                throw new RdgException(pass.subject() + pass.suffix() + " waits for setup task " + task + " of "
                        + graph.foreign(task.graph()) + "; start one in this graph");
            }
            pass.after(task);
        }
        return this;
    }

    /**
     * Lets the pass be left out in frames for which {@code holds} is false. {@link FrameExecutor#execute} asks it once
     * for each frame, on its thread, before anything of the frame is recorded. The answer holds for all passes with the
     * same object; if all of these are culled, it is not asked. What it throws fails the frame. It does not wait for
     * setup tasks, not even those of its own pass, since the answer chooses the half of a history that the next frame
     * reads. So what a condition needs of {@link RdgSetupTask#event} must be complete by then, or it sees what the
     * former frame has left. What only a setup task decides, the body finds out by itself and records nothing.
     *
     * <p>Barriers, waits and memory of a pass that is left out stay as they are; nothing else of it is recorded. It
     * leaves what was there before, so a transient that it writes shares no memory. If it runs it begins its targets as
     * they are declared, cleared or not loaded. A transient, or the half of a history that the frame writes, has no
     * contents where only such passes write it and they are skipped. So give passes that read it the same condition
     * object, otherwise the plan has the warning {@link PlanWarning.Code#CONDITIONAL_CONTENTS}.
     *
     * @throws RdgException if the pass has a condition already, or resolves targets, which happens whatever it records
     */
    public PassBuilder onlyIf(BooleanSupplier holds) {
        pass.onlyIf(holds);
        return this;
    }

    /**
     * Names the queue that the pass runs on, in place of {@link PassFlag#ASYNC_COMPUTE} and {@link
     * PassFlag#ASYNC_COPY}, for which the compiler chooses one. The compiler refuses a queue that is not there or
     * cannot execute the kind of pass, so ask the device: {@link
     * io.frameloom.gpu.GpuDevice#queues(io.frameloom.gpu.command.QueueKind)}. It refuses a queue that does no graphics
     * also for copies from buffers to textures of depth or stencil. With {@link AsyncCompute#OFF} compute passes still
     * stand on the graphics queue; others do not.
     *
     * @param number position in {@link QueueTopology#queues}, {@link io.frameloom.gpu.command.GpuQueue#index}; 0 for
     *     graphics
     * @throws RdgException if the number is negative or the pass names another queue already, or in immediate mode has
     *     run
     */
    public PassBuilder onQueue(int number) {
        pass.onQueue(number);
        return this;
    }

    /**
     * Sets flags, also after {@link #record}; flags set before stay.
     *
     * @throws RdgException in immediate mode, if the pass has run
     */
    public PassBuilder flag(PassFlag... more) {
        for (PassFlag each : more) {
            pass.flag(each);
        }
        return this;
    }

    /** Sets one flag, as {@link #flag(PassFlag...)}. */
    public PassBuilder flag(PassFlag one) {
        pass.flag(one);
        return this;
    }

    /**
     * Gives the pass a body that is recorded in parts, in parallel, each into a command list of its own. The device
     * sees them in order. A raster pass of this kind shares its render pass with no other. Unreal's dispatch pass.
     *
     * @param parts number of parts, at least 1
     * @throws RdgException if the pass has a body already, a condition, begins render passes itself, or is a pass of
     *     the host
     */
    public void recordParts(int parts, PartBody commands) {
        pass.recordParts(parts, commands);
    }

    /**
     * Gives the pass its body and ends its declaration.
     *
     * @throws RdgException if the pass has a body already, or is a pass of the host
     */
    public void record(PassBody commands) {
        pass.record(commands);
    }

    /**
     * Gives the pass a body that records into the VkCommandBuffer itself, and ends its declaration. Otherwise it is a
     * pass like others, with a {@link PassBody}: barriers, layouts and memory follow from what it declares, and its
     * context resolves that. {@link io.frameloom.gpu.vulkan.VulkanHandles} has the Vulkan objects of a device.
     *
     * <p>A raster pass is in the render pass of its targets, by dynamic rendering. Viewport and scissor are the render
     * area. Its pipelines have the formats and samples of the targets. It may share that render pass with other
     * passes, so the body does not end it. With {@link PassFlag#SKIP_RENDER_PASS} the body begins and ends its own. It
     * leaves declared resources in the layouts of their uses. {@link PassContext#commands} takes no command meanwhile.
     * Only validation layers look at the commands.
     *
     * <p>Only a Vulkan device executes the pass: on another one {@link FrameExecutor#execute} refuses the plan, unless
     * the pass is culled. To mix such commands with those of a list, call {@link
     * io.frameloom.gpu.vulkan.VulkanHandles#recordNative} in the body of another pass.
     *
     * @param commands the body: called as {@link PassBody#record}, with a command buffer that must not be used when it
     *     has returned
     * @throws RdgException if the pass has a body already, or is a pass of the host; in immediate mode also if the
     *     device is none of Vulkan
     */
    public void recordNative(BiConsumer<? super VkCommandBuffer, ? super PassContext> commands) {
        pass.recordNative(commands);
    }

    /**
     * Gives a pass of {@link PassKind#HOST} its body and ends its declaration: see {@link RenderGraph#hostPass}.
     *
     * @throws RdgException if the pass has a body already, or is of another kind
     */
    public void run(HostBody work) {
        pass.run(work);
    }
}
