package io.frameloom.gpu.record;

import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthResolve;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checks of the attachments of a render pass against each other and against the layouts that the open pass
 * declares; each is valid by itself. Allocates nothing but messages.
 */
final class AttachmentRules {
    private static final int COLOR_PLANE = 0;
    private static final int DEPTH_PLANE = 0;

    private final RecordingRules rules;
    private final PassLayouts layouts;

    AttachmentRules(RecordingRules rules, PassLayouts layouts) {
        this.rules = rules;
        this.layouts = layouts;
    }

    /** Checks that no texel is two colours, or a colour and the target of another's resolve. */
    void distinct(String command, RenderingInfo info) {
        List<ColorAttachment> colors = info.colors();
        for (int i = 1; i < colors.size(); i++) {
            ColorAttachment color = colors.get(i);
            for (int k = 0; k < i; k++) {
                ColorAttachment earlier = colors.get(k);
                distinct(command, info, earlier.view(), color.view());
                distinct(command, info, earlier.view(), color.resolve());
                distinct(command, info, earlier.resolve(), color.view());
                distinct(command, info, earlier.resolve(), color.resolve());
            }
        }
    }

    private void distinct(
            String command, RenderingInfo info, @Nullable TextureView first, @Nullable TextureView second) {
        if (first == null || second == null || !isSame(first.texture(), second.texture())) {
            return;
        }
        SubresourceRange one = first.range();
        SubresourceRange other = second.range();
        // Views may have more layers than the render pass.
        if (one.baseMip() == other.baseMip() && Math.abs(first.baseLayer() - second.baseLayer()) < info.layers()) {
            throw new IllegalArgumentException(rules.where(command) + ": mip " + one.baseMip()
                    + (first.isOfSlices() ? ", slice " : ", layer ")
                    + Math.max(first.baseLayer(), second.baseLayer()) + " of texture '"
                    + second.texture().name() + "' is two attachments or resolve targets of one render pass; give each"
                    + " texels of its own");
        }
    }

    private static boolean isSame(Texture first, Texture second) {
        return first == second || (first.nativeHandle() != 0 && first.nativeHandle() == second.nativeHandle());
    }

    /** Checks that the open pass has the attachments in the layouts in which they are attached. */
    void layouts(String command, RenderingInfo info) {
        if (layouts.isEmpty()) {
            return;
        }
        for (int i = 0; i < info.colors().size(); i++) {
            ColorAttachment color = info.colors().get(i);
            require(command, color.view(), COLOR_PLANE, TextureLayout.COLOR);
            TextureView resolve = color.resolve();
            if (resolve != null) {
                require(command, resolve, COLOR_PLANE, TextureLayout.COLOR);
            }
        }
        DepthAttachment depth = info.depth();
        if (depth != null) {
            require(command, depth.view(), DEPTH_PLANE, attached(depth.view(), DEPTH_PLANE, depth.readOnly()));
            DepthResolve resolve = depth.resolve();
            if (resolve != null) {
                require(command, resolve.view(), DEPTH_PLANE, TextureLayout.DEPTH);
            }
        }
        StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            int plane = lastPlane(stencil.view());
            require(command, stencil.view(), plane, attached(stencil.view(), plane, stencil.readOnly()));
            DepthResolve resolve = stencil.resolve();
            if (resolve != null) {
                require(command, resolve.view(), lastPlane(resolve.view()), TextureLayout.DEPTH);
            }
        }
    }

    private TextureLayout attached(TextureView view, int plane, boolean readOnly) {
        return readOnly ? layouts.tested(view.texture(), view.range(), plane) : TextureLayout.DEPTH;
    }

    private static int lastPlane(TextureView view) {
        return view.range().basePlane() + view.range().planeCount() - 1;
    }

    /** Depth and stencil of one texture may be in different layouts: only the plane that is attached counts. */
    private void require(String command, TextureView view, int plane, TextureLayout needed) {
        TextureLayout other = layouts.attachedOtherwise(view.texture(), view.range(), plane, needed);
        if (other != null) {
            throw new IllegalStateException(rules.where(command) + ": the pass has texture '"
                    + view.texture().name() + "' in layout " + other + ", but it is attached in " + needed
                    + "; declare its use as that attachment, or attach it in another pass");
        }
    }
}
