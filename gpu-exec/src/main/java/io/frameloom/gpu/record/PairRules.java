package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.Elements;
import io.frameloom.gpu.pipeline.BoundResource.SampledImage;
import io.frameloom.gpu.pipeline.BoundResource.SampledTexture;
import io.frameloom.gpu.pipeline.BoundResource.SeparateSampler;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.shader.SamplerPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The checks of images against the samplers that the shaders of one pipeline sample them with, where both are bound
 * separately: they meet at the draw or dispatch. A bound resource is known by its traits, a few bits each, and a check
 * that passes allocates nothing. Immutable; any thread.
 */
public final class PairRules {
    private static final int ANY = -1;

    private final String pipeline;
    private final List<ShaderBinding> bindings;
    private final BindingRules.Owner owner;
    private final Pair[] pairs;
    private final int sets;

    /** An image and a sampler by slots; an element of -1 is any. */
    private record Pair(int image, int imageElement, int sampler, int samplerElement, int refused) {}

    /** What is bound, by slots of the pipeline. */
    public interface Bound {
        /** Returns the traits of an element, 0 if nothing is bound to it. */
        int traits(int slot, int element);

        int traits(int slot);

        TextureView view(int slot, int element);
    }

    PairRules(String pipeline, List<ShaderBinding> bindings, List<SamplerPair> pairs, BindingRules.Owner owner) {
        this.pipeline = pipeline;
        this.bindings = bindings;
        this.owner = owner;
        List<Pair> found = new ArrayList<>();
        int mask = 0;
        for (SamplerPair pair : pairs) {
            for (int image : slots(pair.image(), Kind.SAMPLED_IMAGE, Kind.SAMPLED_TEXTURE)) {
                for (int sampler : slots(pair.sampler(), Kind.SAMPLER, Kind.SAMPLER)) {
                    found.add(new Pair(
                            image,
                            element(pair.image(), image),
                            sampler,
                            element(pair.sampler(), sampler),
                            SamplerFit.refusedBy(pair.comparison())));
                    mask |= 1 << bindings.get(image).set()
                            | 1 << bindings.get(sampler).set();
                }
            }
        }
        this.pairs = found.toArray(new Pair[0]);
        this.sets = mask;
    }

    private List<Integer> slots(SamplerPair.Part part, Kind kind, Kind other) {
        List<Integer> slots = new ArrayList<>();
        for (int slot = 0; slot < bindings.size(); slot++) {
            ShaderBinding binding = bindings.get(slot);
            boolean there = part.set() < 0 || (binding.set() == part.set() && binding.binding() == part.binding());
            if (there && (binding.kind() == kind || binding.kind() == other)) {
                slots.add(slot);
            }
        }
        return slots;
    }

    private int element(SamplerPair.Part part, int slot) {
        int count = bindings.get(slot).count();
        if (count == 1) {
            return 0;
        }
        return part.element() < count ? part.element() : ANY;
    }

    /** Returns the bit mask of the sets that have images or samplers of pairs; 0 if there are no pairs. */
    public int sets() {
        return sets;
    }

    public int traits(TextureView view) {
        return SamplerFit.refusedBy(view, owner);
    }

    public static int traits(Sampler sampler) {
        return SamplerFit.of(sampler.description());
    }

    /** Returns the traits of a single resource; 0 for one that is in no pair. */
    public int traits(@Nullable BoundResource resource) {
        if (resource instanceof SampledImage image) {
            return traits(image.view());
        }
        if (resource instanceof SampledTexture texture) {
            return traits(texture.view());
        }
        return resource instanceof SeparateSampler separate ? traits(separate.sampler()) : 0;
    }

    /** Returns the defect of the first pair that does not fit, or null. */
    public @Nullable String clash(Bound bound) {
        for (Pair pair : pairs) {
            int image = traits(bound, pair.image, pair.imageElement);
            int sampler = traits(bound, pair.sampler, pair.samplerElement);
            // An empty slot refuses nothing: other checks report a missing resource.
            if ((sampler & (image | pair.refused)) != 0) {
                return words(bound, pair, sampler, image);
            }
        }
        return null;
    }

    private static int traits(Bound bound, int slot, int element) {
        return element == ANY ? bound.traits(slot) : bound.traits(slot, element);
    }

    private String words(Bound bound, Pair pair, int sampler, int image) {
        int refused = sampler & pair.refused;
        if (refused != 0) {
            boolean compares = refused == SamplerFit.COMPARES;
            int element = first(bound, pair.sampler, pair.samplerElement, refused);
            return "the sampler bound to '" + element(pair.sampler, element) + "' of pipeline '" + pipeline + "' "
                    + (compares ? "compares" : "does not compare")
                    + ", the shader samples '" + name(pair.image) + "' with one that "
                    + (compares ? "does not" : "does") + "; bind what the shader declares";
        }
        int element = first(bound, pair.image, pair.imageElement, sampler & image);
        int refusedThere = sampler & bound.traits(pair.image, element);
        int met = first(bound, pair.sampler, pair.samplerElement, refusedThere);
        int clash = refusedThere & bound.traits(pair.sampler, met);
        TextureView view = bound.view(pair.image, element);
        String other = "'" + element(pair.sampler, met) + "'";
        return "texture '" + view.texture().name() + "' bound to '" + element(pair.image, element) + "' of pipeline '"
                + pipeline + "' "
                + SamplerFit.words(clash, view, "is sampled with " + other + ", a sampler", "sampler " + other);
    }

    private String name(int slot) {
        return bindings.get(slot).name();
    }

    private String element(int slot, int element) {
        return bindings.get(slot).count() == 1 ? name(slot) : name(slot) + "[" + element + "]";
    }

    private int first(Bound bound, int slot, int element, int traits) {
        int first = Math.max(0, element);
        while (element == ANY && (bound.traits(slot, first) & traits) == 0) {
            first++;
        }
        return first;
    }

    /** Checks a binding set against the samplings of the pipeline that it is made for. */
    void checkSet(String set, Map<String, BoundResource> resources) {
        String clash = clash(new Bound() {
            @Override
            public int traits(int slot, int element) {
                return PairRules.this.traits(resource(slot, element));
            }

            @Override
            public int traits(int slot) {
                int all = 0;
                for (int i = 0; i < bindings.get(slot).count(); i++) {
                    all |= traits(slot, i);
                }
                return all;
            }

            @Override
            public TextureView view(int slot, int element) {
                return viewOf(resource(slot, element));
            }

            private @Nullable BoundResource resource(int slot, int element) {
                BoundResource resource = resources.get(name(slot));
                return resource instanceof Elements array ? array.elements().get(element) : resource;
            }
        });
        if (clash != null) {
            throw new IllegalArgumentException("binding set '" + set + "': " + clash);
        }
    }

    public static TextureView viewOf(@Nullable BoundResource resource) {
        if (resource instanceof SampledImage image) {
            return image.view();
        }
        if (resource instanceof SampledTexture texture) {
            return texture.view();
        }
        throw new IllegalStateException(resource + " has no texture that is sampled");
    }
}
