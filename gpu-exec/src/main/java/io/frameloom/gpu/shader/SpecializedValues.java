package io.frameloom.gpu.shader;

import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.SpecializationValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Finds the specialization constants that an application names. Stateless. */
final class SpecializedValues {
    private SpecializedValues() {}

    /**
     * Returns bits by id.
     *
     * @throws IllegalArgumentException if there is no such constant or it has another type; names those that exist
     */
    static Map<Integer, Integer> of(String pipeline, ShaderSource source, CompiledShader shader) {
        if (source.constants().isEmpty() && source.constantsById().isEmpty()) {
            return Map.of();
        }
        String where = "pipeline '" + pipeline + "': shader '" + source.name() + "'";
        List<SpecializationConstant> constants = shader.reflection().constants();
        Map<Integer, Integer> bits = new TreeMap<>();
        source.constants()
                .forEach((name, value) -> set(
                        bits,
                        where,
                        "'" + name + "'",
                        value,
                        constants,
                        constant -> constant.name().equals(name)));
        source.constantsById()
                .forEach((id, value) ->
                        set(bits, where, "of id " + id, value, constants, constant -> constant.id() == id));
        return Collections.unmodifiableMap(bits);
    }

    private static void set(
            Map<Integer, Integer> bits,
            String where,
            String what,
            SpecializationValue value,
            List<SpecializationConstant> constants,
            Predicate<SpecializationConstant> isMeant) {
        SpecializationConstant constant =
                constants.stream().filter(isMeant).findFirst().orElse(null);
        if (constant == null) {
            throw new IllegalArgumentException(where + " has no specialization constant " + what + "; it has "
                    + (constants.isEmpty() ? "none" : constants));
        }
        if (constant.type() != value.type()) {
            throw new IllegalArgumentException(where + " has specialization constant " + constant
                    + ", which cannot be set to " + value + "; it has " + constants);
        }
        if (bits.put(constant.id(), value.bits()) != null) {
            throw new IllegalArgumentException(
                    where + " is given two values for specialization constant " + constant + "; give it one");
        }
    }
}
