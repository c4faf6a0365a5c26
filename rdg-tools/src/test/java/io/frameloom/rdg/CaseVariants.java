package io.frameloom.rdg;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The variants of a case: what a file says in words is changed of the graph. */
final class CaseVariants {
    private CaseVariants() {}

    /** Returns the changed case. */
    static JsonNode changed(JsonNode root, String change) {
        ObjectNode variant = root.deepCopy();
        switch (change) {
            case "rename passes and resources" -> rename(variant);
            case "other external VkImage with equal description", "other lambda" -> {
                // Each declaration of a case has its own.
            }
            case "t bytes 8 -> 16" -> named(variant.get("resources"), "t").put("bytes", 16);
            case "access sampledFrag -> sampledComp" ->
                named(variant.get("passes"), "Bp").get("uses").forEach(use -> {
                    if (use.get("a").asText().equals("sampledFrag")) {
                        ((ObjectNode) use).put("a", "sampledComp");
                    }
                });
            case "swap declaration order of A and Bp" -> {
                ArrayNode passes = (ArrayNode) variant.get("passes");
                passes.add(passes.remove(0));
            }
            case "queue G -> C for Bp" -> named(variant.get("passes"), "Bp").put("queue", "C");
            default -> throw new IllegalArgumentException("change '" + change + "'");
        }
        return variant;
    }

    private static void rename(ObjectNode root) {
        root.get("resources").forEach(resource -> rename(resource, "id"));
        root.get("passes").forEach(pass -> {
            rename(pass, "id");
            pass.get("uses").forEach(use -> rename(use, "r"));
        });
    }

    private static void rename(JsonNode node, String key) {
        ((ObjectNode) node).put(key, "other " + node.get(key).asText());
    }

    private static ObjectNode named(JsonNode list, String id) {
        for (JsonNode node : list) {
            if (node.get("id").asText().equals(id)) {
                return (ObjectNode) node;
            }
        }
        throw new IllegalArgumentException("nothing is called '" + id + "'");
    }
}
