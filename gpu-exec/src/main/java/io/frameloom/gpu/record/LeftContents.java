package io.frameloom.gpu.record;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureView;
import java.util.ArrayList;
import java.util.List;

/**
 * The contents that the render passes of an open pass leave in their attachments, in order: defined or not. Planes of
 * which a render area is only a part, or of which draws may have written any part, count as defined. Also the part that
 * the first render pass of an attachment clears.
 */
final class LeftContents {
    /** A range that a render pass leaves. */
    private record Left(Texture texture, SubresourceRange range, boolean undefined) {
        boolean overlaps(Left other) {
            return isSame(texture, other.texture) && range.overlaps(other.range);
        }

        boolean isOf(ResourceUse use) {
            return use instanceof ResourceUse.OfTexture declared
                    && isSame(texture, declared.resource())
                    && range.overlaps(declared.range());
        }
    }

    private final List<Left> all = new ArrayList<>();
    private final List<SubmissionRecord.Cleared> cleared = new ArrayList<>(0);

    /**
     * Notes the end of a render pass.
     *
     * @param empty whether nothing was drawn or cleared in it
     */
    void rendered(RenderingInfo info, boolean empty) {
        for (RenderingInfo.ColorAttachment color : info.colors()) {
            if (!color.readOnly()) {
                clear(color.view(), color.view().range(), color.load());
                add(info, color.view(), color.view().range(), undefines(color.load(), color.store(), empty));
            }
            TextureView resolve = color.resolve();
            if (resolve != null) {
                add(info, resolve, resolve.range(), false);
            }
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            if (!depth.readOnly()) {
                clear(depth.view(), first(depth.view()), depth.load());
                add(info, depth.view(), first(depth.view()), undefines(depth.load(), depth.store(), empty));
            }
            RenderingInfo.DepthResolve resolve = depth.resolve();
            if (resolve != null) {
                add(info, resolve.view(), first(resolve.view()), false);
            }
        }
        RenderingInfo.StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            if (!stencil.readOnly()) {
                clear(stencil.view(), last(stencil.view()), stencil.load());
                add(info, stencil.view(), last(stencil.view()), undefines(stencil.load(), stencil.store(), empty));
            }
            RenderingInfo.DepthResolve resolve = stencil.resolve();
            if (resolve != null) {
                add(info, resolve.view(), last(resolve.view()), false);
            }
        }
    }

    private static boolean undefines(LoadOp load, StoreOp store, boolean empty) {
        return store == StoreOp.DONT_CARE || (load == LoadOp.DONT_CARE && empty);
    }

    private static SubresourceRange first(TextureView view) {
        return view.range().plane(view.range().basePlane());
    }

    private static SubresourceRange last(TextureView view) {
        return view.range().plane(view.range().basePlane() + view.range().planeCount() - 1);
    }

    /** Slices of a texture of three dimensions are no range, so it is unknown which part of the use is cleared. */
    private void clear(TextureView view, SubresourceRange plane, LoadOp load) {
        if (load == LoadOp.CLEAR && !view.isOfSlices()) {
            clear(new SubmissionRecord.Cleared(view.texture(), plane));
        }
    }

    private void clear(SubmissionRecord.Cleared part) {
        Left begun = new Left(part.texture(), part.range(), false);
        if (all.stream().noneMatch(begun::overlaps)) {
            cleared.add(part);
        }
    }

    private void add(RenderingInfo info, TextureView view, SubresourceRange plane, boolean undefined) {
        boolean part = view.isOfSlices() || !info.covers(view.texture().description(), plane.baseMip());
        if (!part || !undefined) {
            SubresourceRange rendered = view.isOfSlices()
                    ? plane
                    : new SubresourceRange(
                            plane.baseMip(),
                            1,
                            plane.baseLayer(),
                            info.layers(),
                            plane.basePlane(),
                            plane.planeCount());
            all.add(new Left(view.texture(), rendered, undefined));
        }
    }

    void append(LeftContents executed) {
        executed.cleared.forEach(this::clear);
        all.addAll(executed.all);
    }

    /** Returns the parts that are cleared before anything else is rendered to them. */
    List<SubmissionRecord.Cleared> cleared() {
        return cleared;
    }

    void clear() {
        all.clear();
        cleared.clear();
    }

    /** Adds the parts that a pass leaves undefined in the end: not filled since, and declared so. */
    void addTo(List<SubmissionRecord.Command> commands, SubmissionRecord.Pass pass) {
        for (int i = 0; i < all.size(); i++) {
            Left left = all.get(i);
            if (left.undefined && !isFilled(i) && declares(pass, left)) {
                commands.add(new SubmissionRecord.Undefined(pass.name(), left.texture, left.range));
            }
        }
    }

    private boolean isFilled(int at) {
        for (int i = at + 1; i < all.size(); i++) {
            if (!all.get(i).undefined && all.get(i).overlaps(all.get(at))) {
                return true;
            }
        }
        return false;
    }

    /** It is unknown when a pass writes a resource that is no attachment, so such a use leaves all of it defined. */
    private static boolean declares(SubmissionRecord.Pass pass, Left left) {
        boolean declared = false;
        for (ResourceUse use : pass.uses()) {
            if (left.isOf(use) && use.access().writes()) {
                TextureLayout layout = use.access().layout();
                if (layout != TextureLayout.COLOR && layout != TextureLayout.DEPTH) {
                    return false;
                }
                declared = true;
            }
        }
        return declared;
    }

    /** Returns whether two resources are one object, of which a driver knows by its handle. */
    static boolean isSame(Resource declared, Resource used) {
        boolean sameKind = declared instanceof Texture == used instanceof Texture;
        return declared == used
                || (sameKind && declared.nativeHandle() != 0 && declared.nativeHandle() == used.nativeHandle());
    }
}
