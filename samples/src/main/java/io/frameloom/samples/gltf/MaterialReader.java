package io.frameloom.samples.gltf;

import de.javagl.jgltf.impl.v2.GlTF;
import de.javagl.jgltf.model.GltfConstants;
import de.javagl.jgltf.model.GltfModel;
import de.javagl.jgltf.model.ImageModel;
import de.javagl.jgltf.model.MaterialModel;
import de.javagl.jgltf.model.MeshPrimitiveModel;
import de.javagl.jgltf.model.TextureModel;
import de.javagl.jgltf.model.v2.MaterialModelV2;
import de.javagl.jgltf.model.v2.MaterialModelV2.AlphaMode;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SamplerDescription.Address;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.MaterialTexture;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.TextureImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.joml.Vector3f;
import org.joml.Vector4f;
import org.jspecify.annotations.Nullable;

/** Turns glTF materials into materials; images are decoded once per colour space. */
final class MaterialReader {
    private static final float BLEND_CUTOFF = 0.5f;

    /** The material of primitives that name none: all defaults of the specification. */
    private static final MaterialModelV2 DEFAULT = new MaterialModelV2();

    private final GlTF gltf;
    private final GltfModel model;
    private final Set<String> notes;
    private final Materials factory = new Materials();
    private final List<Material> materials = new ArrayList<>();
    private final Map<Key, Integer> known = new HashMap<>();
    private final IdentityHashMap<ImageModel, Map<Boolean, TextureImage>> images = new IdentityHashMap<>();

    /** A material is drawn in another way on meshes that have colours. */
    private record Key(MaterialModelV2 material, boolean vertexColors) {}

    MaterialReader(GlTF gltf, GltfModel model, Set<String> notes) {
        this.gltf = gltf;
        this.model = model;
        this.notes = notes;
    }

    List<Material> materials() {
        return materials;
    }

    /** Returns the index of the material of a primitive. */
    int index(MeshPrimitiveModel primitive) throws ModelException {
        MaterialModel given = primitive.getMaterialModel();
        MaterialModelV2 material = given instanceof MaterialModelV2 own ? own : DEFAULT;
        Set<String> attributes = primitive.getAttributes().keySet();
        Key key = new Key(material, attributes.contains("COLOR_0"));
        Integer index = known.get(key);
        if (index == null) {
            index = materials.size();
            materials.add(read(material, key.vertexColors));
            known.put(key, index);
        }
        Material result = materials.get(index);
        // The neutral textures that stand for those not given have one texel, the same at all coordinates.
        for (MaterialTexture texture : result.textures()) {
            if (texture.image().mips().size() > 1 && !attributes.contains("TEXCOORD_" + texture.texcoord())) {
                throw new ModelException("has a mesh without TEXCOORD_" + texture.texcoord() + ", which its material '"
                        + result.name() + "' needs");
            }
        }
        if (result.normalScale() != 0 && attributes.contains("TANGENT")) {
            notes.add("has tangents: those of the texture coordinates are used instead");
        }
        return index;
    }

    private Material read(MaterialModelV2 material, boolean vertexColors) throws ModelException {
        String name = material == DEFAULT
                ? "default"
                : material.getName() == null ? "material " + materials.size() : material.getName();
        float[] base = material.getBaseColorFactor();
        float[] emissive = material.getEmissiveFactor();
        AlphaMode alpha = material.getAlphaMode();
        if (alpha == AlphaMode.BLEND) {
            notes.add("has alpha blending: it is shown as a cut at half coverage");
        }
        float cutoff = switch (alpha) {
            case OPAQUE -> 0;
            case MASK -> material.getAlphaCutoff();
            case BLEND -> BLEND_CUTOFF;
        };
        return factory.of(
                name,
                texture(name, material.getBaseColorTexture(), material.getBaseColorTexcoord(), true),
                texture(name, material.getMetallicRoughnessTexture(), material.getMetallicRoughnessTexcoord(), false),
                texture(name, material.getNormalTexture(), material.getNormalTexcoord(), false),
                texture(name, material.getEmissiveTexture(), material.getEmissiveTexcoord(), true),
                texture(name, material.getOcclusionTexture(), material.getOcclusionTexcoord(), false),
                new Vector4f(base[0], base[1], base[2], base[3]),
                new Vector3f(emissive[0], emissive[1], emissive[2]),
                material.getMetallicFactor(),
                material.getRoughnessFactor(),
                material.getNormalScale(),
                material.getOcclusionStrength(),
                cutoff,
                material.isDoubleSided(),
                false,
                vertexColors);
    }

    private @Nullable MaterialTexture texture(
            String material, @Nullable TextureModel texture, @Nullable Integer texcoord, boolean srgb)
            throws ModelException {
        if (texture == null) {
            return null;
        }
        int set = texcoord == null ? 0 : texcoord;
        if (set < 0 || set > 1) {
            throw new ModelException(
                    "has material '" + material + "' with texture coordinates " + set + "; sets 0 and 1 are supported");
        }
        ImageModel image = texture.getImageModel();
        ByteBuffer data = image == null ? null : image.getImageData();
        if (image == null || data == null) {
            throw new ModelException("has material '" + material + "' with a texture without an image");
        }
        Map<Boolean, TextureImage> decoded = images.computeIfAbsent(image, key -> new HashMap<>());
        TextureImage result = decoded.get(srgb);
        if (result == null) {
            String name = image.getName() == null ? "image of " + material : image.getName();
            result = ImageDecoder.decode(name, data, srgb);
            decoded.put(srgb, result);
        }
        return new MaterialTexture(result, set, sampler(texture));
    }

    /** For a missing sampler the library substitutes filters without mips. */
    private SamplerDescription sampler(TextureModel texture) {
        int index = model.getTextureModels().indexOf(texture);
        if (gltf.getTextures().get(index).getSampler() == null) {
            return SamplerDescription.LINEAR_REPEAT;
        }
        int magnification = texture.getMagFilter() == null ? GltfConstants.GL_LINEAR : texture.getMagFilter();
        int minification =
                texture.getMinFilter() == null ? GltfConstants.GL_LINEAR_MIPMAP_LINEAR : texture.getMinFilter();
        boolean mips = minification != GltfConstants.GL_NEAREST && minification != GltfConstants.GL_LINEAR;
        return new SamplerDescription(
                filter(minification),
                filter(magnification),
                minification == GltfConstants.GL_NEAREST_MIPMAP_LINEAR
                                || minification == GltfConstants.GL_LINEAR_MIPMAP_LINEAR
                        ? Filter.LINEAR
                        : Filter.NEAREST,
                address(texture.getWrapS()),
                address(texture.getWrapT()),
                Address.REPEAT,
                null,
                SamplerDescription.Border.TRANSPARENT_BLACK,
                0,
                // Less than half: only the largest mip, and still a difference between smaller and larger.
                mips ? SamplerDescription.EVERY_MIP : 0.25f,
                0,
                1,
                SamplerDescription.Reduction.WEIGHTED_AVERAGE);
    }

    private static Filter filter(int value) {
        return value == GltfConstants.GL_NEAREST
                        || value == GltfConstants.GL_NEAREST_MIPMAP_NEAREST
                        || value == GltfConstants.GL_NEAREST_MIPMAP_LINEAR
                ? Filter.NEAREST
                : Filter.LINEAR;
    }

    private static Address address(int value) {
        return switch (value) {
            case GltfConstants.GL_MIRRORED_REPEAT -> Address.MIRRORED_REPEAT;
            case GltfConstants.GL_CLAMP_TO_EDGE -> Address.CLAMP_TO_EDGE;
            default -> Address.REPEAT;
        };
    }
}
