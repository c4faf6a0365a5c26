package io.frameloom.gpu.resource;

import io.frameloom.gpu.GpuDevice;

/**
 * What a device can do with textures of a format; returned by {@link GpuDevice#formatSupport}.
 *
 * @param sampled sampled by shaders
 * @param linearFilter sampled or blitted with linear filtering
 * @param reduction sampled with the {@linkplain SamplerDescription.Reduction smallest or largest} texel of a filter;
 *     for textures with stencil, only their depth
 * @param storage read and written as storage
 * @param storageAtomics storage with atomic operations
 * @param colorAttachment colour attachment
 * @param blend colour attachment with blending
 * @param depthAttachment depth or stencil attachment
 * @param copies source and destination of copies
 * @param vertices attribute of vertices
 * @param sampleCounts mask whose bit {@code n} (of value {@code n}) is set if attachments may have {@code n} samples
 */
public record FormatSupport(
        boolean sampled,
        boolean linearFilter,
        boolean reduction,
        boolean storage,
        boolean storageAtomics,
        boolean colorAttachment,
        boolean blend,
        boolean depthAttachment,
        boolean blitSource,
        boolean blitDestination,
        boolean copies,
        boolean vertices,
        int sampleCounts) {

    /** Returns whether textures can have a usage. */
    public boolean supports(TextureUsage usage) {
        return switch (usage) {
            case SAMPLED -> sampled;
            case STORAGE -> storage;
            case COLOR_ATTACHMENT -> colorAttachment;
            case DEPTH_ATTACHMENT -> depthAttachment;
            case COPY_SRC, COPY_DST -> copies;
            case TRANSIENT_ATTACHMENT, INPUT_ATTACHMENT -> colorAttachment || depthAttachment;
        };
    }

    /** Returns whether attachments may have {@code samples} samples: 1, 2, 4 ... 64. */
    public boolean supportsSamples(int samples) {
        return Integer.bitCount(samples) == 1 && (sampleCounts & samples) != 0;
    }
}
