package io.frameloom.gpu.record;

import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.device.WrittenQueries;

/** A set of queries as command lists use it. */
public interface RecordedQueries extends QuerySet {
    static WrittenQueries written(QueryKind kind, String name, int count) {
        return new WrittenQueries(
                kind.isOfStructures() ? "measureAccelerationStructure" : "beginQuery", "query", name, count);
    }

    WrittenQueries written();
}
