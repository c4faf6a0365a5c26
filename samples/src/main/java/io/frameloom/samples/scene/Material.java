package io.frameloom.samples.scene;

import org.joml.Vector3fc;
import org.joml.Vector4fc;

/**
 * A surface in the metallic-roughness model of glTF 2.0.
 *
 * @param name name for messages
 * @param baseColor base colour and alpha, sRGB
 * @param metallicRoughness roughness in green, metallic in blue, linear
 * @param normal tangent-space normals, linear
 * @param emissive emitted colour, sRGB
 * @param baseColorFactor multiplies the base colour
 * @param emissiveFactor multiplies the emitted colour; may exceed 1
 * @param metallic multiplies metallic
 * @param roughness multiplies roughness
 * @param normalScale strength of the normals, 0 to ignore them
 * @param alphaCutoff texels with less alpha are holes; 0 for an opaque surface
 * @param twoSided whether back faces are drawn
 * @param tintEmissive whether the tint of a draw colours what is emitted
 */
public record Material(
        String name,
        TextureImage baseColor,
        TextureImage metallicRoughness,
        TextureImage normal,
        TextureImage emissive,
        Vector4fc baseColorFactor,
        Vector3fc emissiveFactor,
        float metallic,
        float roughness,
        float normalScale,
        float alphaCutoff,
        boolean twoSided,
        boolean tintEmissive) {

    /** Returns whether it is drawn by the pipelines for holes and back faces. */
    public boolean special() {
        return twoSided || alphaCutoff > 0;
    }
}
