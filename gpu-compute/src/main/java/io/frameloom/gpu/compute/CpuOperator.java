package io.frameloom.gpu.compute;

/**
 * The processor's form of an associative operator. Called on any thread, by several at a time; must be a pure function
 * of the two elements.
 */
@FunctionalInterface
public interface CpuOperator {
    /**
     * Writes {@code left op right}. Elements are the words of an {@link ElementType}, in order; the result may be
     * written over either of them, so both must be read before anything is written.
     *
     * @param left array of the left element
     * @param leftAt its first word
     * @param right array of the right element
     * @param rightAt its first word
     * @param result array of the result
     * @param resultAt its first word
     */
    void combine(int[] left, int leftAt, int[] right, int rightAt, int[] result, int resultAt);
}
