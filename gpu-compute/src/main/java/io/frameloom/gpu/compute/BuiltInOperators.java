package io.frameloom.gpu.compute;

import java.util.Locale;

/** Sum, minimum and maximum of the plain element types. */
final class BuiltInOperators {
    private static final int NEGATIVE_INFINITY = Float.floatToRawIntBits(Float.NEGATIVE_INFINITY);
    private static final int POSITIVE_INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
    private static final long LOW = 0xFFFF_FFFFL;

    private BuiltInOperators() {}

    static ScanOperator sum(ElementType type) {
        return switch (type) {
            case U32, I32 -> of("sum", type, "return a + b;", (l, i, r, j, t, k) -> t[k] = l[i] + r[j], 0);
            case F32 -> of("sum", type, "return a + b;", (l, i, r, j, t, k) -> t[k] = bits(real(l[i]) + real(r[j])), 0);
            case U64 ->
                of(
                        "sum",
                        type,
                        "uint carry; uint low = uaddCarry(a.x, b.x, carry); return uvec2(low, a.y + b.y + carry);",
                        (l, i, r, j, t, k) -> put(t, k, wide(l, i) + wide(r, j)),
                        0,
                        0);
            default -> throw refused("sum", type);
        };
    }

    static ScanOperator min(ElementType type) {
        String body = "return b < a ? b : a;";
        return switch (type) {
            case U32 ->
                of(
                        "min",
                        type,
                        body,
                        (l, i, r, j, t, k) -> t[k] = Integer.compareUnsigned(r[j], l[i]) < 0 ? r[j] : l[i],
                        -1);
            case I32 -> of("min", type, body, (l, i, r, j, t, k) -> t[k] = Math.min(l[i], r[j]), Integer.MAX_VALUE);
            case F32 ->
                ofFloats(
                        "min",
                        "keyB < keyA",
                        (l, i, r, j, t, k) -> t[k] = real(r[j]) < real(l[i]) ? r[j] : l[i],
                        POSITIVE_INFINITY);
            case U64 ->
                of(
                        "min",
                        type,
                        "return b.y < a.y || (b.y == a.y && b.x < a.x) ? b : a;",
                        (l, i, r, j, t, k) ->
                                put(t, k, Long.compareUnsigned(wide(r, j), wide(l, i)) < 0 ? wide(r, j) : wide(l, i)),
                        -1,
                        -1);
            default -> throw refused("min", type);
        };
    }

    static ScanOperator max(ElementType type) {
        String body = "return a < b ? b : a;";
        return switch (type) {
            case U32 ->
                of(
                        "max",
                        type,
                        body,
                        (l, i, r, j, t, k) -> t[k] = Integer.compareUnsigned(l[i], r[j]) < 0 ? r[j] : l[i],
                        0);
            case I32 -> of("max", type, body, (l, i, r, j, t, k) -> t[k] = Math.max(l[i], r[j]), Integer.MIN_VALUE);
            case F32 ->
                ofFloats(
                        "max",
                        "keyA < keyB",
                        (l, i, r, j, t, k) -> t[k] = real(l[i]) < real(r[j]) ? r[j] : l[i],
                        NEGATIVE_INFINITY);
            case U64 ->
                of(
                        "max",
                        type,
                        "return a.y < b.y || (a.y == b.y && a.x < b.x) ? b : a;",
                        (l, i, r, j, t, k) ->
                                put(t, k, Long.compareUnsigned(wide(l, i), wide(r, j)) < 0 ? wide(r, j) : wide(l, i)),
                        0,
                        0);
            default -> throw refused("max", type);
        };
    }

    /**
     * Compares integers of the same order: devices may take denormal floats for zero, so the bits are equal everywhere.
     */
    private static ScanOperator ofFloats(String kind, String takesB, CpuOperator cpu, int identity) {
        String name = kind + "-f32";
        String glsl = """
            int %1$sKey(int bits) { return bits == -0x7FFFFFFF - 1 ? 0 : bits ^ (bits >> 31 & 0x7FFFFFFF); }
            float combine(float a, float b) {
                int keyA = %1$sKey(floatBitsToInt(a));
                int keyB = %1$sKey(floatBitsToInt(b));
                return intBitsToFloat(%2$s ? floatBitsToInt(b) : floatBitsToInt(a));
            }
            """.formatted(kind, takesB);
        return ScanOperator.of(name, ElementType.F32, new int[] {identity}, glsl, cpu)
                .exactly();
    }

    private static ScanOperator of(String kind, ElementType type, String body, CpuOperator cpu, int... identity) {
        String name = kind + "-" + type.name().toLowerCase(Locale.ROOT);
        String t = type.glsl();
        ScanOperator operator =
                ScanOperator.of(name, type, identity, t + " combine(" + t + " a, " + t + " b) { " + body + " }\n", cpu);
        return type.isFloat() ? operator : operator.commuting();
    }

    private static IllegalArgumentException refused(String kind, ElementType type) {
        return new IllegalArgumentException("there is no built-in " + kind + " of " + type
                + ", only of U32, I32, U64 and F32; define one with ScanOperator.of");
    }

    private static float real(int bits) {
        return Float.intBitsToFloat(bits);
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    private static long wide(int[] words, int at) {
        return (words[at] & LOW) | (long) words[at + 1] << 32;
    }

    private static void put(int[] words, int at, long value) {
        words[at] = (int) value;
        words[at + 1] = (int) (value >>> 32);
    }
}
