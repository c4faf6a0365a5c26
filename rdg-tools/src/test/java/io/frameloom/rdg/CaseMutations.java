package io.frameloom.rdg;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Expectations of a case, each altered in one place, so that a comparator that does not notice is found. */
final class CaseMutations {
    /** Keys whose lists say something of each member and not that there are no others. */
    private static final Set<String> MEMBERS = Set.of(
            "mustPrecede",
            "mustPrecedeWithTransitions",
            "mayReorder",
            "mustNotOrder",
            "mustNotAlias",
            "mayAlias",
            "overlapsWith",
            "transitions",
            "transitionHosts",
            "error");

    /** Keys of which another order of a pair says the opposite. */
    private static final Set<String> DIRECTED = Set.of("mustPrecede", "mustPrecedeWithTransitions");

    /** Keys of which one member of a pair may be replaced by something of which it holds as well. */
    private static final Set<String> UNDIRECTED =
            Set.of("mayReorder", "mustNotOrder", "mustNotAlias", "mayAlias", "overlapsWith");

    /** Keys whose lists are of pairs or triples: those have the members that they have. */
    private static final Set<String> TUPLES = Set.of(
            "hazards",
            "syncs",
            "syncsNarrow",
            "culledSyncs",
            "crossQueueSyncs",
            "forkFences",
            "joinFencesUe",
            "barriers");

    private CaseMutations() {}

    /** Returns what must not hold if an expectation does: none of them may pass. */
    static List<JsonNode> of(String key, JsonNode expected) {
        if (UNDIRECTED.contains(key) || key.equals("witness")) {
            return List.of();
        }
        if (DIRECTED.contains(key)) {
            List<JsonNode> turned = new ArrayList<>();
            for (int i = 0; i < expected.size(); i++) {
                ArrayNode copy = expected.deepCopy();
                ArrayNode pair = JsonNodeFactory.instance.arrayNode();
                pair.add(expected.get(i).get(1)).add(expected.get(i).get(0));
                copy.set(i, pair);
                turned.add(copy);
            }
            return turned;
        }
        List<JsonNode> result = new ArrayList<>();
        int depth = MEMBERS.contains(key) ? 0 : TUPLES.contains(key) ? 1 : Integer.MAX_VALUE;
        alter(expected, depth, result::add);
        return result;
    }

    /**
     * Returns what may hold as well, at least one of which must not pass: lists of one other pair of names, or maps of one;
     * or other placements.
     */
    static List<JsonNode> some(String key, JsonNode expected, List<String> names) {
        List<JsonNode> result = new ArrayList<>();
        if (key.equals("witness")) {
            alter(expected, 0, result::add);
            return result;
        }
        if (!UNDIRECTED.contains(key)) {
            return result;
        }
        for (String a : names) {
            for (String b : names) {
                if (expected.isObject()) {
                    ObjectNode map = JsonNodeFactory.instance.objectNode();
                    map.putArray(a).add(b);
                    result.add(map);
                } else {
                    ArrayNode list = JsonNodeFactory.instance.arrayNode();
                    list.addArray().add(a).add(b);
                    result.add(list);
                }
            }
        }
        return result;
    }

    private interface Sink {
        void take(JsonNode altered);
    }

    /** Lists down to a depth say what their members are, and so that there are no others. */
    private static void alter(JsonNode node, int depth, Sink sink) {
        boolean exact = depth > 0;
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                int at = i;
                alter(node.get(i), depth - 1, altered -> sink.take(changed(node, list -> list.set(at, altered))));
                if (exact) {
                    sink.take(changed(node, list -> list.remove(at)));
                }
            }
            if (exact) {
                sink.take(changed(node, list -> list.add(another(node))));
            }
        } else if (node.isObject()) {
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                alter(entry.getValue(), depth, altered -> {
                    ObjectNode copy = node.deepCopy();
                    copy.set(entry.getKey(), altered);
                    sink.take(copy);
                });
            }
        } else if (node.isTextual()) {
            sink.take(TextNode.valueOf("<other>"));
        } else if (node.isBoolean()) {
            sink.take(BooleanNode.valueOf(!node.asBoolean()));
        } else if (node.isNumber()) {
            sink.take(LongNode.valueOf(node.asLong() + 1));
            sink.take(LongNode.valueOf(node.asLong() - 1));
        }
    }

    /** Returns what might be a member of a list, and is not. */
    private static JsonNode another(JsonNode list) {
        List<JsonNode> members = new ArrayList<>();
        if (!list.isEmpty()) {
            alter(list.get(0), 0, members::add);
        }
        return members.isEmpty()
                ? JsonNodeFactory.instance.arrayNode().add("<nothing>").add("<nothing>")
                : members.get(0);
    }

    private static JsonNode changed(JsonNode list, Consumer<ArrayNode> change) {
        ArrayNode copy = list.deepCopy();
        change.accept(copy);
        return copy;
    }
}
