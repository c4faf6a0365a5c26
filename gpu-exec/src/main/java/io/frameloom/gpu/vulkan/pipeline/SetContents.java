package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.record.PairRules;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.resource.SamplerCache.Live;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The contents of a written binding set, in the form of {@link BindingValues}. Immutable; any thread. */
final class SetContents {
    private static final int GENERAL = VulkanMasks.layout(TextureLayout.GENERAL);

    private final long[] words;
    private final VulkanTexture.@Nullable View[] views;
    private final @Nullable Resource[] resources;
    private final @Nullable Live[] samplers;
    private final List<Resource> distinct;
    private final int[] traits;

    /**
     * Contents, which are not to be changed any more.
     *
     * @param words values of all elements
     * @param views by element: the view of a texture
     * @param resources by element: the texture or buffer
     * @param samplers by element: the sampler
     * @param traits by binding: those of all its elements
     */
    SetContents(
            long[] words,
            VulkanTexture.@Nullable View[] views,
            @Nullable Resource[] resources,
            @Nullable Live[] samplers,
            int[] traits) {
        this.words = words;
        this.views = views;
        this.resources = resources;
        this.samplers = samplers;
        this.distinct =
                Arrays.stream(resources).flatMap(Stream::ofNullable).distinct().toList();
        this.traits = traits;
    }

    /** Returns the traits of all elements of a binding, by its place in the set, for {@link PairRules}. */
    int traits(int binding) {
        return traits[binding];
    }

    /** Returns the traits of an element, which is a texture or a sampler. */
    int traits(PairRules rules, int element) {
        return BindingValues.traits(rules, words, views, element);
    }

    long[] words() {
        return words;
    }

    VulkanTexture.@Nullable View[] views() {
        return views;
    }

    /** Copies resources and samplers to arrays, from a place on. */
    void copy(@Nullable Resource[] bound, @Nullable Live[] samplersOf, int first) {
        System.arraycopy(resources, 0, bound, first, resources.length);
        System.arraycopy(samplers, 0, samplersOf, first, samplers.length);
    }

    /** Returns its resources, each once. */
    List<Resource> resources() {
        return distinct;
    }

    /** Returns the texture or buffer of an element, null if it is a sampler. */
    @Nullable
    Resource resource(int element) {
        return resources[element];
    }

    boolean isIn(PassLayouts layouts) {
        if (layouts.isEmpty()) {
            return true;
        }
        for (int i = 0; i < views.length; i++) {
            VulkanTexture.View view = views[i];
            if (view != null) {
                // Storage is written as GENERAL, and nothing else is.
                boolean storage = words[i * BindingValues.WIDTH + BindingValues.LAYOUT] == GENERAL;
                TextureLayout natural = storage ? TextureLayout.GENERAL : TextureLayout.SHADER_RO;
                TextureLayout declared = storage
                        ? layouts.storage(view.texture(), view.range())
                        : layouts.sampled(view.texture(), view.range());
                if (declared != natural) {
                    return false;
                }
            }
        }
        return true;
    }
}
