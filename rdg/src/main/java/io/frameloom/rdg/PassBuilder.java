package io.frameloom.rdg;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.RenderingInfo.ClearColor;
import io.frameloom.gpu.ResolveMode;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.compile.DeclaredGraph;
import io.frameloom.rdg.compile.DeclaredGraph.Mode;
import io.frameloom.rdg.execute.PartedBody;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of one pass; finished by {@link #record} or {@link #recordParts}. The thread that declares the graph.
 *
 * <p>A mistake in a declaration is reported by the compiler, together with all others.
 */
public final class PassBuilder {
    private final RenderGraph graph;
    private final int index;
    private final String name;
    private final PassKind kind;
    private final @Nullable String site;
    private final int scope;
    private final Set<PassFlag> flags = EnumSet.noneOf(PassFlag.class);
    private final List<DeclaredGraph.Use> uses = new ArrayList<>(4);
    private final PassTargets targets = new PassTargets(this);
    private final List<Integer> after = new ArrayList<>(0);
    private final List<RdgUniformBuffer> uniforms = new ArrayList<>(0);
    private @Nullable String component;
    private @Nullable BooleanSupplier condition;
    private @Nullable PassBody body;

    PassBuilder(
            RenderGraph graph,
            int index,
            String name,
            PassKind kind,
            @Nullable PassScope inside,
            @Nullable String site) {
        this.graph = graph;
        this.index = index;
        this.name = name;
        this.kind = kind;
        this.site = site;
        this.scope = inside == null ? -1 : inside.index();
        if (inside != null) {
            flags.addAll(inside.flags());
        }
        graph.noting().pass(index, name, kind, scope);
        if (!flags.isEmpty()) {
            flags.forEach(flag -> graph.noting().flag(index, flag));
        }
    }

    /** Declares that the pass reads all of a texture. */
    public PassBuilder reads(RdgTexture texture, Access access) {
        return use(texture, null, 0, -1, access, Mode.READ, false);
    }

    /** Declares that the pass reads a range of a texture. */
    public PassBuilder reads(RdgTexture texture, SubresourceRange range, Access access) {
        return use(texture, range, 0, -1, access, Mode.READ, false);
    }

    /** Declares that the pass reads all of a buffer. */
    public PassBuilder reads(RdgBuffer buffer, Access access) {
        return use(buffer, null, 0, -1, access, Mode.READ, false);
    }

    /** Declares that the pass reads {@code bytes} bytes of a buffer from {@code offset} on. */
    public PassBuilder reads(RdgBuffer buffer, long offset, long bytes, Access access) {
        return use(buffer, null, offset, bytes, access, Mode.READ, false);
    }

    /** Declares that the pass writes into a texture and keeps what it does not write. */
    public PassBuilder writes(RdgTexture texture, Access access) {
        return use(texture, null, 0, -1, access, Mode.WRITE, false);
    }

    /** Declares that the pass writes into a range of a texture and keeps what it does not write. */
    public PassBuilder writes(RdgTexture texture, SubresourceRange range, Access access) {
        return use(texture, range, 0, -1, access, Mode.WRITE, false);
    }

    /** Declares that the pass writes into a buffer and keeps what it does not write. */
    public PassBuilder writes(RdgBuffer buffer, Access access) {
        return use(buffer, null, 0, -1, access, Mode.WRITE, false);
    }

    /** Declares that the pass writes into {@code bytes} bytes of a buffer and keeps what it does not write. */
    public PassBuilder writes(RdgBuffer buffer, long offset, long bytes, Access access) {
        return use(buffer, null, offset, bytes, access, Mode.WRITE, false);
    }

    /**
     * Declares that the pass writes into a texture at places where no other pass of {@code group} reads or writes: the
     * passes of a group need no order and no barrier among each other.
     */
    public PassBuilder writes(RdgTexture texture, Access access, OverlapGroup group) {
        return use(texture, null, 0, -1, access, Mode.WRITE, false, group.number(graph));
    }

    /** Declares that the pass writes into a range of a texture where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgTexture texture, SubresourceRange range, Access access, OverlapGroup group) {
        return use(texture, range, 0, -1, access, Mode.WRITE, false, group.number(graph));
    }

    /** Declares that the pass writes into a buffer at places where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgBuffer buffer, Access access, OverlapGroup group) {
        return use(buffer, null, 0, -1, access, Mode.WRITE, false, group.number(graph));
    }

    /** Declares that the pass writes into bytes of a buffer where no other pass of {@code group} reads or writes. */
    public PassBuilder writes(RdgBuffer buffer, long offset, long bytes, Access access, OverlapGroup group) {
        return use(buffer, null, offset, bytes, access, Mode.WRITE, false, group.number(graph));
    }

    /** Declares that the pass writes all of a texture; earlier writers are not needed. */
    public PassBuilder overwrites(RdgTexture texture, Access access) {
        return use(texture, null, 0, -1, access, Mode.OVERWRITE, false);
    }

    /** Declares that the pass writes all of a range; earlier writers of it are not needed. */
    public PassBuilder overwrites(RdgTexture texture, SubresourceRange range, Access access) {
        return use(texture, range, 0, -1, access, Mode.OVERWRITE, false);
    }

    /** Declares that the pass writes all of a buffer; earlier writers are not needed. */
    public PassBuilder overwrites(RdgBuffer buffer, Access access) {
        return use(buffer, null, 0, -1, access, Mode.OVERWRITE, false);
    }

    /** Declares that the pass writes all of {@code bytes} bytes of a buffer; earlier writers of them are not needed. */
    public PassBuilder overwrites(RdgBuffer buffer, long offset, long bytes, Access access) {
        return use(buffer, null, offset, bytes, access, Mode.OVERWRITE, false);
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

    /**
     * Declares that the pass reads uniform buffers of the frame, which {@link PassContext#uniforms} then gives it.
     *
     * @throws RdgException if one belongs to another graph
     */
    public PassBuilder uniforms(RdgUniformBuffer... read) {
        requireOpen("uniform buffers");
        for (RdgUniformBuffer buffer : read) {
            if (buffer.graph() != graph) {
                throw new RdgException(subject() + " reads uniform buffer " + buffer.described() + " of graph '"
                        + buffer.graph().name() + "'; make one in this graph");
            }
            uniforms.add(buffer);
        }
        return this;
    }

    /**
     * Declares what the annotated components of a record name, such as {@code @Sampled RdgTexture source}: see the
     * package {@link io.frameloom.rdg.parameter}. Unreal's shader parameter structs. A component that is null is not
     * used. The record's class is looked at once, whatever the number of passes and frames.
     *
     * @throws RdgException if a component has a type that its annotation does not fit, naming record and component
     */
    public PassBuilder parameters(Record parameters) {
        ParameterLayout.of(parameters.getClass(), subject() + suffix()).declare(this, kind, parameters);
        component = null;
        return this;
    }

    /** Adds mip 0 of layer 0 as the next colour attachment. */
    public PassBuilder color(RdgTexture texture, LoadOp load, ClearColor clear) {
        return color(texture, 0, 0, load, clear);
    }

    /** Adds one mip of one layer as the next colour attachment. */
    public PassBuilder color(RdgTexture texture, int mip, int layer, LoadOp load, ClearColor clear) {
        targets.color(texture, SubresourceRange.of(mip, layer), load, clear);
        return this;
    }

    /** Adds a view of one mip as the next colour attachment; all targets have as many layers. */
    public PassBuilder color(RdgTextureView view, LoadOp load, ClearColor clear) {
        targets.color(view.texture(), view.range(), load, clear);
        return this;
    }

    /** Sets mip 0 of layer 0 as the depth attachment, written by the pass. Stencil stays as it is. */
    public PassBuilder depth(RdgTexture texture, LoadOp load, float clear) {
        return depth(texture, 0, 0, load, clear);
    }

    /** Sets one mip of one layer as the depth attachment, written by the pass. Stencil stays as it is. */
    public PassBuilder depth(RdgTexture texture, int mip, int layer, LoadOp load, float clear) {
        targets.depth(texture, SubresourceRange.of(mip, layer), load, clear);
        return this;
    }

    /** Sets a view of one mip as the depth attachment, written by the pass; all targets have as many layers. */
    public PassBuilder depth(RdgTextureView view, LoadOp load, float clear) {
        targets.depth(view.texture(), view.range(), load, clear);
        return this;
    }

    /** Sets mip 0 of layer 0 as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTexture texture) {
        return depthReadOnly(texture, 0, 0);
    }

    /** Sets one mip of one layer as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTexture texture, int mip, int layer) {
        targets.depthReadOnly(texture, SubresourceRange.of(mip, layer));
        return this;
    }

    /** Sets a view of one mip as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTextureView view) {
        targets.depthReadOnly(view.texture(), view.range());
        return this;
    }

    /**
     * Sets mip 0 of layer 0 as the stencil attachment, written by the pass. Depth stays as it is, unless the pass has a depth
     * attachment, which then is of the same texture.
     *
     * @param clear 0 to 255, used with {@link LoadOp#CLEAR}
     */
    public PassBuilder stencil(RdgTexture texture, LoadOp load, int clear) {
        targets.stencil(texture, SubresourceRange.mip(0), load, clear);
        return this;
    }

    /** Sets a view of one mip as the stencil attachment, written by the pass; all targets have as many layers. */
    public PassBuilder stencil(RdgTextureView view, LoadOp load, int clear) {
        targets.stencil(view.texture(), view.range(), load, clear);
        return this;
    }

    /** Sets mip 0 of layer 0 as the stencil attachment, tested but not written. */
    public PassBuilder stencilReadOnly(RdgTexture texture) {
        targets.stencilReadOnly(texture, SubresourceRange.mip(0));
        return this;
    }

    /** Sets a view of one mip as the stencil attachment, tested but not written. */
    public PassBuilder stencilReadOnly(RdgTextureView view) {
        targets.stencilReadOnly(view.texture(), view.range());
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
     * Resolves the samples of the colour attachment declared last to mip 0 of layer 0 at the end of the render pass: averaged,
     * or sample 0 of integers. All of the target is overwritten.
     *
     * @throws RdgException if the pass has no colour attachment, has resolved it already, or has a condition
     */
    public PassBuilder resolve(RdgTexture target) {
        targets.resolveColor(target, SubresourceRange.mip(0));
        return this;
    }

    /** Resolves the samples of the colour attachment declared last to a view of one mip, as {@link #resolve(RdgTexture)}. */
    public PassBuilder resolve(RdgTextureView target) {
        targets.resolveColor(target.texture(), target.range());
        return this;
    }

    /**
     * Resolves the samples of the attachments of depth and stencil, or of the one that the pass has, to mip 0 of layer 0 at the
     * end of the render pass.
     *
     * @throws RdgException if the pass has neither, only tests them, has resolved them already, or has a condition
     */
    public PassBuilder resolve(RdgTexture target, ResolveMode mode) {
        targets.resolveDepthStencil(target, SubresourceRange.mip(0), mode);
        return this;
    }

    /** Resolves depth and stencil to a view of one mip, as {@link #resolve(RdgTexture, ResolveMode)}. */
    public PassBuilder resolve(RdgTextureView target, ResolveMode mode) {
        targets.resolveDepthStencil(target.texture(), target.range(), mode);
        return this;
    }

    /**
     * Declares that the pass comes after another one whatever the two use.
     *
     * @throws RdgException if the other pass belongs to another graph or is this one
     */
    public PassBuilder after(PassBuilder earlier) {
        if (earlier.graph != graph || earlier == this) {
            throw new RdgException("pass '" + name + "' of graph '" + graph.name() + "' cannot come after pass '"
                    + earlier.name + "' of graph '" + earlier.graph.name() + "': name another pass of the same graph");
        }
        graph.noting().after(index, earlier.index);
        after.add(earlier.index);
        return this;
    }

    /**
     * Lets the pass be left out in frames for which {@code holds} is false. It is asked once when a frame is executed, by
     * the thread that executes it and for all passes with the same object, unless all of them are culled; what it throws
     * fails the frame. Barriers, waits and memory stay as they are, and what the pass writes it does not discard: skipped,
     * it leaves what was there before. Targets that it clears are cleared only if it runs. A transient, or the half of a
     * history that the frame writes, has no contents where nothing but such passes writes it and they are skipped: what
     * reads it takes the same condition object, otherwise the plan has the warning
     * {@link PlanWarning.Code#CONDITIONAL_CONTENTS}.
     *
     * @throws RdgException if the pass has a condition already, or resolves targets, which happens whatever it records
     */
    public PassBuilder onlyIf(BooleanSupplier holds) {
        requireOpen("a condition");
        if (condition != null) {
            throw new RdgException(subject() + suffix() + " has a condition already; join the two");
        }
        targets.requireNoResolve();
        graph.noting().condition(index);
        condition = holds;
        return this;
    }

    /** Sets flags; flags set before stay. */
    public PassBuilder flag(PassFlag... more) {
        flags.addAll(List.of(more));
        for (PassFlag flag : more) {
            graph.noting().flag(index, flag);
        }
        return this;
    }

    /**
     * Gives the pass a body that is recorded in parts, each into a command list of its own, in parallel; the device sees
     * them in order. A raster pass of this kind shares its render pass with no other. Unreal's dispatch pass.
     *
     * @param parts number of parts, at least 1
     * @throws RdgException if the pass has a body already, a condition, or begins render passes itself
     */
    public void recordParts(int parts, PartBody commands) {
        if (parts < 1 || condition != null || flags.contains(PassFlag.SKIP_RENDER_PASS)) {
            throw new RdgException(subject() + suffix() + " cannot be recorded in " + parts + " parts: "
                    + (parts < 1
                            ? "name 1 or more"
                            : condition != null
                                    ? "it has a condition; let its parts record nothing instead"
                                    : "it begins its render passes itself; remove SKIP_RENDER_PASS"));
        }
        flag(PassFlag.NEVER_MERGE);
        record(new PartedBody(name, parts, commands));
    }

    /**
     * Gives the pass its body and ends its declaration.
     *
     * @throws RdgException if the pass has a body already
     */
    public void record(PassBody commands) {
        if (body != null) {
            throw new RdgException("pass '" + name + "' of graph '" + graph.name()
                    + "' has a body already: call record once, or add another pass");
        }
        graph.noting().body(index, commands instanceof PartedBody parted ? parted.parts() : 0);
        body = commands;
        graph.recorded(index);
    }

    /** Returns the commands with the condition around them, or null if there are none. */
    @Nullable
    PassBody body() {
        return condition == null || body == null ? body : conditional(condition, body);
    }

    List<RdgUniformBuffer> uniforms() {
        return uniforms;
    }

    DeclaredGraph.Pass declared() {
        boolean conditional = condition != null;
        return new DeclaredGraph.Pass(
                index,
                name,
                kind,
                -1,
                flags.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(flags)),
                conditional ? ConditionalBody.keeping(uses) : List.copyOf(uses),
                conditional ? ConditionalBody.loading(targets.attachments()) : copy(targets.attachments()),
                copy(after),
                body(),
                site,
                scope,
                copy(uniforms));
    }

    /** Most passes have none. */
    private static <T> List<T> copy(List<T> list) {
        return list.isEmpty() ? List.of() : List.copyOf(list);
    }

    /** A pass that begins its render passes itself clears its targets itself. */
    private PassBody conditional(BooleanSupplier holds, PassBody commands) {
        boolean ownRendering = flags.contains(PassFlag.SKIP_RENDER_PASS);
        return new ConditionalBody(holds, ownRendering ? List.of() : targets.attachments(), commands);
    }

    String name() {
        return name;
    }

    /** Names the component of a record that the next uses come from, for messages. */
    void component(String from) {
        component = from;
    }

    String subject() {
        return "pass '" + name + "' of graph '" + graph.name() + "'";
    }

    String suffix() {
        return DeclarationSite.suffix(site);
    }

    private void requireOpen(String what) {
        if (body != null) {
            throw new RdgException(subject() + suffix() + " gets " + what
                    + " after its declaration has ended: declare everything before record");
        }
    }

    /** A passthrough resource is not tracked, so nothing may change it or its layout. */
    private void requirePassthrough(RdgResource resource, Access access) {
        TextureLayout stays = resource.passthrough();
        boolean fits = !access.writes() && (resource instanceof RdgBuffer || access.layout() == stays);
        if (stays != null && !fits) {
            throw new RdgException(subject() + suffix() + " declares " + access + " of '" + resource.name() + "'"
                    + graph.siteOf(resource) + ", a passthrough resource that is read in layout " + stays
                    + " and not tracked; register it as an external");
        }
    }

    private PassBuilder use(
            RdgResource resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            Mode mode,
            boolean attachment) {
        return use(resource, range, offset, bytes, access, mode, attachment, -1);
    }

    private PassBuilder use(
            RdgResource resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            Mode mode,
            boolean attachment,
            int overlap) {
        if (body != null) {
            throw new RdgException("pass '" + name + "' of graph '" + graph.name() + "' uses '" + resource.name()
                    + "' after its declaration has ended: declare uses before record");
        }
        int resourceIndex = resource.graph() == graph ? resource.index() : -1;
        if (resourceIndex >= 0 && resource.passthrough() != null) {
            requirePassthrough(resource, access);
        }
        DeclaredGraph.Use use = new DeclaredGraph.Use(
                resourceIndex,
                resource.name(),
                range,
                offset,
                bytes,
                access,
                mode,
                attachment,
                overlap,
                component == null ? graph.site() : component);
        graph.noting().use(index, use);
        uses.add(use);
        return this;
    }

    /** Declares a use of an attachment; returns its index. */
    int attach(RdgTexture texture, SubresourceRange range, Access access, Mode mode) {
        use(texture, range, 0, -1, access, mode, true);
        return uses.size() - 1;
    }

    /** Returns the uses declared so far. */
    List<DeclaredGraph.Use> uses() {
        return uses;
    }

    boolean hasCondition() {
        return condition != null;
    }

    RenderGraph graph() {
        return graph;
    }

    int index() {
        return index;
    }
}
