package io.frameloom.gpu.record;

import io.frameloom.gpu.resource.AccelerationStructure;

/** An acceleration structure as command lists use it. */
public interface RecordedStructure extends AccelerationStructure {
    /** Returns what lists have built into it. */
    BuiltContents built();
}
