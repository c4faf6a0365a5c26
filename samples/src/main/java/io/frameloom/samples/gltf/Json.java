package io.frameloom.samples.gltf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A part of a glTF document with its place, which may be missing. What is of the wrong type is refused by its place.
 *
 * @param node the JSON, a {@link MissingNode} where there is none
 * @param place names and numbers from the root, such as {@code nodes/3/mesh}
 */
record Json(JsonNode node, String place) {
    /** Returns a member. */
    Json at(String name) {
        return new Json(node.path(name), place.isEmpty() ? name : place + "/" + name);
    }

    /** Returns an element. */
    Json at(int index) {
        return new Json(node.path(index), place + "/" + index);
    }

    /** Returns a member of an extension. */
    Json extension(String name) {
        return at("extensions").at(name);
    }

    boolean present() {
        return !node.isMissingNode();
    }

    /** Returns the elements of a list; none if it is missing. */
    List<Json> elements() throws ModelException {
        check(node.isArray(), "no list");
        List<Json> elements = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            elements.add(at(i));
        }
        return elements;
    }

    /** Returns the names of the members of an object; none if it is missing. */
    List<String> names() throws ModelException {
        check(node.isObject(), "no object");
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    String text(String missing) throws ModelException {
        check(node.isTextual(), "no text");
        return present() ? node.textValue() : missing;
    }

    boolean flag() throws ModelException {
        check(node.isBoolean(), "neither true nor false");
        return node.booleanValue();
    }

    /** Returns a whole number that is not negative. */
    int integer(int missing) throws ModelException {
        check(
                node.isNumber() && node.asDouble() == Math.rint(node.asDouble()) && node.asDouble() >= 0,
                "no whole number from 0 on");
        check(!node.isNumber() || node.asDouble() <= Integer.MAX_VALUE, "beyond what is supported");
        return present() ? (int) node.asDouble() : missing;
    }

    float number(float missing) throws ModelException {
        check(node.isNumber() && Float.isFinite(node.floatValue()), "no number");
        return present() ? node.floatValue() : missing;
    }

    /** Returns as many numbers as {@code missing} has. */
    float[] numbers(float... missing) throws ModelException {
        float[] result = missing;
        if (present()) {
            result = numbers();
            check(result.length == missing.length, "no list of " + missing.length + " numbers");
        }
        return result;
    }

    /** Returns numbers, none if the list is missing. */
    float[] numbers() throws ModelException {
        List<Json> elements = elements();
        float[] result = new float[elements.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = elements.get(i).number(0);
            elements.get(i).check(elements.get(i).present(), "missing");
        }
        return result;
    }

    /** Returns one of some numbers or names. */
    <T> T choice(T missing, Map<String, T> choices) throws ModelException {
        if (!present()) {
            return missing;
        }
        T chosen = choices.get(node.asText());
        if (chosen == null) {
            throw malformed("'" + node.asText() + "' is none of "
                    + String.join(", ", choices.keySet().stream().sorted().toList()));
        }
        return chosen;
    }

    private void check(boolean right, String problem) throws ModelException {
        if (present() && !right) {
            throw malformed("it is " + problem);
        }
    }

    ModelException malformed(String problem) {
        return new ModelException("has a malformed " + place + ": " + problem);
    }
}
