package io.frameloom.gpu.record;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureView;
import org.jspecify.annotations.Nullable;

/**
 * Reports to the log of a list which parts of resources its commands use and how, to be checked against the declaration
 * of their pass. One thread at a time; without a log nothing is done.
 */
public final class UseReports {
    private @Nullable CommandLog log;

    UseReports() {}

    /** Reports to a log from now on, or to none. */
    public void to(@Nullable CommandLog newLog) {
        log = newLog;
    }

    boolean asked() {
        return log != null;
    }

    /** Reports that a command uses bytes of a buffer; 0 if their number is not known. */
    void uses(Buffer buffer, long offset, long bytes, Access access) {
        if (log != null) {
            log.use(buffer, offset, bytes, access);
        }
    }

    void uses(Texture texture, TextureRegion region, Access access) {
        if (log != null) {
            uses(
                    texture,
                    new SubresourceRange(region.mip(), 1, region.baseLayer(), region.layers(), region.plane(), 1),
                    access);
        }
    }

    /** Reports that a command uses one mip of one layer of a texture, plane 0. */
    void uses(Texture texture, int mip, int layer, Access access) {
        if (log != null) {
            log.use(texture, SubresourceRange.of(mip, layer), access);
        }
    }

    void uses(Texture texture, SubresourceRange range, Access access) {
        if (log != null) {
            log.use(texture, range, access);
        }
    }

    /**
     * Reports a render pass's uses of its attachments: a loaded one is read, one that is only tested is not written.
     */
    void renders(RenderingInfo info) {
        if (log == null) {
            return;
        }
        for (RenderingInfo.ColorAttachment color : info.colors()) {
            boolean loads = color.load() == LoadOp.LOAD;
            Access written = loads ? Access.COLOR_READ_WRITE : Access.COLOR_WRITE;
            attaches(info, color.view(), 0, color.readOnly() ? Access.INPUT_ATTACHMENT : written);
            TextureView resolve = color.resolve();
            if (resolve != null) {
                attaches(info, resolve, 0, Access.RESOLVE_DST);
            }
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            tests(info, depth.view(), 0, depth.load(), depth.readOnly(), depth.resolve());
        }
        RenderingInfo.StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            int last = stencil.view().range().planeCount() - 1;
            tests(info, stencil.view(), last, stencil.load(), stencil.readOnly(), stencil.resolve());
        }
    }

    private void tests(
            RenderingInfo info,
            TextureView view,
            int plane,
            LoadOp load,
            boolean readOnly,
            RenderingInfo.@Nullable DepthResolve resolve) {
        Access written = load == LoadOp.LOAD ? Access.DEPTH_READ_WRITE : Access.DEPTH_WRITE;
        attaches(info, view, plane, readOnly ? Access.DEPTH_READ : written);
        if (resolve != null) {
            attaches(
                    info,
                    resolve.view(),
                    resolve.view().range().planeCount() == 1 ? 0 : plane,
                    Access.DEPTH_RESOLVE_DST);
        }
    }

    /** Reports one plane of an attachment, by its number in the view. */
    private void attaches(RenderingInfo info, TextureView view, int plane, Access access) {
        SubresourceRange range = view.range();
        int layers = view.isOfSlices() ? 1 : info.layers();
        uses(
                view.texture(),
                new SubresourceRange(range.baseMip(), 1, range.baseLayer(), layers, range.basePlane() + plane, 1),
                access);
    }
}
