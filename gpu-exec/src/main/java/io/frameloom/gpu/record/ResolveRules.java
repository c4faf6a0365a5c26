package io.frameloom.gpu.record;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthResolve;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checks of the resolves of depth and stencil attachments. */
final class ResolveRules {
    private final RecordingRules rules;
    private final RenderingRules attachments;

    ResolveRules(RecordingRules rules, RenderingRules attachments) {
        this.rules = rules;
        this.attachments = attachments;
    }

    /** Checks the resolve of a depth attachment, if there is one. */
    void depth(String command, RenderingInfo info, DepthAttachment depth) {
        DepthResolve resolve = depth.resolve();
        if (resolve != null) {
            target(command, info, depth.view(), resolve, limits().depthModes(), "depth");
            if (resolve.view().range().basePlane() != 0) {
                throw attachments.aspect(command, resolve.view(), "depth");
            }
        }
    }

    /** Checks the resolve of a stencil attachment, if there is one. */
    void stencil(String command, RenderingInfo info, StencilAttachment stencil) {
        DepthResolve resolve = stencil.resolve();
        if (resolve != null) {
            target(command, info, stencil.view(), resolve, limits().stencilModes(), "stencil");
            SubresourceRange range = resolve.view().range();
            Format format = resolve.view().format();
            if (format.aspect(range.basePlane() + range.planeCount() - 1) != Format.Aspect.STENCIL) {
                throw attachments.aspect(command, resolve.view(), "stencil");
            }
        }
    }

    /** Checks that a device can combine the resolves of depth and stencil. */
    void together(String command, DepthAttachment depth, StencilAttachment stencil) {
        DepthResolve ofDepth = depth.resolve();
        DepthResolve ofStencil = stencil.resolve();
        ResolveMode depthMode = ofDepth == null ? null : ofDepth.mode();
        ResolveMode stencilMode = ofStencil == null ? null : ofStencil.mode();
        boolean one = depthMode == null || stencilMode == null;
        boolean free = one ? limits().independentNone() : limits().independent();
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
        TextureView target = resolve.view();
        attachments.attachment(command, info, target, TextureUsage.DEPTH_ATTACHMENT, 1);
        String name = source.texture().name();
        if (source.texture().description().samples() == 1) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '" + name
                    + "' has one sample, there is nothing to resolve to '"
                    + target.texture().name() + "'");
        }
        if (target.format() != source.format()) {
            throw new IllegalArgumentException(rules.where(command) + ": attachment '" + name + "' of "
                    + source.format() + " cannot be resolved to '"
                    + target.texture().name() + "' of " + target.format() + "; give both the same format");
        }
        if (!modes.contains(resolve.mode())) {
            throw new IllegalArgumentException(rules.where(command) + ": device '"
                    + rules.capabilities().name() + "' cannot resolve " + what + " by " + resolve.mode() + ", only by "
                    + modes);
        }
    }

    private DeviceLimits.DepthResolve limits() {
        return rules.capabilities().limits().depthResolve();
    }
}
