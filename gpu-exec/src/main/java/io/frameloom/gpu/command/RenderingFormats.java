package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Format;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The formats of a render pass's attachments. Its secondary command lists must have the same.
 *
 * @param colors formats of the colour attachments in order
 * @param depth format of the depth attachment, or null for none
 * @param stencil format of the stencil attachment, or null for none
 * @param samples samples of the attachments
 * @param layers layers that are rendered to and cleared
 * @param multiview whether each draw goes to all of them, as {@link RenderingInfo#withMultiview} says
 */
public record RenderingFormats(
        List<Format> colors,
        @Nullable Format depth,
        @Nullable Format stencil,
        int samples,
        int layers,
        boolean multiview) {
    public RenderingFormats {
        colors = List.copyOf(colors);
        if (layers < 1) {
            throw new IllegalArgumentException("a render pass has at least 1 layer, got " + layers);
        }
    }

    /** Formats of a render pass with one layer. */
    public RenderingFormats(List<Format> colors, @Nullable Format depth, @Nullable Format stencil, int samples) {
        this(colors, depth, stencil, samples, 1, false);
    }

    /** Returns the views of each draw: the layers with multiview, else 0. */
    public int views() {
        return multiview ? layers : 0;
    }

    /** Returns whether a render pass has these formats, samples and layers, without making anything. */
    public boolean matches(RenderingInfo info) {
        RenderingInfo.DepthAttachment depthTarget = info.depth();
        RenderingInfo.StencilAttachment stencilTarget = info.stencil();
        if (colors.size() != info.colors().size()
                || samples != info.samples()
                || layers != info.layers()
                || multiview != info.multiview()
                || depth != (depthTarget == null ? null : depthTarget.view().format())
                || stencil
                        != (stencilTarget == null ? null : stencilTarget.view().format())) {
            return false;
        }
        for (int i = 0; i < colors.size(); i++) {
            if (colors.get(i) != info.colors().get(i).view().format()) {
                return false;
            }
        }
        return true;
    }
}
