package io.frameloom.gpu.record;

import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.device.WrittenQueries;

/** A set of queries as command lists use it. */
public interface RecordedQueries extends QuerySet {
    /** Returns which queries lists count. */
    WrittenQueries written();
}
