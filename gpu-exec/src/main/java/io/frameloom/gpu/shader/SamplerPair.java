package io.frameloom.gpu.shader;

import io.frameloom.gpu.pipeline.ShaderBinding.Comparison;

/**
 * An image and a sampler of a shader, bound separately, that it samples with each other.
 *
 * @param image where the image is bound
 * @param sampler where the sampler is bound
 * @param comparison whether they are sampled by comparing depth; {@link Comparison#UNKNOWN} if sometimes
 */
public record SamplerPair(Part image, Part sampler, Comparison comparison) {
    /**
     * One of the two.
     *
     * @param set descriptor set; negative if the origin is unknown: it may be any
     * @param element element of an array; negative if it may be any
     */
    public record Part(int set, int binding, int element) {
        /** Any bound one. */
        public static final Part ANY = new Part(-1, -1, -1);
    }
}
