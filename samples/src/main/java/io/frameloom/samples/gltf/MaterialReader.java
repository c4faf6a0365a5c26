package io.frameloom.samples.gltf;

import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SamplerDescription.Address;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.MaterialTexture;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.TextureImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.joml.Matrix3x2f;
import org.joml.Matrix3x2fc;
import org.joml.Vector3f;
import org.joml.Vector4f;
import org.jspecify.annotations.Nullable;

/** Turns glTF materials into materials; images are decoded once per colour space. */
final class MaterialReader {
    private static final float BLEND_CUTOFF = 0.5f;

    /** The number of the material of primitives that name none: all defaults of the specification. */
    private static final int DEFAULT = -1;

    private enum Alpha {
        OPAQUE,
        MASK,
        BLEND
    }

    private static final Map<String, Alpha> ALPHA_MODES =
            Map.of("OPAQUE", Alpha.OPAQUE, "MASK", Alpha.MASK, "BLEND", Alpha.BLEND);

    private static final Map<String, Address> ADDRESSES =
            Map.of("10497", Address.REPEAT, "33648", Address.MIRRORED_REPEAT, "33071", Address.CLAMP_TO_EDGE);

    private static final Map<String, Filter> MAGNIFICATIONS = Map.of("9728", Filter.NEAREST, "9729", Filter.LINEAR);

    /**
     * How smaller textures are read.
     *
     * @param mips between mips; null for the largest one alone
     */
    private record Minification(Filter texels, @Nullable Filter mips) {}

    private static final Minification TRILINEAR = new Minification(Filter.LINEAR, Filter.LINEAR);

    private static final Map<String, Minification> MINIFICATIONS = Map.of(
            "9728", new Minification(Filter.NEAREST, null),
            "9729", new Minification(Filter.LINEAR, null),
            "9984", new Minification(Filter.NEAREST, Filter.NEAREST),
            "9985", new Minification(Filter.LINEAR, Filter.NEAREST),
            "9986", new Minification(Filter.NEAREST, Filter.LINEAR),
            "9987", TRILINEAR);

    private final GltfDocument document;
    private final Json root;
    private final Set<String> notes;
    private final Materials factory = new Materials();
    private final List<Material> materials = new ArrayList<>();
    private final Map<Key, Integer> known = new HashMap<>();
    private final Map<Decoded, TextureImage> images = new HashMap<>();

    /** A material is drawn in another way on meshes that have colours. */
    private record Key(int material, boolean vertexColors) {}

    private record Decoded(int image, boolean srgb) {}

    MaterialReader(GltfDocument document, Set<String> notes) {
        this.document = document;
        this.notes = notes;
        root = document.root();
    }

    List<Material> materials() {
        return materials;
    }

    /** Returns the index of the material of a primitive. */
    int index(Json primitive) throws ModelException {
        int material = primitive.at("material").integer(DEFAULT);
        List<String> attributes = primitive.at("attributes").names();
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

    private Material read(int number, boolean vertexColors) throws ModelException {
        // What is not there has the defaults.
        Json json = number == DEFAULT
                ? root.at("no material")
                : root.at("materials").at(number);
        String name = json.at("name").text(number == DEFAULT ? "default" : "material " + number);
        Json surface = json.at("pbrMetallicRoughness");
        float[] base = surface.at("baseColorFactor").numbers(1, 1, 1, 1);
        float[] emissive = json.at("emissiveFactor").numbers(0, 0, 0);
        float strength = json.extension(Extensions.EMISSIVE_STRENGTH)
                .at("emissiveStrength")
                .number(1);
        Alpha alpha = json.at("alphaMode").choice(Alpha.OPAQUE, ALPHA_MODES);
        if (alpha == Alpha.BLEND) {
            notes.add("has alpha blending: it is shown as a cut at half coverage");
        }
        float cutoff = switch (alpha) {
            case OPAQUE -> 0;
            case MASK -> json.at("alphaCutoff").number(BLEND_CUTOFF);
            case BLEND -> BLEND_CUTOFF;
        };
        return factory.of(
                name,
                texture(name, surface.at("baseColorTexture"), true),
                texture(name, surface.at("metallicRoughnessTexture"), false),
                texture(name, json.at("normalTexture"), false),
                texture(name, json.at("emissiveTexture"), true),
                texture(name, json.at("occlusionTexture"), false),
                new Vector4f(base[0], base[1], base[2], base[3]),
                new Vector3f(emissive[0], emissive[1], emissive[2]).mul(strength),
                surface.at("metallicFactor").number(1),
                surface.at("roughnessFactor").number(1),
                json.at("normalTexture").at("scale").number(1),
                json.at("occlusionTexture").at("strength").number(1),
                cutoff,
                json.at("doubleSided").flag(),
                false,
                vertexColors);
    }

    private @Nullable MaterialTexture texture(String material, Json info, boolean srgb) throws ModelException {
        if (!info.present()) {
            return null;
        }
        Json transform = info.extension(Extensions.TEXTURE_TRANSFORM);
        int set = transform.at("texCoord").integer(info.at("texCoord").integer(0));
        if (set > 1) {
            throw new ModelException(
                    "has material '" + material + "' with texture coordinates " + set + "; sets 0 and 1 are supported");
        }
        Json texture = root.at("textures").at(info.at("index").integer(Integer.MAX_VALUE));
        if (!texture.at("source").present()) {
            throw new ModelException("has material '" + material + "' with a texture without an image");
        }
        int source = texture.at("source").integer(0);
        Decoded key = new Decoded(source, srgb);
        TextureImage image = images.get(key);
        if (image == null) {
            String name = root.at("images").at(source).at("name").text("image of " + material);
            image = ImageDecoder.decode(name, document.image(source), srgb);
            images.put(key, image);
        }
        return new MaterialTexture(image, set, sampler(texture.at("sampler")), transform(transform));
    }

    /** Scale first, then a turn that takes the texture clockwise as v points down, then the offset. */
    private static Matrix3x2fc transform(Json json) throws ModelException {
        float[] offset = json.at("offset").numbers(0, 0);
        float[] scale = json.at("scale").numbers(1, 1);
        float rotation = json.at("rotation").number(0);
        Matrix3x2f transform = new Matrix3x2f().translation(offset[0], offset[1]);
        if (rotation != 0) {
            transform.rotate(-rotation);
        }
        return transform.scale(scale[0], scale[1]);
    }

    private SamplerDescription sampler(Json reference) throws ModelException {
        if (!reference.present()) {
            return SamplerDescription.LINEAR_REPEAT;
        }
        Json sampler = root.at("samplers").at(reference.integer(0));
        Filter magnification = sampler.at("magFilter").choice(Filter.LINEAR, MAGNIFICATIONS);
        Minification minification = sampler.at("minFilter").choice(TRILINEAR, MINIFICATIONS);
        return new SamplerDescription(
                minification.texels,
                magnification,
                minification.mips == null ? Filter.NEAREST : minification.mips,
                sampler.at("wrapS").choice(Address.REPEAT, ADDRESSES),
                sampler.at("wrapT").choice(Address.REPEAT, ADDRESSES),
                Address.REPEAT,
                null,
                SamplerDescription.Border.TRANSPARENT_BLACK,
                0,
                // Less than half: only the largest mip, and still a difference between smaller and larger.
                minification.mips == null ? 0.25f : SamplerDescription.EVERY_MIP,
                0,
                1,
                SamplerDescription.Reduction.WEIGHTED_AVERAGE);
    }
}
