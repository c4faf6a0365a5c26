package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.declare.DeclaredGraph.Aspect;
import io.frameloom.rdg.declare.DeclaredGraph.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph.Mode;
import io.frameloom.rdg.declare.DeclaredGraph.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Makes the uses of a pass's render targets attachments; a target without a use gets one. */
final class TargetBuilding {
    private final FileNames names;
    private final IntFunction<SubresourceRange> whole;
    private final List<Use> uses;
    private final boolean conditional;

    /** The targets of a pass; if that may be left out, they are loaded. */
    TargetBuilding(FileNames names, IntFunction<SubresourceRange> whole, List<Use> uses, boolean conditional) {
        this.names = names;
        this.whole = whole;
        this.uses = uses;
        this.conditional = conditional;
    }

    List<Attachment> attachments(List<FileGraph.Target> targets) {
        List<Attachment> result = new ArrayList<>(targets.size());
        for (FileGraph.Target target : targets) {
            int resource = names.resource(target.resource, target.line);
            SubresourceRange range = range(resource, target.aspect, target);
            requirePlane(target, target.aspect, range);
            int at = use(resource, range, target);
            boolean readOnly = !uses.get(at).access().writes();
            Attachment attachment = new Attachment(
                    at,
                    target.aspect,
                    readOnly || conditional ? LoadOp.LOAD : target.load,
                    target.clear,
                    target.clearDepth,
                    target.clearStencil,
                    readOnly,
                    -1,
                    null,
                    slices(target.slice));
            FileGraph.Resolve resolve = target.resolve;
            result.add(resolve == null ? attachment : resolved(attachment, target.aspect, resolve));
        }
        return result;
    }

    /** The aspect says the plane. */
    private void requirePlane(FileGraph.Part part, Aspect aspect, SubresourceRange range) {
        FileGraph.Interval said = part.plane;
        if (said != null && (said.from() != range.basePlane() || said.to() != range.basePlane() + 1)) {
            throw names.fail(
                    part.line,
                    "a target or resolve of " + aspect.name().toLowerCase(Locale.ROOT) + " names another \"plane\" of '"
                            + part.resource + "' than " + range.basePlane() + ", which it is; leave \"plane\" out");
        }
    }

    private static RenderTargets.@Nullable Slices slices(FileGraph.@Nullable Interval slice) {
        return slice == null ? null : new RenderTargets.Slices((int) slice.from(), (int) (slice.to() - slice.from()));
    }

    private Attachment resolved(Attachment attachment, Aspect aspect, FileGraph.Resolve resolve) {
        int resource = names.resource(resolve.resource, resolve.line);
        SubresourceRange range = range(resource, aspect, resolve);
        requirePlane(resolve, aspect, range);
        Access access = aspect == Aspect.COLOR ? Access.RESOLVE_DST : Access.DEPTH_RESOLVE_DST;
        int found = -1;
        for (int u = 0; u < uses.size() && found < 0; u++) {
            Use use = uses.get(u);
            found = use.resource() == resource && use.access() == access && isThere(use, range) ? u : -1;
        }
        if (found < 0) {
            uses.add(new Use(resource, resolve.resource, range, 0, -1, access, Mode.OVERWRITE, true, -1, null));
            found = uses.size() - 1;
        }
        uses.set(found, attached(uses.get(found), range));
        Use source = uses.get(attachment.use());
        if (aspect != Aspect.COLOR) {
            uses.set(attachment.use(), source.with(Access.DEPTH_RESOLVE_SRC, source.mode()));
        }
        return attachment.resolvedTo(found, resolve.mode);
    }

    private int use(int resource, SubresourceRange range, FileGraph.Target target) {
        for (int u = 0; u < uses.size(); u++) {
            Use use = uses.get(u);
            boolean said = target.mip != null || target.layer != null;
            if (use.resource() == resource
                    && fits(use.access(), target.aspect)
                    && isPlane(use, target.aspect, range)
                    && (!said || isThere(use, range))) {
                Use own = conditional ? use.with(loaded(use.access()), use.mode()) : use;
                uses.set(u, attached(own, said || use.range() == null ? range : planeOf(use.range(), range)));
                return u;
            }
        }
        uses.add(targetUse(resource, target, range));
        return uses.size() - 1;
    }

    private static boolean fits(Access access, Aspect aspect) {
        TextureLayout layout = access.layout();
        return aspect == Aspect.COLOR
                ? access == Access.COLOR_WRITE || access == Access.COLOR_READ_WRITE
                : layout == TextureLayout.DEPTH_RO
                        || (layout == TextureLayout.DEPTH && access != Access.DEPTH_RESOLVE_DST);
    }

    /** A use of all planes is that of depth: stencil has a use of its own. */
    private static boolean isPlane(Use use, Aspect aspect, SubresourceRange range) {
        SubresourceRange own = use.range();
        if (own == null || own.planeCount() > 1) {
            return aspect != Aspect.STENCIL || range.basePlane() == 0;
        }
        return own.basePlane() == range.basePlane();
    }

    private static boolean isThere(Use use, SubresourceRange range) {
        SubresourceRange own = use.range();
        return own == null
                || (own.baseMip() == range.baseMip()
                        && own.baseLayer() == range.baseLayer()
                        && own.basePlane() <= range.basePlane()
                        && range.basePlane() < own.basePlane() + own.planeCount());
    }

    private static SubresourceRange planeOf(SubresourceRange own, SubresourceRange target) {
        return own.plane(target.basePlane());
    }

    private Use targetUse(int resource, FileGraph.Target target, SubresourceRange range) {
        boolean loads = conditional || target.load == LoadOp.LOAD;
        Access access = switch (target.aspect) {
            case COLOR -> loads ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE;
            case DEPTH -> target.readOnly ? Access.DEPTH_READ : loads ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE;
            case STENCIL ->
                target.readOnly ? Access.STENCIL_READ : loads ? Access.STENCIL_READ_WRITE : Access.STENCIL_WRITE;
        };
        Mode mode = !access.writes() ? Mode.READ : loads ? Mode.WRITE : Mode.OVERWRITE;
        return new Use(resource, target.resource, range, 0, -1, access, mode, true, -1, null);
    }

    private static Access loaded(Access access) {
        return switch (access) {
            case COLOR_WRITE -> Access.COLOR_READ_WRITE;
            case DEPTH_WRITE -> Access.DEPTH_READ_WRITE;
            case STENCIL_WRITE -> Access.STENCIL_READ_WRITE;
            default -> access;
        };
    }

    /** An attachment names its range. */
    private static Use attached(Use use, SubresourceRange range) {
        return new Use(
                use.resource(),
                use.resourceName(),
                range,
                use.offset(),
                use.bytes(),
                use.access(),
                use.mode(),
                true,
                use.overlap(),
                use.site());
    }

    /** One mip of as many layers as are said, or of all; of depth and stencil the one plane. */
    private SubresourceRange range(int resource, Aspect aspect, FileGraph.Part part) {
        SubresourceRange all = whole.apply(resource);
        FileGraph.Interval layer = part.layer;
        int plane = aspect == Aspect.STENCIL ? all.planeCount() - 1 : 0;
        return new SubresourceRange(
                part.mip == null ? 0 : (int) part.mip.from(),
                1,
                layer == null ? 0 : (int) layer.from(),
                layer == null ? all.layerCount() : (int) (layer.to() - layer.from()),
                plane,
                1);
    }
}
