package io.frameloom.gpu;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The formats of a render pass's attachments, to which its secondary command lists must agree.
 *
 * @param colors formats of the colour attachments in order
 * @param depth format of the depth attachment, or null for none
 * @param stencil format of the stencil attachment, or null for none
 * @param samples samples of the attachments
 */
public record RenderingFormats(
        List<Format> colors,
        @Nullable Format depth,
        @Nullable Format stencil,
        int samples) {
    /** Copies the list. */
    public RenderingFormats {
        colors = List.copyOf(colors);
    }

    /** Returns whether a render pass has these formats, without making anything. */
    public boolean matches(RenderingInfo info) {
        RenderingInfo.DepthAttachment depthTarget = info.depth();
        RenderingInfo.StencilAttachment stencilTarget = info.stencil();
        if (colors.size() != info.colors().size()
                || samples != info.samples()
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
