package io.frameloom.gpu.shader;

import io.frameloom.gpu.pipeline.SpecializationValue;
import org.jspecify.annotations.Nullable;

/**
 * A specialization constant that a shader declares.
 *
 * @param name name in the shader; empty if it has none
 * @param id {@code constant_id}
 * @param type type; null for one of more or fewer than 32 bits, which cannot be set
 */
public record SpecializationConstant(String name, int id, SpecializationValue.@Nullable Type type) {
    @Override
    public String toString() {
        return (name.isEmpty() ? "" : "'" + name + "' ") + "(id " + id + ", " + (type == null ? "not of 32 bits" : type)
                + ")";
    }
}
