package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.declare.Aspect;
import io.frameloom.rdg.declare.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Mode;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Makes the uses of a pass's render targets attachments; a target without a use gets one. */
final class TargetBuilding {
    private final FileNames names;
    private final IntFunction<SubresourceRange> whole;
    private final DeclaredGraph graph;
    private final int pass;
    private final boolean conditional;

    /** The targets of a pass; if that may be left out, they are loaded. */
    TargetBuilding(
            FileNames names, IntFunction<SubresourceRange> whole, DeclaredGraph graph, int pass, boolean conditional) {
        this.names = names;
        this.whole = whole;
        this.graph = graph;
        this.pass = pass;
        this.conditional = conditional;
    }

    /** Declares targets of the pass, which is the last one of the graph. */
    void declare(List<FileGraph.Target> targets) {
        for (FileGraph.Target target : targets) {
            int resource = names.resource(target.resource, target.line);
            SubresourceRange range = range(resource, target.aspect, target);
            requirePlane(target, target.aspect, range);
            int use = use(resource, range, target);
            boolean readOnly = !graph.access(use).writes();
            Attachment attachment = new Attachment(
                    use - graph.firstUse(pass),
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
            graph.addAttachment(pass, resolve == null ? attachment : resolved(attachment, target.aspect, resolve));
        }
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
        for (int use = graph.firstUse(pass); use < graph.uses() && found < 0; use++) {
            boolean fits = graph.resource(use) == resource && graph.access(use) == access && isThere(use, range);
            found = fits ? use : -1;
        }
        if (found < 0) {
            found = graph.uses();
            graph.addUse(pass, resource, range, access, Mode.OVERWRITE, DeclaredGraph.NO_GROUP, null);
        }
        attach(found, range);
        int source = graph.useOf(pass, attachment);
        if (aspect != Aspect.COLOR) {
            graph.setAccess(source, Access.DEPTH_RESOLVE_SRC, graph.mode(source));
        }
        return attachment.resolvedTo(found - graph.firstUse(pass), resolve.mode);
    }

    /** An attachment names its range. */
    private void attach(int use, SubresourceRange range) {
        graph.setRange(use, range);
        graph.attach(use);
    }

    private int use(int resource, SubresourceRange range, FileGraph.Target target) {
        for (int use = graph.firstUse(pass); use < graph.uses(); use++) {
            boolean said = target.mip != null || target.layer != null;
            if (graph.resource(use) == resource
                    && fits(graph.access(use), target.aspect)
                    && isPlane(use, target.aspect, range)
                    && (!said || isThere(use, range))) {
                if (conditional) {
                    graph.setAccess(use, loaded(graph.access(use)), graph.mode(use));
                }
                SubresourceRange own = graph.range(use);
                attach(use, said || own == null ? range : planeOf(own, range));
                return use;
            }
        }
        int added = graph.uses();
        addUse(resource, target, range);
        return added;
    }

    private static boolean fits(Access access, Aspect aspect) {
        TextureLayout layout = access.layout();
        return aspect == Aspect.COLOR
                ? access == Access.COLOR_WRITE || access == Access.COLOR_READ_WRITE || access == Access.INPUT_ATTACHMENT
                : layout == TextureLayout.DEPTH_RO
                        || (layout == TextureLayout.DEPTH && access != Access.DEPTH_RESOLVE_DST);
    }

    /** A use of all planes is that of depth: stencil has a use of its own. */
    private boolean isPlane(int use, Aspect aspect, SubresourceRange range) {
        SubresourceRange own = graph.range(use);
        if (own == null || own.planeCount() > 1) {
            return aspect != Aspect.STENCIL || range.basePlane() == 0;
        }
        return own.basePlane() == range.basePlane();
    }

    private boolean isThere(int use, SubresourceRange range) {
        SubresourceRange own = graph.range(use);
        return own == null
                || (own.baseMip() == range.baseMip()
                        && own.baseLayer() == range.baseLayer()
                        && own.basePlane() <= range.basePlane()
                        && range.basePlane() < own.basePlane() + own.planeCount());
    }

    private static SubresourceRange planeOf(SubresourceRange own, SubresourceRange target) {
        return own.plane(target.basePlane());
    }

    private void addUse(int resource, FileGraph.Target target, SubresourceRange range) {
        boolean loads = conditional || target.load == LoadOp.LOAD;
        Access access = switch (target.aspect) {
            case COLOR -> loads ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE;
            case DEPTH -> target.readOnly ? Access.DEPTH_READ : loads ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE;
            case STENCIL ->
                target.readOnly ? Access.STENCIL_READ : loads ? Access.STENCIL_READ_WRITE : Access.STENCIL_WRITE;
        };
        Mode mode = !access.writes() ? Mode.READ : loads ? Mode.WRITE : Mode.OVERWRITE;
        int added = graph.uses();
        graph.addUse(pass, resource, range, access, mode, DeclaredGraph.NO_GROUP, null);
        graph.attach(added);
    }

    private static Access loaded(Access access) {
        return switch (access) {
            case COLOR_WRITE -> Access.COLOR_READ_WRITE;
            case DEPTH_WRITE -> Access.DEPTH_READ_WRITE;
            case STENCIL_WRITE -> Access.STENCIL_READ_WRITE;
            default -> access;
        };
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
