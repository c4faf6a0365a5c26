package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.StoreOp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a render pass between its barriers. The first loads what the render pass loads, the last stores and resolves
 * what it stores and resolves, and in between everything is kept. Stateless.
 */
final class RenderingParts {
    private RenderingParts() {}

    /**
     * Returns a part as a render pass of its own.
     *
     * @param inputs attachments that the part reads and does not write, a bit for each colour and one after them for
     *     depth
     */
    static RenderingInfo of(RenderingInfo info, boolean first, boolean last, int inputs) {
        if (first && last && inputs == 0) {
            return info;
        }
        List<ColorAttachment> colors = new ArrayList<>(info.colors().size());
        for (int i = 0; i < info.colors().size(); i++) {
            ColorAttachment color = info.colors().get(i);
            colors.add(new ColorAttachment(
                    color.view(),
                    first ? color.load() : LoadOp.LOAD,
                    last ? color.store() : StoreOp.STORE,
                    color.clear(),
                    last ? color.resolve() : null,
                    color.readOnly() || (inputs >> i & 1) != 0));
        }
        return new RenderingInfo(
                info.x(),
                info.y(),
                info.width(),
                info.height(),
                info.layers(),
                colors,
                depth(info.depth(), first, last, (inputs >> info.colors().size() & 1) != 0),
                stencil(info.stencil(), first, last),
                info.secondaries(),
                info.multiview());
    }

    private static @Nullable DepthAttachment depth(
            @Nullable DepthAttachment depth, boolean first, boolean last, boolean input) {
        return depth == null
                ? null
                : new DepthAttachment(
                        depth.view(),
                        first ? depth.load() : LoadOp.LOAD,
                        last ? depth.store() : StoreOp.STORE,
                        depth.clearDepth(),
                        depth.readOnly() || input,
                        last ? depth.resolve() : null);
    }

    private static @Nullable StencilAttachment stencil(
            @Nullable StencilAttachment stencil, boolean first, boolean last) {
        return stencil == null
                ? null
                : new StencilAttachment(
                        stencil.view(),
                        first ? stencil.load() : LoadOp.LOAD,
                        last ? stencil.store() : StoreOp.STORE,
                        stencil.clearStencil(),
                        stencil.readOnly(),
                        last ? stencil.resolve() : null);
    }
}
