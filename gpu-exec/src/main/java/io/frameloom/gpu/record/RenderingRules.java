package io.frameloom.gpu.record;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TextureView;
import org.jspecify.annotations.Nullable;

/** The checks of a render pass's attachments and of the clears inside of it. */
public final class RenderingRules {
    private static final int MAX_STENCIL = 255;

    private final RecordingRules rules;
    private final ResolveRules resolves;

    /** Checks for the list of {@code rules}. */
    public RenderingRules(RecordingRules rules) {
        this.rules = rules;
        this.resolves = new ResolveRules(rules, this);
    }

    /** Checks a render pass and opens it. */
    public void begin(RenderingInfo info) {
        String command = "beginRendering";
        rules.requireOutside(command);
        rules.requireQueue(command, QueueKind.GRAPHICS);
        int most = rules.capabilities().limits().drawing().maxColorAttachments();
        if (info.colors().size() > most) {
            throw new IllegalArgumentException(rules.where(command) + " has "
                    + info.colors().size() + " colour attachments, the device allows " + most);
        }
        if (info.layers() < 1) {
            throw new IllegalArgumentException(rules.where(command) + " needs at least 1 layer, got " + info.layers());
        }
        int samples = info.samples();
        for (int i = 0; i < info.colors().size(); i++) {
            color(command, info, info.colors().get(i), samples);
        }
        DepthAttachment depth = info.depth();
        if (depth != null) {
            attachment(command, info, depth.view(), TextureUsage.DEPTH_ATTACHMENT, samples);
            if (!depth.view().format().hasDepth() || depth.view().range().basePlane() != 0) {
                throw aspect(command, depth.view(), "depth");
            }
            requireDepth(command, depth.clearDepth());
            resolves.depth(command, info, depth);
        }
        StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            stencil(command, info, stencil, depth, samples);
            resolves.stencil(command, info, stencil);
        }
        if (depth != null && stencil != null) {
            resolves.together(command, depth, stencil);
        }
        rules.beginRendering(info);
    }

    private void color(String command, RenderingInfo info, ColorAttachment color, int samples) {
        attachment(command, info, color.view(), TextureUsage.COLOR_ATTACHMENT, samples);
        TextureView resolve = color.resolve();
        if (resolve == null) {
            return;
        }
        attachment(command, info, resolve, TextureUsage.COLOR_ATTACHMENT, 1);
        if (samples == 1) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '"
                    + color.view().texture().name() + "' has one sample, there is nothing to resolve to '"
                    + resolve.texture().name() + "'");
        }
        if (resolve.format() != color.view().format()) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '"
                    + color.view().texture().name() + "' of " + color.view().format() + " cannot be resolved to '"
                    + resolve.texture().name() + "' of " + resolve.format() + "; give both the same format");
        }
    }

    private void stencil(
            String command,
            RenderingInfo info,
            StencilAttachment stencil,
            @Nullable DepthAttachment depth,
            int samples) {
        TextureView view = stencil.view();
        attachment(command, info, view, TextureUsage.DEPTH_ATTACHMENT, samples);
        SubresourceRange range = view.range();
        Format format = view.format();
        if (format.aspect(range.basePlane() + range.planeCount() - 1) != Format.Aspect.STENCIL) {
            throw aspect(command, view, "stencil");
        }
        requireStencil(command, stencil.clearStencil());
        if (depth != null && depth.view().texture() != view.texture()) {
            throw new IllegalArgumentException(rules.where(command) + ": depth '"
                    + depth.view().texture().name() + "' and stencil '"
                    + view.texture().name() + "' are different textures; use the planes of one with both");
        }
    }

    IllegalArgumentException aspect(String command, TextureView view, String wanted) {
        return new IllegalArgumentException(rules.where(command) + ": the view of '"
                + view.texture().name() + "' (" + view.format() + ", plane "
                + view.range().basePlane() + ") has no " + wanted + "; use a view of a plane that has");
    }

    void attachment(String command, RenderingInfo info, TextureView view, TextureUsage usage, int samples) {
        TextureDescription description = view.texture().description();
        String name = view.texture().name();
        if (!description.usage().contains(usage)) {
            throw new IllegalArgumentException(
                    rules.where(command) + ": texture '" + name + "' was created without usage " + usage);
        }
        SubresourceRange range = view.range();
        if (range.mipCount() != 1 || range.layerCount() < info.layers()) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '" + name
                    + "' needs a view of one mip and " + info.layers() + " layers, got " + range);
        }
        int width = description.width(range.baseMip());
        int height = description.height(range.baseMip());
        if (info.width() < 1 || info.height() < 1 || info.width() > width || info.height() > height) {
            throw new IllegalArgumentException(rules.where(command) + ": render area " + info.width() + "x"
                    + info.height() + " is not within attachment '" + name + "' of " + width + "x" + height);
        }
        if (description.samples() != samples) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '" + name + "' has "
                    + description.samples() + " samples where " + samples
                    + " are needed; attachments have as many as the first one, resolve targets one");
        }
    }

    /** Checks a clear of a colour attachment inside of a render pass. */
    public void clearColor(int attachment, int x, int y, int width, int height) {
        String command = "clearColorAttachment";
        rules.requireInside(command);
        int count = colorCount();
        if (attachment < 0 || attachment >= count) {
            throw new IllegalArgumentException(rules.where(command) + ": the render pass has " + count
                    + " colour attachments, not one of number " + attachment);
        }
        rectangle(command, x, y, width, height);
    }

    /** Checks a clear of the depth or stencil attachment inside of a render pass. */
    public void clearDepthStencil(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height) {
        String command = "clearDepthStencilAttachment";
        rules.requireInside(command);
        if (!clearDepth && !clearStencil) {
            throw new IllegalArgumentException(rules.where(command) + " clears neither depth nor stencil");
        }
        if (clearDepth && !hasDepth()) {
            throw new IllegalArgumentException(rules.where(command) + ": the render pass has no depth attachment");
        }
        if (clearStencil && !hasStencil()) {
            throw new IllegalArgumentException(rules.where(command) + ": the render pass has no stencil attachment");
        }
        if (clearDepth) {
            requireDepth(command, depth);
        }
        if (clearStencil) {
            requireStencil(command, stencil);
        }
        rectangle(command, x, y, width, height);
    }

    private int colorCount() {
        RenderingInfo open = rules.rendering();
        var inherited = rules.inherited();
        return open != null
                ? open.colors().size()
                : inherited == null ? 0 : inherited.colors().size();
    }

    private boolean hasDepth() {
        RenderingInfo open = rules.rendering();
        var inherited = rules.inherited();
        return open != null ? open.depth() != null : inherited != null && inherited.depth() != null;
    }

    private boolean hasStencil() {
        RenderingInfo open = rules.rendering();
        var inherited = rules.inherited();
        return open != null ? open.stencil() != null : inherited != null && inherited.stencil() != null;
    }

    private void rectangle(String command, int x, int y, int width, int height) {
        RenderingInfo open = rules.rendering();
        if (x < 0
                || y < 0
                || width < 1
                || height < 1
                || (open != null && ((long) x + width > open.width() || (long) y + height > open.height()))) {
            throw new IllegalArgumentException(rules.where(command) + ": rectangle " + width + "x" + height + " at " + x
                    + "," + y + " is not within the render area"
                    + (open == null ? "" : " of " + open.width() + "x" + open.height()));
        }
    }

    /** Checks a viewport. */
    public void viewport(float width, float height) {
        rules.requireRecording("setViewport");
        if (!(width > 0) || !(height > 0)) {
            throw new IllegalArgumentException(
                    rules.where("setViewport") + " needs a positive extent, got " + width + "x" + height);
        }
        rules.viewport();
    }

    /** Checks a scissor rectangle. */
    public void scissor(int x, int y, int width, int height) {
        rules.requireRecording("setScissor");
        if (x < 0 || y < 0 || width < 0 || height < 0) {
            throw new IllegalArgumentException(rules.where("setScissor")
                    + " needs a rectangle that is not negative, got " + width + "x" + height + " at " + x + "," + y);
        }
    }

    /** Checks a stencil reference. */
    public void stencilReference(int reference) {
        rules.requireRecording("setStencilReference");
        requireStencil("setStencilReference", reference);
    }

    /** Checks a dynamic depth bias. */
    public void depthBias(float constant, float slope, float clamp) {
        String command = "setDepthBias";
        rules.requireRecording(command);
        if (!Float.isFinite(constant) || !Float.isFinite(slope) || !Float.isFinite(clamp)) {
            throw new IllegalArgumentException(rules.where(command) + " needs finite numbers, got constant " + constant
                    + ", slope " + slope + ", clamp " + clamp);
        }
        if (clamp != 0 && !rules.capabilities().limits().pipelines().depthBiasClamp()) {
            throw new UnsupportedOperationException(rules.where(command) + ": device '"
                    + rules.capabilities().name() + "' cannot clamp a depth bias; give clamp 0");
        }
    }

    /** Checks a dynamic line width. */
    public void lineWidth(float width) {
        String command = "setLineWidth";
        rules.requireRecording(command);
        DeviceLimits.Pipelines limits = rules.capabilities().limits().pipelines();
        if (!(width >= limits.minLineWidth() && width <= limits.maxLineWidth())) {
            throw new IllegalArgumentException(rules.where(command) + ": the device draws lines of width "
                    + limits.minLineWidth() + " to " + limits.maxLineWidth() + ", got " + width);
        }
    }

    void requireDepth(String command, float depth) {
        if (!(depth >= 0 && depth <= 1)) {
            throw new IllegalArgumentException(rules.where(command) + ": depth is 0 to 1, got " + depth);
        }
    }

    void requireStencil(String command, int stencil) {
        if (stencil < 0 || stencil > MAX_STENCIL) {
            throw new IllegalArgumentException(rules.where(command) + ": stencil is 0 to 255, got " + stencil);
        }
    }
}
