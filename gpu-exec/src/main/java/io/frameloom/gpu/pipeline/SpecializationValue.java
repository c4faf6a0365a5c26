package io.frameloom.gpu.pipeline;

/**
 * The value of a specialization constant.
 *
 * @param type type, which must be that of the constant
 * @param bits the value's 32 bits; 0 or 1 for {@link Type#BOOL}
 */
public record SpecializationValue(Type type, int bits) {
    /** Types of specialization constants. */
    public enum Type {
        /** 32 bits with sign. */
        INT,
        /** 32 bits without sign. */
        UINT,
        /** 32-bit float. */
        FLOAT,
        /** True or false. */
        BOOL
    }

    /** A value of a constant that the shader declares as {@code int}. */
    public static SpecializationValue ofInt(int value) {
        return new SpecializationValue(Type.INT, value);
    }

    /** A value of a constant that the shader declares as {@code uint}. */
    public static SpecializationValue ofUint(int value) {
        return new SpecializationValue(Type.UINT, value);
    }

    /** A value of a constant that the shader declares as {@code float}. */
    public static SpecializationValue ofFloat(float value) {
        return new SpecializationValue(Type.FLOAT, Float.floatToRawIntBits(value));
    }

    /** A value of a constant that the shader declares as {@code bool}. */
    public static SpecializationValue ofBool(boolean value) {
        return new SpecializationValue(Type.BOOL, value ? 1 : 0);
    }

    @Override
    public String toString() {
        String value = switch (type) {
            case INT -> Integer.toString(bits);
            case UINT -> Integer.toUnsignedString(bits);
            case FLOAT -> Float.toString(Float.intBitsToFloat(bits));
            case BOOL -> Boolean.toString(bits != 0);
        };
        return type + " " + value;
    }
}
