package io.frameloom.gpu.compute;

/** How a prefix scan goes over its input. Results of operators that are exactly associative are equal. */
public enum ScanVariant {
    /**
     * Sums tiles up, scans the sums, then scans the tiles: reads the input twice. Every device can do it, sums of
     * floats are equal from run to run, and it may be done in place.
     */
    REDUCE_THEN_SCAN,
    /**
     * Scans in one dispatch, after one that clears a few words: each tile looks back over the sums of those before it,
     * so the input is read once. No workgroup waits for another. What is missing after a few looks is computed a second
     * time, and both must get the same bits. So operators must be exactly associative, and those of floats are refused
     * but for the built-in minimum and maximum. {@link #AUTO} tests whether a device does it right.
     * In place it is done as {@link #REDUCE_THEN_SCAN}, for what is read a second time must still be there.
     */
    LOOK_BACK,
    /**
     * {@link #LOOK_BACK} where a test on the device finds it right, else {@link #REDUCE_THEN_SCAN}. On the GPUs that were
     * measured, an H100 and an H200, it is the faster one for sums of 32 bits; elsewhere that is an expectation, and on software drivers the two
     * could not be told apart. Only scans in subgroups and exactly associative operators look back, so the results are the same
     * bits whichever is taken, and never those of the virtual GPU. The first such scan of each kind on a device waits for the
     * test: a tenth or two of a second on a GPU and most of one on a software driver, with the compilation of its shader, and longer
     * where the queue is busy.
     * A length whose tiles publish more than one storage binding holds, which {@link #LOOK_BACK} refuses, is done as {@link
     * #REDUCE_THEN_SCAN}.
     */
    AUTO
}
