package io.frameloom.gpu.record;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthResolve;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.internal.MaskSet;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.resource.TextureViewKind;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The checks of a render pass's attachments and of the clears inside of it. */
public final class RenderingRules {
    private static final int MAX_STENCIL = 255;
    private static final int COLOR_PLANE = 0;
    private static final int DEPTH_PLANE = 0;

    private final RecordingRules rules;
    private final Function<Format, FormatSupport> formats;
    private final PassLayouts layouts;

    /**
     * Checks for the list of {@code rules}.
     *
     * @param formats the device's support of formats
     * @param layouts layouts of textures in the open pass
     */
    public RenderingRules(RecordingRules rules, Function<Format, FormatSupport> formats, PassLayouts layouts) {
        this.rules = rules;
        this.formats = formats;
        this.layouts = layouts;
    }

    /** Checks a render pass, which {@link RecordingRules#beginRendering} opens when nothing can fail any more. */
    public void check(RenderingInfo info) {
        String command = "beginRendering";
        rules.requireOutside(command);
        rules.requireQueue(command, QueueKind.GRAPHICS);
        if (info.secondaries() && rules.isSecondary()) {
            throw new IllegalArgumentException(rules.where(command)
                    + " would take its commands from secondary lists, but is in one; begin it in the primary list");
        }
        int most = rules.capabilities().limits().drawing().maxColorAttachments();
        if (info.colors().size() > most) {
            throw new IllegalArgumentException(rules.where(command) + " has "
                    + info.colors().size() + " colour attachments, the device allows " + most);
        }
        requireArea(command, info);
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
            requireKept(command, "depth", depth.view(), depth.readOnly(), depth.load());
            resolve(command, info, depth);
        }
        StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            stencil(command, info, stencil, depth, samples);
            resolve(command, info, stencil);
        }
        if (depth != null && stencil != null) {
            together(command, depth, stencil);
        }
        distinct(command, info);
        layouts(command, info);
        rules.reports().renders(info);
    }

    /** Checks the values that attachments would be checked against, for render passes that have none. */
    private void requireArea(String command, RenderingInfo info) {
        DeviceLimits.Rendering limits = rules.capabilities().limits().rendering();
        int layers = limits.maxLayers();
        if (info.layers() < 1 || info.layers() > layers) {
            throw new IllegalArgumentException(rules.where(command) + ": a render pass has 1 to " + layers
                    + " layers, got " + info.layers() + " (maxLayers)");
        }
        if (info.multiview() && (limits.maxViews() == 1 || info.layers() > limits.maxViews())) {
            throw new IllegalArgumentException(rules.where(command) + ": a render pass with multiview has 1 to "
                    + limits.maxViews() + " layers, got " + info.layers()
                    + " (maxViews); it takes a device opened with Capability.MULTIVIEW");
        }
        if (info.x() < 0
                || info.y() < 0
                || info.width() < 1
                || info.height() < 1
                || (long) info.x() + info.width() > limits.maxWidth()
                || (long) info.y() + info.height() > limits.maxHeight()) {
            throw new IllegalArgumentException(rules.where(command) + ": a render area is 1x1 to " + limits.maxWidth()
                    + "x" + limits.maxHeight() + " (maxWidth, maxHeight), got " + area(info));
        }
    }

    private void color(String command, RenderingInfo info, ColorAttachment color, int samples) {
        attachment(command, info, color.view(), TextureUsage.COLOR_ATTACHMENT, samples);
        requireKept(command, "colour", color.view(), color.readOnly(), color.load());
        TextureView resolve = color.resolve();
        if (resolve == null) {
            return;
        }
        attachment(command, info, resolve, TextureUsage.COLOR_ATTACHMENT, 1);
        requireResolvable(command, color.view(), resolve);
    }

    private void requireResolvable(String command, TextureView source, TextureView target) {
        if (source.texture().description().samples() == 1) {
            throw new IllegalArgumentException(
                    rules.where(command) + ": attachment '" + source.texture().name()
                            + "' has one sample, there is nothing to resolve to '"
                            + target.texture().name() + "'");
        }
        if (target.format() != source.format()) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '"
                    + source.texture().name() + "' of " + source.format() + " cannot be resolved to '"
                    + target.texture().name() + "' of " + target.format() + "; give both the same format");
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
        requireKept(command, "stencil", view, stencil.readOnly(), stencil.load());
        if (depth != null && depth.view().texture() != view.texture()) {
            throw new IllegalArgumentException(rules.where(command) + ": depth '"
                    + depth.view().texture().name() + "' and stencil '"
                    + view.texture().name() + "' are different textures; use the planes of one with both");
        }
        if (depth != null && !sameSlices(depth.view().range(), range)) {
            throw new IllegalArgumentException(rules.where(command) + ": depth and stencil of '"
                    + view.texture().name() + "' are of different mips or layers, "
                    + depth.view().range() + " and " + range + "; take both from the same");
        }
    }

    private static boolean sameSlices(SubresourceRange depth, SubresourceRange stencil) {
        return depth.baseMip() == stencil.baseMip()
                && depth.baseLayer() == stencil.baseLayer()
                && depth.layerCount() == stencil.layerCount();
    }

    private void requireKept(String command, String what, TextureView view, boolean readOnly, LoadOp load) {
        if (readOnly && load != LoadOp.LOAD) {
            throw new IllegalArgumentException(rules.where(command) + ": " + what + " '"
                    + view.texture().name() + "' is read only but "
                    + (load == LoadOp.CLEAR ? "cleared" : "not loaded, which makes its contents undefined")
                    + "; load it, or let it be written");
        }
    }

    private IllegalArgumentException aspect(String command, TextureView view, String wanted) {
        return new IllegalArgumentException(rules.where(command) + ": the view of '"
                + view.texture().name() + "' (" + view.format() + ", plane "
                + view.range().basePlane() + ") has no " + wanted + "; use a view of a plane that has");
    }

    private void attachment(String command, RenderingInfo info, TextureView view, TextureUsage usage, int samples) {
        TextureDescription description = view.texture().description();
        String name = view.texture().name();
        if (!MaskSet.has(description.usage(), usage)) {
            throw new IllegalArgumentException(
                    rules.where(command) + ": texture '" + name + "' was created without usage " + usage);
        }
        if (view.format() != description.format()
                && !formats.apply(view.format()).supports(usage)) {
            throw new IllegalArgumentException(rules.where(command) + ": texture '" + name + "' is seen as "
                    + view.format() + ", which the device cannot use for " + usage + "; use a view of another format");
        }
        if (view.kind() == TextureViewKind.THREE_D) {
            throw new IllegalArgumentException(rules.where(command) + ": texture '" + name
                    + "' is seen as THREE_D, which no attachment is; see slices of one mip as TWO_D or TWO_D_ARRAY");
        }
        if (!view.components().isIdentity()) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '" + name
                    + "' is seen with channels " + view.components() + "; attach a view without a component mapping");
        }
        SubresourceRange range = view.range();
        if (range.mipCount() != 1 || view.layerCount() < info.layers()) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '" + name
                    + "' needs a view of one mip and " + Plural.of(info.layers(), "layer") + ", got "
                    + (view.isOfSlices() ? Plural.of(view.layerCount(), "slice") + " of " : "") + range);
        }
        int width = description.width(range.baseMip());
        int height = description.height(range.baseMip());
        // The area is known not to be negative.
        if (info.x() + info.width() > width || info.y() + info.height() > height) {
            throw new IllegalArgumentException(rules.where(command) + ": render area " + area(info)
                    + " is not within attachment '" + name + "' of " + width + "x" + height);
        }
        if (description.samples() != samples) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '" + name + "' has "
                    + Plural.of(description.samples(), "sample") + " where " + samples
                    + (samples == 1 ? " is needed;" : " are needed;")
                    + " attachments have as many as the first one, resolve targets one");
        }
    }

    /** Checks the resolve of a depth attachment, if there is one. */
    private void resolve(String command, RenderingInfo info, DepthAttachment depth) {
        DepthResolve resolve = depth.resolve();
        if (resolve != null) {
            target(command, info, depth.view(), resolve, resolveLimits().depthModes(), "depth");
            if (resolve.view().range().basePlane() != 0) {
                throw aspect(command, resolve.view(), "depth");
            }
        }
    }

    /** Checks the resolve of a stencil attachment, if there is one. */
    private void resolve(String command, RenderingInfo info, StencilAttachment stencil) {
        DepthResolve resolve = stencil.resolve();
        if (resolve != null) {
            target(command, info, stencil.view(), resolve, resolveLimits().stencilModes(), "stencil");
            SubresourceRange range = resolve.view().range();
            Format format = resolve.view().format();
            if (format.aspect(range.basePlane() + range.planeCount() - 1) != Format.Aspect.STENCIL) {
                throw aspect(command, resolve.view(), "stencil");
            }
        }
    }

    /** Checks that a device can combine the resolves of depth and stencil. */
    private void together(String command, DepthAttachment depth, StencilAttachment stencil) {
        DepthResolve ofDepth = depth.resolve();
        DepthResolve ofStencil = stencil.resolve();
        ResolveMode depthMode = ofDepth == null ? null : ofDepth.mode();
        ResolveMode stencilMode = ofStencil == null ? null : ofStencil.mode();
        boolean one = depthMode == null || stencilMode == null;
        boolean free = one ? resolveLimits().independentNone() : resolveLimits().independent();
        if (depthMode != stencilMode && !free) {
            throw new IllegalArgumentException(rules.where(command) + " resolves depth by " + words(depthMode)
                    + " and stencil by " + words(stencilMode) + ", which device '"
                    + rules.capabilities().name() + "' cannot do at once; give both the same mode");
        }
        if (ofDepth != null && ofStencil != null && !alike(ofDepth.view(), ofStencil.view())) {
            throw new IllegalArgumentException(rules.where(command) + " resolves depth to '"
                    + ofDepth.view().texture().name() + "' and stencil to '"
                    + ofStencil.view().texture().name() + "'; give both one view of both planes");
        }
    }

    private static boolean alike(TextureView first, TextureView second) {
        return first.texture() == second.texture() && first.range().equals(second.range());
    }

    private static String words(@Nullable ResolveMode mode) {
        return mode == null ? "nothing" : mode.name();
    }

    private void target(
            String command,
            RenderingInfo info,
            TextureView source,
            DepthResolve resolve,
            Set<ResolveMode> modes,
            String what) {
        attachment(command, info, resolve.view(), TextureUsage.DEPTH_ATTACHMENT, 1);
        requireResolvable(command, source, resolve.view());
        if (!modes.contains(resolve.mode())) {
            throw new IllegalArgumentException(rules.where(command) + ": device '"
                    + rules.capabilities().name() + "' cannot resolve " + what + " by " + resolve.mode() + ", only by "
                    + modes);
        }
    }

    private DeviceLimits.DepthResolve resolveLimits() {
        return rules.capabilities().limits().depthResolve();
    }

    /** Checks that no texel is two colours, or a colour and the target of another's resolve. */
    private void distinct(String command, RenderingInfo info) {
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
    private void layouts(String command, RenderingInfo info) {
        if (layouts.isEmpty()) {
            return;
        }
        for (int i = 0; i < info.colors().size(); i++) {
            ColorAttachment color = info.colors().get(i);
            require(command, color.view(), COLOR_PLANE, written(color.view(), COLOR_PLANE, TextureLayout.COLOR));
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
        return readOnly
                ? layouts.tested(view.texture(), view.range(), plane)
                : written(view, plane, TextureLayout.DEPTH);
    }

    private TextureLayout written(TextureView view, int plane, TextureLayout natural) {
        return layouts.written(view.texture(), view.range(), plane, natural);
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

    /** Checks a clear of a colour attachment inside of a render pass. */
    public void clearColor(int attachment, int x, int y, int width, int height) {
        String command = "clearColorAttachment";
        rules.requireInside(command);
        int count = colorCount();
        if (attachment < 0 || attachment >= count) {
            throw new IllegalArgumentException(rules.where(command) + ": the render pass has " + count
                    + " colour attachments, not one of number " + attachment);
        }
        RenderingInfo open = rules.rendering();
        if (open == null) {
            rules.needs().colorsWritten(command, 1 << attachment);
        } else {
            requireWritten(command, "colour", open.colors().get(attachment).readOnly() || rules.isKept(attachment));
        }
        rectangle(command, x, y, width, height);
        rules.fill();
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
        RenderingInfo open = rules.rendering();
        if (clearDepth) {
            requireDepth(command, depth);
            DepthAttachment target = open == null ? null : open.depth();
            requireWritten(
                    command,
                    "depth",
                    open != null
                            && target != null
                            && (target.readOnly() || rules.isKept(open.colors().size())));
        }
        if (clearStencil) {
            requireStencil(command, stencil);
            StencilAttachment target = open == null ? null : open.stencil();
            requireWritten(command, "stencil", target != null && target.readOnly());
        }
        rectangle(command, x, y, width, height);
        rules.fill();
        if (open == null && clearDepth) {
            rules.needs().depthWritten(command);
        }
        if (open == null && clearStencil) {
            rules.needs().stencilWritten(command);
        }
    }

    private void requireWritten(String command, String what, boolean readOnly) {
        if (readOnly) {
            throw new IllegalArgumentException(rules.where(command) + ": the " + what
                    + " attachment of the render pass is read only; attach it to be written");
        }
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
                || (open != null
                        && (x < open.x()
                                || y < open.y()
                                || (long) x + width > open.x() + open.width()
                                || (long) y + height > open.y() + open.height()))) {
            throw new IllegalArgumentException(rules.where(command) + ": rectangle " + width + "x" + height + " at " + x
                    + "," + y + " is not within the render area" + (open == null ? "" : " of " + area(open)));
        }
        if (open == null) {
            rules.needs().cleared(x, y, (int) Math.min(Integer.MAX_VALUE, (long) x + width), (int)
                    Math.min(Integer.MAX_VALUE, (long) y + height));
        }
    }

    static String area(RenderingInfo info) {
        String extent = info.width() + "x" + info.height();
        return info.x() == 0 && info.y() == 0 ? extent : extent + " at " + info.x() + "," + info.y();
    }

    public void viewport(int index, float x, float y, float width, float height, float minDepth, float maxDepth) {
        rules.requireRecording("setViewport");
        requireViewport("setViewport", index);
        if (!Float.isFinite(x) || !Float.isFinite(y)) {
            throw new IllegalArgumentException(
                    rules.where("setViewport") + " needs a finite corner, got " + x + "," + y);
        }
        if (!(width > 0) || height == 0 || !Float.isFinite(width) || !Float.isFinite(height)) {
            throw new IllegalArgumentException(rules.where("setViewport") + " needs a finite extent, with a positive"
                    + " width and a height that is not 0, got " + width + "x" + height);
        }
        if (!(minDepth >= 0 && minDepth <= 1 && maxDepth >= 0 && maxDepth <= 1)) {
            throw new IllegalArgumentException(
                    rules.where("setViewport") + " needs depths of 0 to 1, got " + minDepth + " to " + maxDepth);
        }
        DeviceLimits.Rendering limits = rules.capabilities().limits().rendering();
        if (width > limits.maxViewportWidth() || Math.abs(height) > limits.maxViewportHeight()) {
            throw new IllegalArgumentException(rules.where("setViewport") + " has an extent of " + width + "x" + height
                    + ", the device allows " + (float) limits.maxViewportWidth() + "x"
                    + (float) limits.maxViewportHeight() + " (maxViewportWidth, maxViewportHeight)");
        }
        if (x < limits.minViewportBound()
                || Math.min(y, y + height) < limits.minViewportBound()
                || x + width > limits.maxViewportBound()
                || Math.max(y, y + height) > limits.maxViewportBound()) {
            throw new IllegalArgumentException(rules.where("setViewport") + " of " + width + "x" + height + " at " + x
                    + "," + y + " is not within " + limits.minViewportBound() + " to " + limits.maxViewportBound()
                    + " (minViewportBound, maxViewportBound)");
        }
        rules.viewport(index);
    }

    public void scissor(int index, int x, int y, int width, int height) {
        rules.requireRecording("setScissor");
        requireViewport("setScissor", index);
        if (x < 0 || y < 0 || width < 0 || height < 0) {
            throw new IllegalArgumentException(rules.where("setScissor")
                    + " needs a rectangle that is not negative, got " + width + "x" + height + " at " + x + "," + y);
        }
        if ((long) x + width > Integer.MAX_VALUE || (long) y + height > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(rules.where("setScissor") + " needs a rectangle that ends within "
                    + Integer.MAX_VALUE + " texels, got " + width + "x" + height + " at " + x + "," + y);
        }
        rules.scissor(index);
    }

    private void requireViewport(String command, int index) {
        int most = rules.capabilities().limits().rendering().maxViewports();
        if (index < 0 || index >= most) {
            throw new IllegalArgumentException(rules.where(command) + ": the device has viewports 0 to " + (most - 1)
                    + " (maxViewports), got " + index);
        }
    }

    public void stencilReference(int reference) {
        rules.requireRecording("setStencilReference");
        requireStencil("setStencilReference", reference);
    }

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
