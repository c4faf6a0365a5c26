package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.declare.DeclaredGraph.Aspect;
import io.frameloom.rdg.declare.DeclaredGraph.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph.Mode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The render targets of one pass as they are declared. Depth and stencil are planes of their own: a declaration of one
 * leaves the other alone.
 */
public final class PassTargets {
    private final PassDeclaration pass;
    private final RedeclaredList<Attachment> attachments = new RedeclaredList<>(2);

    PassTargets(PassDeclaration pass) {
        this.pass = pass;
    }

    /** Returns the attachments until now, as long as the pass is declared. */
    List<Attachment> attachments() {
        return attachments;
    }

    void clear() {
        attachments.clear();
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
        requireNoCondition();
        for (int i = attachments.size() - 1; i >= 0; i--) {
            if (attachments.get(i).aspect() == Aspect.COLOR) {
                requireUnresolved(attachments.get(i));
                int use = pass.attachment(target, range, Access.RESOLVE_DST, Mode.OVERWRITE);
                resolved(i, attachments.get(i).resolvedTo(use, null));
                return;
            }
        }
        throw new RdgException(pass.subject() + pass.suffix() + " resolves to '" + target.name()
                + "' but has no colour attachment; declare it before, or name a mode to resolve depth and stencil");
    }

    public void resolveDepthStencil(RdgTexture target, SubresourceRange range, ResolveMode mode) {
        requireNoCondition();
        boolean any = false;
        for (int i = 0; i < attachments.size(); i++) {
            Attachment attachment = attachments.get(i);
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
            List<DeclaredGraph.Use> all = pass.uses();
            DeclaredGraph.Use source = all.get(attachment.use());
            all.set(attachment.use(), source.with(Access.DEPTH_RESOLVE_SRC, source.mode()));
            resolved(i, attachment.resolvedTo(use, mode));
        }
        if (!any) {
            throw new RdgException(pass.subject() + pass.suffix() + " resolves to '" + target.name() + "' by " + mode
                    + " but has no attachment of depth or stencil; declare it before");
        }
    }

    /** What ends a render pass happens whatever is recorded in it. */
    void requireNoResolve() {
        for (Attachment attachment : attachments) {
            if (attachment.resolve() >= 0) {
                throw unconditional();
            }
        }
    }

    private void requireNoCondition() {
        if (pass.hasCondition()) {
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
        return pass.uses().get(attachment.use()).resourceName();
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
        Attachment former = attachments.former();
        Attachment attachment = former != null
                        && former.use() == use
                        && former.aspect() == aspect
                        && former.load() == load
                        && former.clear().equals(clear)
                        && Float.floatToRawIntBits(former.clearDepth()) == Float.floatToRawIntBits(clearDepth)
                        && former.clearStencil() == clearStencil
                        && former.readOnly() == readOnly
                        && former.resolve() < 0
                        && Objects.equals(former.slices(), slices)
                ? former
                : new Attachment(use, aspect, load, clear, clearDepth, clearStencil, readOnly, -1, null, slices);
        pass.noting().attachment(pass.index(), attachment);
        attachments.add(attachment);
    }

    private void resolved(int index, Attachment attachment) {
        pass.noting().resolve(pass.index(), index, attachment.resolve(), attachment.mode());
        attachments.set(index, attachment);
    }
}
