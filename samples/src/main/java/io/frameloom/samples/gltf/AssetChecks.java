package io.frameloom.samples.gltf;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Checks numbers of a glTF document that the library trusts: references to other objects, extents of accessors. */
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
            Map.entry("skins/*/joints/*", "nodes"),
            Map.entry("skins/*/skeleton", "nodes"),
            Map.entry("skins/*/inverseBindMatrices", "accessors"),
            Map.entry("animations/*/samplers/*/input", "accessors"),
            Map.entry("animations/*/samplers/*/output", "accessors"),
            Map.entry("animations/*/channels/*/target/node", "nodes"));

    private final JsonNode document;

    AssetChecks(JsonNode document) {
        this.document = document;
    }

    /**
     * Checks the document.
     *
     * @throws ModelException naming the place, without the name of the file
     */
    void check() throws ModelException {
        for (String list : LISTS) {
            for (int i = 0; i < document.path(list).size(); i++) {
                if (!document.path(list).get(i).isObject()) {
                    throw new ModelException("has a malformed " + list + "/" + i + ": it is no object");
                }
            }
        }
        for (Map.Entry<String, String> reference : REFERENCES.entrySet()) {
            check(document, List.of(reference.getKey().split("/")), 0, "", reference.getValue());
        }
        for (int i = 0; i < document.path("skins").size(); i++) {
            if (document.path("skins").get(i).path("joints").isEmpty()) {
                throw new ModelException("has skin " + i + " without joints");
            }
        }
        for (int i = 0; i < document.path("accessors").size(); i++) {
            accessor(i, document.path("accessors").get(i));
        }
    }

    private void check(JsonNode node, List<String> path, int depth, String place, String list) throws ModelException {
        if (depth == path.size()) {
            int size = document.path(list).size();
            // What is no number is malformed, which the parser says.
            if (node.isNumber() && (node.asDouble() < 0 || node.asDouble() >= size)) {
                throw new ModelException(
                        "has " + place + " = " + node.asText() + ", beyond the " + size + " in " + list);
            }
            return;
        }
        String step = path.get(depth);
        if (!step.equals("*")) {
            if (node.has(step)) {
                check(node.get(step), path, depth + 1, below(place, step), list);
            }
            return;
        }
        Iterator<String> names = node.fieldNames();
        for (int i = 0; i < node.size(); i++) {
            boolean object = node.isObject();
            String name = object ? names.next() : String.valueOf(i);
            check(object ? node.get(name) : node.get(i), path, depth + 1, below(place, name), list);
        }
    }

    private static String below(String place, String name) {
        return place.isEmpty() ? name : place + "/" + name;
    }

    private void accessor(int number, JsonNode accessor) throws ModelException {
        long count = accessor.path("count").asLong();
        int size = components(accessor.path("type").asText())
                * bytes(accessor.path("componentType").asInt());
        if (count >= MAX_ELEMENTS) {
            throw new ModelException("has accessor " + number + " of " + count + " elements; at most "
                    + (MAX_ELEMENTS - 1) + " are supported");
        }
        fits("accessor " + number, accessor, count, size);
        JsonNode sparse = accessor.path("sparse");
        long replaced = sparse.path("count").asLong();
        if (sparse.isObject() && replaced > count) {
            throw new ModelException(
                    "has accessor " + number + " of " + count + " elements with " + replaced + " sparse ones");
        }
        JsonNode indices = sparse.path("indices");
        String sparseOf = "of the sparse elements of accessor " + number;
        fits(
                "the indices " + sparseOf,
                indices,
                replaced,
                bytes(indices.path("componentType").asInt()));
        fits("the values " + sparseOf, sparse.path("values"), replaced, size);
    }

    private void fits(String what, JsonNode part, long count, int size) throws ModelException {
        if (!part.has("bufferView")) {
            return;
        }
        JsonNode view =
                document.path("bufferViews").path(part.path("bufferView").asInt());
        long stride = view.path("byteStride").asLong(size);
        long end = part.path("byteOffset").asLong() + stride * (count - 1) + size;
        long length = view.path("byteLength").asLong();
        if (end > length) {
            throw new ModelException("has " + what + ", which needs " + end + " bytes of buffer view "
                    + part.path("bufferView").asInt() + "; that has " + length);
        }
    }

    private static int components(String type) {
        return switch (type) {
            case "VEC2" -> 2;
            case "VEC3" -> 3;
            case "VEC4", "MAT2" -> 4;
            case "MAT3" -> 9;
            case "MAT4" -> 16;
            default -> 1;
        };
    }

    private static int bytes(int componentType) {
        return switch (componentType) {
            case 5122, 5123 -> 2;
            case 5125, 5126 -> 4;
            default -> 1;
        };
    }
}
