package io.frameloom.samples.scene;

import io.frameloom.gpu.resource.SamplerDescription;
import org.joml.Matrix3x2f;
import org.joml.Matrix3x2fc;

/**
 * A texture as a material samples it.
 *
 * @param image the texture
 * @param texcoord the set of texture coordinates of the mesh, 0 or 1
 * @param sampler filters and address modes; the device adds anisotropy where mips are filtered
 * @param transform takes the coordinates of the mesh to those of the texture
 */
public record MaterialTexture(TextureImage image, int texcoord, SamplerDescription sampler, Matrix3x2fc transform) {
    /** The coordinates of the mesh are those of the texture. */
    public static final Matrix3x2fc UNCHANGED = new Matrix3x2f();

    /** A texture that repeats, in the first set of coordinates. */
    public MaterialTexture(TextureImage image) {
        this(image, 0, SamplerDescription.LINEAR_REPEAT, UNCHANGED);
    }
}
