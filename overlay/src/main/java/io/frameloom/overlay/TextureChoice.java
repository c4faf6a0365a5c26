package io.frameloom.overlay;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Format.NumericKind;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureViewKind;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgTextureView;
import io.frameloom.rdg.RenderGraph;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which textures of a plan can be looked at after its passes. Stateless. */
final class TextureChoice {
    private TextureChoice() {}

    /**
     * A texture with contents at the end of the frame.
     *
     * @param mips how many mips have contents, from the finest on
     */
    record Candidate(String name, TextureDescription shape, int mips) {
        String words() {
            return name + "  " + shape.width() + "x" + shape.height() + " " + shape.format();
        }
    }

    /** Returns the textures of a plan that a shader can sample, in order of declaration. */
    static List<Candidate> of(FramePlan plan) {
        List<Candidate> candidates = new ArrayList<>();
        for (ResourcePlan resource : plan.resources()) {
            TextureDescription shape = resource.textureDescription();
            if (shape == null || !canBeSampled(resource, shape)) {
                continue;
            }
            int mips = resource.initialLayout() == TextureLayout.UNDEFINED ? written(plan, resource) : shape.mips();
            if (mips > 0) {
                candidates.add(new Candidate(resource.name(), shape, mips));
            }
        }
        return candidates;
    }

    private static boolean canBeSampled(ResourcePlan resource, TextureDescription shape) {
        Format format = shape.format();
        return shape.samples() == 1
                && shape.kind() != TextureKind.THREE_D
                && format.kind() == NumericKind.FLOAT
                && !resource.lazy()
                && (resource.lifetime() == Lifetime.TRANSIENT || shape.usage().contains(TextureUsage.SAMPLED));
    }

    /** Counts the mips of layer 0, from the finest on, that passes write, culled ones too: a reader lets them run. */
    private static int written(FramePlan plan, ResourcePlan resource) {
        int mips = 0;
        while (isWritten(plan, resource.index(), mips)) {
            mips++;
        }
        return mips;
    }

    private static boolean isWritten(FramePlan plan, int resource, int mip) {
        for (PassPlan pass : plan.passes()) {
            for (UsePlan use : pass.uses()) {
                SubresourceRange range = use.range();
                if (use.resource() == resource && use.access().writes() && range != null && range.contains(mip, 0, 0)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns a view of a mip of the first layer of a candidate, or null if this frame has no such texture. */
    static @Nullable RdgTextureView find(RenderGraph graph, Candidate candidate, int mip, RdgTexture target) {
        for (RdgTexture texture : graph.textures()) {
            if (texture != target
                    && texture.name().equals(candidate.name)
                    && texture.description().format() == candidate.shape.format()
                    && texture.description().mips() > mip) {
                SubresourceRange range = SubresourceRange.of(mip, 0).plane(0);
                return texture.view(range, TextureViewKind.TWO_D, candidate.shape.format());
            }
        }
        return null;
    }
}
