package io.frameloom.gpu.shader;

import io.frameloom.gpu.error.ShaderCompilationException;

/**
 * The numbers that a shader is decorated with. SPIR-V takes any of 32 bits, and a driver makes tables as long as the
 * largest one. So reflection refuses numbers that no device can have; after it none is negative. Stateless.
 */
final class ShaderNumbers {
    /** Largest set, binding or location of a shader; devices allow fewer sets and locations. */
    static final int MOST = 0xffff;

    private ShaderNumbers() {}

    static int ofBinding(String shader, String binding, String what, int number) {
        return limited(shader, "binding '" + binding + "' has " + what, number, MOST);
    }

    static int ofLocation(String shader, String variable, int location, long locations) {
        limited(shader, "variable '" + variable + "' has location", location, MOST);
        if (location + locations > MOST + 1) {
            throw new ShaderCompilationException("shader '" + shader + "': variable '" + variable + "' takes "
                    + locations + " locations from " + location + " on, no device has more than " + MOST
                    + "; put it into a buffer");
        }
        return location;
    }

    /** Checks the index by which a variable gives a colour: there are two sources of blending. */
    static void ofIndex(String shader, String variable, int index) {
        limited(shader, "variable '" + variable + "' has index", index, 1);
    }

    static int ofConstant(String shader, int id) {
        return limited(shader, "a specialization constant has id", id, Integer.MAX_VALUE);
    }

    private static int limited(String shader, String what, int number, int most) {
        if (Integer.compareUnsigned(number, most) > 0) {
            throw new ShaderCompilationException("shader '" + shader + "': " + what + " "
                    + Integer.toUnsignedString(number) + "; give it one of 0 to " + most);
        }
        return number;
    }
}
