package io.frameloom.gpu.record;

import io.frameloom.gpu.resource.AccelerationStructure;

/** An acceleration structure as command lists use it. */
public interface RecordedStructure extends AccelerationStructure {
    BuiltContents built();
}
