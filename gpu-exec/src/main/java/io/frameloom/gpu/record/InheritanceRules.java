package io.frameloom.gpu.record;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import java.util.List;
import java.util.function.Function;

/**
 * The checks of the formats with which secondary lists are begun: that a render pass can have them. A check that passes
 * allocates nothing. Stateless.
 */
public final class InheritanceRules {
    private InheritanceRules() {}

    /**
     * Checks formats.
     *
     * @param formats the device's support of formats
     */
    public static void check(
            String list,
            RenderingFormats rendering,
            DeviceCapabilities device,
            Function<Format, FormatSupport> formats) {
        List<Format> colors = rendering.colors();
        int most = device.limits().drawing().maxColorAttachments();
        if (colors.size() > most) {
            throw refused(list, " has " + colors.size() + " colour attachments, the device allows " + most);
        }
        int layers = device.limits().rendering().maxLayers();
        if (rendering.layers() > layers) {
            throw refused(
                    list, ": a render pass has 1 to " + layers + " layers, got " + rendering.layers() + " (maxLayers)");
        }
        int samples = rendering.samples();
        for (int i = 0; i < colors.size(); i++) {
            FormatSupport support = formats.apply(colors.get(i));
            if (!support.colorAttachment()) {
                throw refused(
                        list,
                        " has colour attachment " + i + " of format " + colors.get(i)
                                + ", which the device cannot draw to");
            }
            samples(list, colors.get(i), support, samples);
        }
        Format depth = rendering.depth();
        if (depth != null) {
            FormatSupport support = formats.apply(depth);
            if (!depth.hasDepth() || !support.depthAttachment()) {
                throw refused(list, " has a depth attachment of format " + depth + ", which cannot be one");
            }
            samples(list, depth, support, samples);
        }
        Format stencil = rendering.stencil();
        if (stencil != null) {
            FormatSupport support = formats.apply(stencil);
            if (!stencil.hasStencil() || !support.depthAttachment()) {
                throw refused(list, " has a stencil attachment of format " + stencil + ", which cannot be one");
            }
            samples(list, stencil, support, samples);
        }
        if (depth != null && stencil != null && depth != stencil) {
            throw refused(
                    list,
                    " has depth of format " + depth + " and stencil of format " + stencil
                            + "; both are planes of one texture, give its format for both");
        }
        if (samples != 1 && colors.isEmpty() && depth == null && stencil == null) {
            throw refused(list, " has " + samples + " samples but no attachments; such a render pass has 1");
        }
    }

    private static void samples(String list, Format format, FormatSupport support, int samples) {
        if (!support.supportsSamples(samples)) {
            throw refused(
                    list,
                    " has attachments of " + samples + " samples, but the device allows those of the mask 0x"
                            + Integer.toHexString(support.sampleCounts()) + " for " + format);
        }
    }

    private static IllegalArgumentException refused(String list, String words) {
        return new IllegalArgumentException("beginSecondary in command list '" + list + "'" + words);
    }
}
