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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which textures of a plan can be looked at after its passes. Stateless. */
final class TextureChoice {
    private TextureChoice() {}

    /**
     * A texture with contents at the end of the frame.
     *
     * @param number which of the textures of this name it is, from 0 on, in order of declaration
     * @param equals how many textures have this name
     * @param mips how many mips have contents, from the finest on
     */
    record Candidate(String name, int number, int equals, TextureDescription shape, int mips) {
        boolean is(String wanted, int which) {
            return number == which && name.equals(wanted);
        }

        String words() {
            return name + (equals == 1 ? "" : " #" + (number + 1)) + "  " + shape.width() + "x" + shape.height() + " "
                    + shape.format();
        }
    }

    /** Returns the textures of a plan that a shader can sample, in order of declaration. */
    static List<Candidate> of(FramePlan plan) {
        Map<String, Integer> counts = new HashMap<>();
        for (ResourcePlan resource : plan.resources()) {
            if (resource.textureDescription() != null) {
                counts.merge(resource.name(), 1, Integer::sum);
            }
        }
        Map<String, Integer> numbers = new HashMap<>();
        List<Candidate> candidates = new ArrayList<>();
        for (ResourcePlan resource : plan.resources()) {
            TextureDescription shape = resource.textureDescription();
            if (shape == null) {
                continue;
            }
            int number = numbers.merge(resource.name(), 1, Integer::sum) - 1;
            if (!canBeSampled(resource, shape)) {
                continue;
            }
            int mips = resource.initialLayout() == TextureLayout.UNDEFINED ? written(plan, resource) : shape.mips();
            if (mips > 0) {
                int equals = counts.getOrDefault(resource.name(), 1);
                candidates.add(new Candidate(resource.name(), number, equals, shape, mips));
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

    /**
     * Returns a view of a mip of the first layer of a candidate, or null if this frame has no such texture, or not as
     * many of its name: then its passes may be others, too, and leave it without contents.
     */
    static @Nullable RdgTextureView find(RenderGraph graph, Candidate candidate, int mip, RdgTexture target) {
        List<RdgTexture> equals = graph.textures().stream()
                .filter(texture -> texture.name().equals(candidate.name))
                .toList();
        if (equals.size() != candidate.equals) {
            return null;
        }
        RdgTexture texture = equals.get(candidate.number);
        if (texture == target || !isOfShape(texture.description(), candidate.shape)) {
            return null;
        }
        SubresourceRange range = SubresourceRange.of(mip, 0).plane(0);
        return texture.view(range, TextureViewKind.TWO_D, candidate.shape.format());
    }

    /** Compares all but the usage, which a plan completes. */
    private static boolean isOfShape(TextureDescription shape, TextureDescription other) {
        return shape.kind() == other.kind()
                && shape.format() == other.format()
                && shape.width() == other.width()
                && shape.height() == other.height()
                && shape.layers() == other.layers()
                && shape.mips() == other.mips()
                && shape.samples() == other.samples();
    }
}
