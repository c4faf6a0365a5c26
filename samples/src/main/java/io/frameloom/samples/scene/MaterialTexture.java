package io.frameloom.samples.scene;

import io.frameloom.gpu.resource.SamplerDescription;

/**
 * A texture as a material samples it.
 *
 * @param image the texture
 * @param texcoord the set of texture coordinates of the mesh, 0 or 1
 * @param sampler filters and address modes; the device adds anisotropy where mips are filtered
 */
public record MaterialTexture(TextureImage image, int texcoord, SamplerDescription sampler) {
    /** A texture that repeats, in the first set of coordinates. */
    public MaterialTexture(TextureImage image) {
        this(image, 0, SamplerDescription.LINEAR_REPEAT);
    }
}
