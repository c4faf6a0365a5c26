package io.frameloom.gpu.compute;

/** How a prefix scan goes over its input. Results of operators that are exactly associative are equal. */
public enum ScanVariant {
    /**
     * Sums tiles up, scans the sums, then scans the tiles: reads the input twice. Every device can do it, sums of floats
     * are equal from run to run, and it may be done in place.
     */
    REDUCE_THEN_SCAN,
    /**
     * Scans in one dispatch behind one that clears a few words: each tile looks back over the sums of those before it, so
     * the input is read once. No workgroup waits for another: what is missing after a few looks is computed a second
     * time. {@link LookBackSelfTest} tells whether a device does it right. Sums of floats differ from run to run in their rounding. In place it is done as
     * {@link #REDUCE_THEN_SCAN}, for what is read a second time must still be there.
     */
    LOOK_BACK,
    /**
     * {@link #REDUCE_THEN_SCAN}, which was the fastest on the GPU that was measured, an H200, and does the same on every
     * device. Lavapipe does {@link #LOOK_BACK} faster where it has subgroups.
     */
    AUTO
}
