package io.frameloom.samples.gltf;

import de.javagl.jgltf.model.ImageModel;
import de.javagl.jgltf.model.MaterialModel;
import de.javagl.jgltf.model.TextureModel;
import de.javagl.jgltf.model.v2.MaterialModelV2;
import de.javagl.jgltf.model.v2.MaterialModelV2.AlphaMode;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.TextureImage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.joml.Vector3f;
import org.joml.Vector4f;
import org.jspecify.annotations.Nullable;

/**
 * Turns glTF materials into materials; images are decoded once per colour space. Alpha blending becomes a cut at half
 * coverage, since the deferred frame has no transparency.
 */
final class MaterialReader {
    private static final float BLEND_CUTOFF = 0.5f;

    private final Materials factory = new Materials();
    private final List<Material> materials = new ArrayList<>();
    private final IdentityHashMap<MaterialModel, Integer> known = new IdentityHashMap<>();
    private final IdentityHashMap<ImageModel, Map<Boolean, TextureImage>> images = new IdentityHashMap<>();
    private int defaultMaterial = -1;

    List<Material> materials() {
        return materials;
    }

    /** Returns the index of the material, the default one for null. */
    int index(@Nullable MaterialModel model) throws ModelException {
        if (!(model instanceof MaterialModelV2 material)) {
            if (defaultMaterial < 0) {
                defaultMaterial = materials.size();
                materials.add(factory.plain("default", 0.8f, 0.8f, 0.8f, 0, 0.7f));
            }
            return defaultMaterial;
        }
        Integer index = known.get(material);
        if (index == null) {
            index = materials.size();
            materials.add(read(material));
            known.put(material, index);
        }
        return index;
    }

    /** Returns the set of texture coordinates of the base colour. */
    static int texcoord(@Nullable MaterialModel model) {
        Integer set = model instanceof MaterialModelV2 material ? material.getBaseColorTexcoord() : null;
        return set == null ? 0 : set;
    }

    private Material read(MaterialModelV2 model) throws ModelException {
        String name = model.getName() == null ? "material " + materials.size() : model.getName();
        float[] base = model.getBaseColorFactor();
        float[] emissive = model.getEmissiveFactor();
        AlphaMode alpha = model.getAlphaMode();
        float cutoff = alpha == AlphaMode.MASK ? model.getAlphaCutoff() : alpha == AlphaMode.BLEND ? BLEND_CUTOFF : 0;
        return factory.of(
                name,
                texture(name, model.getBaseColorTexture(), true),
                texture(name, model.getMetallicRoughnessTexture(), false),
                texture(name, model.getNormalTexture(), false),
                texture(name, model.getEmissiveTexture(), true),
                new Vector4f(base[0], base[1], base[2], base[3]),
                new Vector3f(emissive[0], emissive[1], emissive[2]),
                model.getMetallicFactor(),
                model.getRoughnessFactor(),
                model.getNormalScale(),
                cutoff,
                model.isDoubleSided(),
                false);
    }

    private @Nullable TextureImage texture(String material, @Nullable TextureModel model, boolean srgb)
            throws ModelException {
        if (model == null) {
            return null;
        }
        ImageModel image = model.getImageModel();
        ByteBuffer data = image == null ? null : image.getImageData();
        if (image == null || data == null) {
            throw new ModelException("has material '" + material
                    + "' with a texture that is not in the file; only embedded images are supported");
        }
        Map<Boolean, TextureImage> decoded = images.computeIfAbsent(image, key -> new HashMap<>());
        TextureImage texture = decoded.get(srgb);
        if (texture == null) {
            String name = image.getName() == null ? "image of " + material : image.getName();
            texture = ImageDecoder.decode(name, data, srgb);
            decoded.put(srgb, texture);
        }
        return texture;
    }
}
