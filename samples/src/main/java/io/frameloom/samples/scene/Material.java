package io.frameloom.samples.scene;

import java.util.List;
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
 * @param occlusion share of ambient light that arrives, in red, linear
 * @param baseColorFactor multiplies the base colour
 * @param emissiveFactor multiplies the emitted colour; may exceed 1
 * @param metallic multiplies metallic
 * @param roughness multiplies roughness
 * @param normalScale strength of the normals, 0 to ignore them
 * @param occlusionStrength strength of the occlusion, 0 to ignore it
 * @param alphaCutoff texels with less alpha are holes; 0 for an opaque surface
 * @param twoSided whether back faces are drawn
 * @param tintEmissive whether the tint of a draw colours what is emitted
 * @param vertexColors whether the meshes have colours, which multiply the base colour
 */
public record Material(
        String name,
        MaterialTexture baseColor,
        MaterialTexture metallicRoughness,
        MaterialTexture normal,
        MaterialTexture emissive,
        MaterialTexture occlusion,
        Vector4fc baseColorFactor,
        Vector3fc emissiveFactor,
        float metallic,
        float roughness,
        float normalScale,
        float occlusionStrength,
        float alphaCutoff,
        boolean twoSided,
        boolean tintEmissive,
        boolean vertexColors) {

    /** Returns the textures in the order in which the shaders number them. */
    public List<MaterialTexture> textures() {
        return List.of(baseColor, metallicRoughness, normal, emissive, occlusion);
    }

    /** Returns whether it needs more than the pipelines for plain opaque surfaces have. */
    public boolean special() {
        return twoSided
                || alphaCutoff > 0
                || vertexColors
                || occlusionStrength > 0
                || textures().stream()
                        .anyMatch(texture ->
                                texture.texcoord() > 0 || !texture.transform().equals(MaterialTexture.UNCHANGED));
    }
}
