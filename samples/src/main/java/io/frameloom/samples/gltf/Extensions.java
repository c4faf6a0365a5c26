package io.frameloom.samples.gltf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The extensions of glTF that are read, and what is said of the others. */
final class Extensions {
    static final String TEXTURE_TRANSFORM = "KHR_texture_transform";
    static final String EMISSIVE_STRENGTH = "KHR_materials_emissive_strength";
    static final String LIGHTS = "KHR_lights_punctual";

    private static final Set<String> READ = Set.of(
            TEXTURE_TRANSFORM,
            EMISSIVE_STRENGTH,
            LIGHTS,
            "KHR_mesh_quantization",
            Meshopt.EXTENSION,
            Meshopt.KHRONOS_EXTENSION);

    /** How a file gets rid of what is not read. */
    private static final Map<String, String> WAYS_OUT = Map.of(
            "KHR_draco_mesh_compression",
            "gltf-transform cp IN OUT writes the model without that compression",
            "KHR_texture_basisu",
            "export the textures as PNG or JPEG",
            "EXT_texture_webp",
            "export the textures as PNG or JPEG",
            "EXT_texture_avif",
            "export the textures as PNG or JPEG");

    private Extensions() {}

    /**
     * Checks that all is read that has to be.
     *
     * @throws ModelException naming what is not, and the way out
     */
    static void check(Json root) throws ModelException {
        List<String> missing = unread(root.at("extensionsRequired"));
        if (!missing.isEmpty()) {
            List<String> ways = new ArrayList<>();
            for (String name : missing) {
                String way = WAYS_OUT.getOrDefault(name, "export the model without " + name);
                if (!ways.contains(way)) {
                    ways.add(way);
                }
            }
            throw new ModelException(
                    "requires " + String.join(", ", missing) + ", which is not supported; " + String.join("; ", ways));
        }
    }

    /** Returns the names of a list that are not read. */
    static List<String> unread(Json names) throws ModelException {
        List<String> unread = new ArrayList<>();
        for (Json name : names.elements()) {
            if (!READ.contains(name.text(""))) {
                unread.add(name.text(""));
            }
        }
        return unread;
    }
}
