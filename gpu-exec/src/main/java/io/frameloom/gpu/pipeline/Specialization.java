package io.frameloom.gpu.pipeline;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values for specialization constants; a constant without one keeps the shader's default.
 *
 * @param byName values by the names of constants in the shader; unnamed constants of a workgroup's size are called
 *     {@code local_size_x}, {@code local_size_y} and {@code local_size_z}
 * @param byId values by {@code constant_id}
 */
public record Specialization(Map<String, SpecializationValue> byName, Map<Integer, SpecializationValue> byId) {
    /** No values. */
    public static final Specialization NONE = new Specialization(Map.of(), Map.of());

    /** Copies the maps in the order of their keys. */
    public Specialization {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
        byId = Collections.unmodifiableSortedMap(new TreeMap<>(byId));
    }

    /** As these, with a value for the constant of a name. */
    public Specialization with(String name, SpecializationValue value) {
        Map<String, SpecializationValue> names = new TreeMap<>(byName);
        names.put(name, value);
        return new Specialization(names, byId);
    }

    /** As these, with a value for the constant of an id. */
    public Specialization with(int id, SpecializationValue value) {
        Map<Integer, SpecializationValue> ids = new TreeMap<>(byId);
        ids.put(id, value);
        return new Specialization(byName, ids);
    }

    /** Returns whether there is no value. */
    public boolean isEmpty() {
        return byName.isEmpty() && byId.isEmpty();
    }
}
