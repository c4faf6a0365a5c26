package io.frameloom.gpu.compute;

/** The elements of a scan: one to four 32-bit words, which an operator's GLSL sees as one value. */
public enum ElementType {
    /** 32 bits without sign: {@code uint}. */
    U32("uint", "UINT", 1),
    /** 32 bits with sign: {@code int}. */
    I32("int", "INT", 1),
    /** 32-bit float: {@code float}. */
    F32("float", "FLOAT", 1),
    /** 64 bits without sign as {@code uvec2}, the low word first; needs no 64-bit integers of the device. */
    U64("uvec2", "UINT", 2),
    /** Two words: {@code uvec2}. */
    U32X2("uvec2", "UINT", 2),
    /** Three words: {@code uvec3}. */
    U32X3("uvec3", "UINT", 3),
    /** Four words: {@code uvec4}. */
    U32X4("uvec4", "UINT", 4),
    /** Two floats: {@code vec2}. */
    F32X2("vec2", "FLOAT", 2),
    /** Four floats: {@code vec4}. */
    F32X4("vec4", "FLOAT", 4);

    private final String glsl;
    /** Kind of component that GLSL makes of each word. */
    private final String component;

    private final int words;

    ElementType(String glsl, String component, int words) {
        this.glsl = glsl;
        this.component = component;
        this.words = words;
    }

    /** Returns the type that an operator's GLSL takes and returns. */
    public String glsl() {
        return glsl;
    }

    /** Returns the number of 32-bit words of an element. */
    public int words() {
        return words;
    }

    /** Returns the number of bytes of an element. */
    public int bytes() {
        return words * Integer.BYTES;
    }

    boolean isFloat() {
        return component.equals("FLOAT");
    }

    String componentDefine() {
        return "SCAN_COMPONENT_" + component;
    }
}
