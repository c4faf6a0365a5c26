package io.frameloom.gpu.record;

/** A pipeline of a device for its command lists, which is {@link Perishable}. Any thread. */
public interface RecordedPipeline {
    /** Returns what its shaders use, and the checks of that. */
    BindingRules rules();

    /** Returns whether it is as fast as it will be, and not one that was only linked from parts so far. */
    default boolean isOptimised() {
        return true;
    }
}
