package io.frameloom.samples.gltf;

import java.util.List;
import java.util.Map;

/** Checks all references of a glTF document to other objects, and that accessors lie in their buffer views. */
final class AssetChecks {
    /** A mesh of this number of vertices, each triangle with vertices of its own, fits into one array. */
    private static final int MAX_ELEMENTS = 1 << 25;

    private static final List<String> LISTS = List.of(
            "accessors",
            "animations",
            "buffers",
            "bufferViews",
            "cameras",
            "images",
            "materials",
            "meshes",
            "nodes",
            "samplers",
            "scenes",
            "skins",
            "textures");

    /** Where numbers of objects stand; a star is each element of a list or each member of an object. */
    private static final Map<String, String> REFERENCES = Map.ofEntries(
            Map.entry("scenes/*/nodes/*", "nodes"),
            Map.entry("nodes/*/children/*", "nodes"),
            Map.entry("nodes/*/mesh", "meshes"),
            Map.entry("nodes/*/skin", "skins"),
            Map.entry("nodes/*/camera", "cameras"),
            Map.entry("meshes/*/primitives/*/attributes/*", "accessors"),
            Map.entry("meshes/*/primitives/*/targets/*/*", "accessors"),
            Map.entry("meshes/*/primitives/*/indices", "accessors"),
            Map.entry("meshes/*/primitives/*/material", "materials"),
            Map.entry("materials/*/pbrMetallicRoughness/baseColorTexture/index", "textures"),
            Map.entry("materials/*/pbrMetallicRoughness/metallicRoughnessTexture/index", "textures"),
            Map.entry("materials/*/normalTexture/index", "textures"),
            Map.entry("materials/*/occlusionTexture/index", "textures"),
            Map.entry("materials/*/emissiveTexture/index", "textures"),
            Map.entry("textures/*/source", "images"),
            Map.entry("textures/*/sampler", "samplers"),
            Map.entry("images/*/bufferView", "bufferViews"),
            Map.entry("accessors/*/bufferView", "bufferViews"),
            Map.entry("accessors/*/sparse/indices/bufferView", "bufferViews"),
            Map.entry("accessors/*/sparse/values/bufferView", "bufferViews"),
            Map.entry("bufferViews/*/buffer", "buffers"),
            Map.entry("bufferViews/*/extensions/" + Meshopt.EXTENSION + "/buffer", "buffers"),
            Map.entry("bufferViews/*/extensions/" + Meshopt.KHRONOS_EXTENSION + "/buffer", "buffers"),
            Map.entry(
                    "nodes/*/extensions/" + Extensions.LIGHTS + "/light",
                    "extensions/" + Extensions.LIGHTS + "/lights"),
            Map.entry("skins/*/joints/*", "nodes"),
            Map.entry("skins/*/skeleton", "nodes"),
            Map.entry("skins/*/inverseBindMatrices", "accessors"),
            Map.entry("animations/*/samplers/*/input", "accessors"),
            Map.entry("animations/*/samplers/*/output", "accessors"),
            Map.entry("animations/*/channels/*/target/node", "nodes"));

    private static final List<String> TYPES = List.of("SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4");

    private final Json document;

    AssetChecks(Json document) {
        this.document = document;
    }

    /**
     * Checks the document.
     *
     * @throws ModelException naming the place, without the name of the file
     */
    void check() throws ModelException {
        for (String list : LISTS) {
            for (Json element : document.at(list).elements()) {
                if (!element.node().isObject()) {
                    throw element.malformed("it is no object");
                }
            }
        }
        for (Map.Entry<String, String> reference : REFERENCES.entrySet()) {
            check(document, List.of(reference.getKey().split("/")), reference.getValue());
        }
        for (Json skin : document.at("skins").elements()) {
            if (skin.at("joints").elements().isEmpty()) {
                throw new ModelException("has skin " + skin.place().substring(6) + " without joints");
            }
        }
        for (Json view : document.at("bufferViews").elements()) {
            Json stride = view.at("byteStride");
            if (stride.present() && (stride.integer(0) < 1 || stride.integer(0) > 252)) {
                throw stride.malformed("it is not from 1 to 252");
            }
        }
        for (Json accessor : document.at("accessors").elements()) {
            check(accessor);
        }
    }

    private void check(Json part, List<String> path, String list) throws ModelException {
        if (path.isEmpty()) {
            Json listed = document;
            for (String step : List.of(list.split("/"))) {
                listed = listed.at(step);
            }
            int size = listed.node().size();
            if (part.node().isNumber()
                    && (part.node().asDouble() < 0 || part.node().asDouble() >= size)) {
                throw new ModelException(
                        "has " + part.place() + " = " + part.node().asText() + ", beyond the " + size + " in " + list);
            }
            part.integer(0);
            return;
        }
        List<String> rest = path.subList(1, path.size());
        if (!path.get(0).equals("*")) {
            Json next = part.at(path.get(0));
            if (next.present()) {
                check(next, rest, list);
            }
        } else if (part.node().isObject()) {
            for (String name : part.names()) {
                check(part.at(name), rest, list);
            }
        } else {
            for (Json element : part.elements()) {
                check(element, rest, list);
            }
        }
    }

    private void check(Json accessor) throws ModelException {
        String number = accessor.place().substring("accessors/".length());
        int count = accessor.at("count").integer(-1);
        if (count < 1) {
            throw accessor.at("count").malformed("it is no number of elements");
        }
        if (count >= MAX_ELEMENTS) {
            throw new ModelException("has accessor " + number + " of " + count + " elements; at most "
                    + (MAX_ELEMENTS - 1) + " are supported");
        }
        String type = accessor.at("type").text("");
        if (!TYPES.contains(type)) {
            throw accessor.at("type").malformed("'" + type + "' is none of " + String.join(", ", TYPES));
        }
        int size = components(type) * bytes(accessor.at("componentType"));
        fits("accessor " + number, accessor, count, size);
        Json sparse = accessor.at("sparse");
        if (!sparse.present()) {
            return;
        }
        int replaced = sparse.at("count").integer(0);
        if (replaced > count) {
            throw new ModelException(
                    "has accessor " + number + " of " + count + " elements with " + replaced + " sparse ones");
        }
        Json indices = sparse.at("indices");
        Json values = sparse.at("values");
        if (!indices.at("bufferView").present() || !values.at("bufferView").present()) {
            throw sparse.malformed("its indices or values have no buffer view");
        }
        String sparseOf = "of the sparse elements of accessor " + number;
        fits("the indices " + sparseOf, indices, replaced, bytes(indices.at("componentType")));
        fits("the values " + sparseOf, values, replaced, size);
    }

    private void fits(String what, Json part, long count, int size) throws ModelException {
        if (!part.at("bufferView").present()) {
            return;
        }
        int number = part.at("bufferView").integer(0);
        Json view = document.at("bufferViews").at(number);
        long stride = view.at("byteStride").integer(size);
        long end = part.at("byteOffset").integer(0) + stride * (count - 1) + size;
        int length = view.at("byteLength").integer(0);
        if (end > length) {
            throw new ModelException("has " + what + ", which needs " + end + " bytes of buffer view " + number
                    + "; that has " + length);
        }
    }

    /** Returns the components of an element of a type. */
    static int components(String type) {
        return switch (type) {
            case "VEC2" -> 2;
            case "VEC3" -> 3;
            case "VEC4", "MAT2" -> 4;
            case "MAT3" -> 9;
            case "MAT4" -> 16;
            default -> 1;
        };
    }

    /** Returns the bytes of a component type. */
    static int bytes(Json componentType) throws ModelException {
        return switch (componentType.integer(0)) {
            case AccessorReader.BYTE, AccessorReader.UNSIGNED_BYTE -> 1;
            case AccessorReader.SHORT, AccessorReader.UNSIGNED_SHORT -> 2;
            case AccessorReader.UNSIGNED_INT, AccessorReader.FLOAT -> 4;
            default -> throw componentType.malformed("it is no type of components");
        };
    }
}
