package io.frameloom.gpu.compute;

import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The operator of a prefix scan: associative, with an identity, in GLSL for devices and in Java for the processor. It
 * need not be commutative: the left operand always stands before the right one. Immutable.
 *
 * <p>An operator that is not associative, or whose two forms differ, gives results that depend on where tiles end.
 */
public final class ScanOperator {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");

    private final String name;
    private final ElementType type;
    private final int[] identity;
    private final String glsl;
    private final CpuOperator cpu;
    private final boolean exact;
    private final boolean commutes;

    private ScanOperator(
            String name,
            ElementType type,
            int[] identity,
            String glsl,
            CpuOperator cpu,
            boolean exact,
            boolean commutes) {
        this.name = name;
        this.type = type;
        this.identity = identity;
        this.glsl = glsl;
        this.cpu = cpu;
        this.exact = exact;
        this.commutes = commutes;
    }

    /**
     * A user-defined operator.
     *
     * @param name letters, digits, {@code _}, {@code .} and {@code -}; named by errors
     * @param type type of its operands
     * @param identity words of the identity: {@code identity op x} and {@code x op identity} are {@code x}
     * @param glsl definition of the function {@code T combine(T left, T right)} for {@code T} = {@link
     *     ElementType#glsl}, with its helpers; names that begin with {@code scan} and {@code SCAN}, and {@code
     *     BARRIER_SEMANTICS}, are taken. It comes after declarations of the shader, where {@code #version} and {@code
     *     #extension} are too late
     * @param cpu the same in Java
     * @throws IllegalArgumentException if the name or the identity's length does not fit
     */
    public static ScanOperator of(String name, ElementType type, int[] identity, String glsl, CpuOperator cpu) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(glsl, "glsl");
        Objects.requireNonNull(cpu, "cpu");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a scan operator's name consists of letters, digits, '_', '.' and '-', got '" + name + "'");
        }
        if (identity.length != type.words()) {
            throw new IllegalArgumentException("scan operator '" + name + "': the identity of a " + type + " has "
                    + type.words() + " words, got " + identity.length);
        }
        return new ScanOperator(name, type, identity.clone(), glsl, cpu, !type.isFloat(), false);
    }

    /**
     * The sum: wrapping for integers. Sums of floats are rounded in an order that depends on the length, and on a
     * device on its limits and on {@link ScanOptions}. They are equal from run to run, and in {@link CpuScan} for any
     * number of workers, but not between devices, options and the processor. Devices may take denormal floats for zero.
     *
     * @param type {@link ElementType#U32}, {@link ElementType#I32}, {@link ElementType#U64} or {@link ElementType#F32}
     */
    public static ScanOperator sum(ElementType type) {
        return BuiltInOperators.sum(type);
    }

    /**
     * The minimum; of floats that compare equal the first. Denormal floats count on every device. With NaN among the
     * elements the result is not defined.
     *
     * @param type as for {@link #sum}
     */
    public static ScanOperator min(ElementType type) {
        return BuiltInOperators.min(type);
    }

    /**
     * The maximum; of floats that compare equal the first. Denormal floats count on every device. With NaN among the
     * elements the result is not defined.
     *
     * @param type as for {@link #sum}
     */
    public static ScanOperator max(ElementType type) {
        return BuiltInOperators.max(type);
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the type of its operands. */
    public ElementType type() {
        return type;
    }

    /** Returns a copy of the words of the identity. */
    public int[] identity() {
        return identity.clone();
    }

    /** Returns the definition of {@code combine}. */
    public String glsl() {
        return glsl;
    }

    /** Returns the same operator, marked as giving the same bits in any grouping of the elements. */
    ScanOperator exactly() {
        return new ScanOperator(name, type, identity, glsl, cpu, true, commutes);
    }

    /** Returns the same operator, marked as commutative. */
    ScanOperator commuting() {
        return new ScanOperator(name, type, identity, glsl, cpu, exact, true);
    }

    /** Returns whether it is known to give the same bits in any order of its operands. */
    boolean commutes() {
        return commutes;
    }

    /** Returns whether it counts as exactly associative: on words it must be, on floats the built-in ones are known. */
    boolean isExact() {
        return exact;
    }

    /** Returns the processor's form. */
    public CpuOperator cpu() {
        return cpu;
    }

    @Override
    public String toString() {
        return name + " of " + type + " with identity " + Arrays.toString(identity);
    }
}
