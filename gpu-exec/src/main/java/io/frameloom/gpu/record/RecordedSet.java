package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.BindingSet;

/** A binding set of a device for its command lists, which is {@link Perishable}. Any thread. */
public interface RecordedSet extends BindingSet {
    /** Returns what {@link BindingRules#ranges} has found for its bindings. Not to be changed. */
    long[] ranges();

    /** Returns whether a pipeline of the device has the same bindings in this set. */
    boolean fits(RecordedPipeline pipeline);
}
