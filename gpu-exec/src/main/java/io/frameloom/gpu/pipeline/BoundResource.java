package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureView;
import java.util.List;

/** A resource as bound to a name of a shader. */
public sealed interface BoundResource {
    /** A sampled texture with its sampler. */
    record SampledTexture(TextureView view, Sampler sampler) implements BoundResource {}

    /** A sampled texture alone, whose samplers are bound separately. */
    record SampledImage(TextureView view) implements BoundResource {}

    /** A sampler alone, for textures that are bound separately. */
    record SeparateSampler(Sampler sampler) implements BoundResource {}

    /**
     * A storage texture.
     *
     * @param view view of one mip
     */
    record StorageTexture(TextureView view) implements BoundResource {}

    /**
     * The elements of an array of resources.
     *
     * @param elements one for each element, none of them an array
     */
    record Elements(List<BoundResource> elements) implements BoundResource {
        public Elements {
            elements = List.copyOf(elements);
        }
    }

    /**
     * A range of a uniform or storage buffer.
     *
     * @param offset first byte, aligned as the device requires
     * @param bytes length
     */
    record BufferRange(Buffer buffer, long offset, long bytes) implements BoundResource {}

    /** An acceleration structure. */
    record Structure(AccelerationStructure structure) implements BoundResource {}
}
