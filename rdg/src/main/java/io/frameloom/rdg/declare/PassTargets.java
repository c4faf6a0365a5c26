package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderTargets;
import org.jspecify.annotations.Nullable;

/**
 * The render targets of one pass as they are declared. Depth and stencil are planes of their own: a declaration of one
 * leaves the other alone.
 */
public final class PassTargets {
    private final PassDeclaration pass;

    PassTargets(PassDeclaration pass) {
        this.pass = pass;
    }

    private int first() {
        return graph().firstAttachment(pass.index());
    }

    private int end() {
        return graph().firstAttachment(pass.index() + 1);
    }

    private DeclaredGraph graph() {
        return pass.declared();
    }

    public void color(RdgTexture texture, SubresourceRange range, LoadOp load, ClearColor clear) {
        color(texture, range, null, load, clear);
    }

    /** Slices are of one mip, which is used as a whole: there are no layouts of slices. */
    public void color(
            RdgTexture texture,
            SubresourceRange range,
            RenderTargets.@Nullable Slices slices,
            LoadOp load,
            ClearColor clear) {
        boolean loads = load == LoadOp.LOAD;
        int use = pass.attachment(texture, range, loads ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE, mode(load));
        add(use, Aspect.COLOR, load, clear, 0, 0, false, slices);
    }

    public void depth(RdgTexture texture, SubresourceRange range, LoadOp load, float clear) {
        boolean loads = load == LoadOp.LOAD;
        Access access = loads ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE;
        depth(pass.attachment(texture, range.plane(0), access, mode(load)), load, clear, false);
    }

    public void depthReadOnly(RdgTexture texture, SubresourceRange range) {
        int use = pass.attachment(texture, range.plane(0), Access.DEPTH_READ, Mode.READ);
        depth(use, LoadOp.LOAD, 0, true);
    }

    private void depth(int use, LoadOp load, float clear, boolean readOnly) {
        add(use, Aspect.DEPTH, load, ClearColor.BLACK_TRANSPARENT, clear, 0, readOnly, null);
    }

    public void stencil(RdgTexture texture, SubresourceRange range, LoadOp load, int clear) {
        boolean loads = load == LoadOp.LOAD;
        Access access = loads ? Access.STENCIL_READ_WRITE : Access.STENCIL_WRITE;
        stencil(pass.attachment(texture, stencilOf(texture, range), access, mode(load)), load, clear, false);
    }

    public void stencilReadOnly(RdgTexture texture, SubresourceRange range) {
        int use = pass.attachment(texture, stencilOf(texture, range), Access.STENCIL_READ, Mode.READ);
        stencil(use, LoadOp.LOAD, 0, true);
    }

    private void stencil(int use, LoadOp load, int clear, boolean readOnly) {
        add(use, Aspect.STENCIL, load, ClearColor.BLACK_TRANSPARENT, 0, clear, readOnly, null);
    }

    public void resolveColor(RdgTexture target, SubresourceRange range) {
        pass.requireOfThisFrame();
        requireNoCondition();
        for (int a = end() - 1, first = first(); a >= first; a--) {
            Attachment attachment = graph().attachment(a);
            if (attachment.aspect() == Aspect.COLOR) {
                requireUnresolved(attachment);
                int use = pass.attachment(target, range, Access.RESOLVE_DST, Mode.OVERWRITE);
                graph().resolve(a, use, null);
                return;
            }
        }
        throw new RdgException(pass.subject() + pass.suffix() + " resolves to '" + target.name()
                + "' but has no colour attachment; declare it before, or name a mode to resolve depth and stencil");
    }

    public void resolveDepthStencil(RdgTexture target, SubresourceRange range, ResolveMode mode) {
        pass.requireOfThisFrame();
        requireNoCondition();
        boolean any = false;
        for (int a = first(), end = end(); a < end; a++) {
            Attachment attachment = graph().attachment(a);
            if (attachment.aspect() == Aspect.COLOR) {
                continue;
            }
            any = true;
            requireUnresolved(attachment);
            if (attachment.readOnly()) {
                throw new RdgException(pass.subject() + pass.suffix() + " resolves '" + name(attachment)
                        + "', which it only tests; resolve it in the pass that writes it");
            }
            SubresourceRange plane = attachment.aspect() == Aspect.DEPTH ? range.plane(0) : stencilOf(target, range);
            int use = pass.attachment(target, plane, Access.DEPTH_RESOLVE_DST, Mode.OVERWRITE);
            int source = graph().useOf(pass.index(), attachment);
            graph().setAccess(source, Access.DEPTH_RESOLVE_SRC, graph().mode(source));
            graph().resolve(a, use, mode);
        }
        if (!any) {
            throw new RdgException(pass.subject() + pass.suffix() + " resolves to '" + target.name() + "' by " + mode
                    + " but has no attachment of depth or stencil; declare it before");
        }
    }

    /** What ends a render pass happens whatever is recorded in it. */
    void requireNoResolve() {
        for (int a = first(), end = end(); a < end; a++) {
            if (graph().attachment(a).resolve() >= 0) {
                throw unconditional();
            }
        }
    }

    private void requireNoCondition() {
        if (graph().isConditional(pass.index())) {
            throw unconditional();
        }
    }

    private RdgException unconditional() {
        return new RdgException(
                pass.subject() + pass.suffix() + " has a condition and resolves targets, which would happen"
                        + " even in frames without it; resolve in a pass of its own");
    }

    private void requireUnresolved(Attachment attachment) {
        if (attachment.resolve() >= 0) {
            throw new RdgException(
                    pass.subject() + pass.suffix() + " resolves '" + name(attachment) + "' twice; name one target");
        }
    }

    private String name(Attachment attachment) {
        return graph().resourceName(graph().useOf(pass.index(), attachment));
    }

    private static Mode mode(LoadOp load) {
        return load == LoadOp.LOAD ? Mode.WRITE : Mode.OVERWRITE;
    }

    /** Stencil is the last plane: of a texture without depth, the only one. */
    private static SubresourceRange stencilOf(RdgTexture texture, SubresourceRange range) {
        return range.plane(texture.description().format().planes() - 1);
    }

    /** Adds an attachment that is not resolved. */
    private void add(
            int use,
            Aspect aspect,
            LoadOp load,
            ClearColor clear,
            float clearDepth,
            int clearStencil,
            boolean readOnly,
            RenderTargets.@Nullable Slices slices) {
        graph().addAttachment(pass.index(), use, aspect, load, clear, clearDepth, clearStencil, readOnly, slices);
    }
}
