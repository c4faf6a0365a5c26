package io.frameloom.samples.scene;

import org.joml.Vector3f;
import org.joml.Vector3fc;
import org.joml.Vector4f;
import org.joml.Vector4fc;
import org.jspecify.annotations.Nullable;

/** Makes materials; textures that are not given are shared one-texel ones. Not thread-safe. */
public final class Materials {
    private final MaterialTexture white = new MaterialTexture(TextureImage.solid("white", true, 255, 255, 255, 255));
    private final MaterialTexture ones = new MaterialTexture(TextureImage.solid("ones", false, 255, 255, 255, 255));
    private final MaterialTexture flat =
            new MaterialTexture(TextureImage.solid("flat normal", false, 128, 128, 255, 255));

    /** A material with everything chosen; null textures are neutral. */
    public Material of(
            String name,
            @Nullable MaterialTexture baseColor,
            @Nullable MaterialTexture metallicRoughness,
            @Nullable MaterialTexture normal,
            @Nullable MaterialTexture emissive,
            @Nullable MaterialTexture occlusion,
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
        return new Material(
                name,
                baseColor == null ? white : baseColor,
                metallicRoughness == null ? ones : metallicRoughness,
                normal == null ? flat : normal,
                emissive == null ? white : emissive,
                occlusion == null ? ones : occlusion,
                baseColorFactor,
                emissiveFactor,
                metallic,
                roughness,
                normal == null ? 0 : normalScale,
                occlusion == null ? 0 : occlusionStrength,
                alphaCutoff,
                twoSided,
                tintEmissive,
                vertexColors);
    }

    /** An opaque material of one colour. */
    public Material plain(String name, float red, float green, float blue, float metallic, float roughness) {
        return of(
                name,
                null,
                null,
                null,
                null,
                null,
                new Vector4f(red, green, blue, 1),
                new Vector3f(),
                metallic,
                roughness,
                1,
                0,
                0,
                false,
                false,
                false);
    }

    /** An opaque textured material. */
    public Material textured(
            String name,
            TextureImage baseColor,
            @Nullable TextureImage metallicRoughness,
            @Nullable TextureImage normal,
            @Nullable TextureImage emissive,
            float emission) {
        return of(
                name,
                new MaterialTexture(baseColor),
                metallicRoughness == null ? null : new MaterialTexture(metallicRoughness),
                normal == null ? null : new MaterialTexture(normal),
                emissive == null ? null : new MaterialTexture(emissive),
                null,
                new Vector4f(1),
                new Vector3f(emission),
                metallicRoughness == null ? 0 : 1,
                metallicRoughness == null ? 0.9f : 1,
                1,
                0,
                0,
                false,
                false,
                false);
    }

    /** A material that shines in the tint of the draw. */
    public Material glowing(String name, float emission) {
        return of(
                name,
                null,
                null,
                null,
                null,
                null,
                new Vector4f(0.05f, 0.05f, 0.05f, 1),
                new Vector3f(emission),
                0,
                0.6f,
                1,
                0,
                0,
                false,
                true,
                false);
    }
}
