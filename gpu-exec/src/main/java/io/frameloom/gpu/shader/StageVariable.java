package io.frameloom.gpu.shader;

import io.frameloom.gpu.resource.Format;

/**
 * One location of a stage's input from the one before it or output to the one after it.
 *
 * @param location location; one that spans several is listed once for each
 * @param base type of the components
 * @param perPrimitive whether a mesh shader gives it for each primitive, not for each vertex
 */
public record StageVariable(String name, int location, int component, Base base, int components, boolean perPrimitive) {
    /** Types of components, as far as stages have to agree on them. */
    public enum Base {
        /** Float of 16 or 32 bits. */
        FLOAT,
        /** Integer with sign. */
        INT,
        /** Integer without sign. */
        UINT,
        /** Anything else; not compared. */
        OTHER;

        public static Base of(Format format) {
            String name = format.name();
            if (name.endsWith("_UINT") && !format.isDepth()) {
                return UINT;
            }
            return name.endsWith("_SINT") ? INT : FLOAT;
        }
    }

    String type() {
        String vector = components == 1 ? "" : "vec" + components;
        return switch (base) {
            case FLOAT -> components == 1 ? "float" : vector;
            case INT -> components == 1 ? "int" : "i" + vector;
            case UINT -> components == 1 ? "uint" : "u" + vector;
            case OTHER -> "another type";
        };
    }

    @Override
    public String toString() {
        return (perPrimitive ? "perprimitiveEXT " : "") + type() + " '" + name + "' at location " + location;
    }
}
