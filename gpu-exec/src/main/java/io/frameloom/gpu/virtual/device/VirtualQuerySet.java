package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QueryResults;
import io.frameloom.gpu.device.WrittenQueries;
import io.frameloom.gpu.record.RecordedQueries;
import java.util.Arrays;

/** Queries of the simulated device: what it counts is known when it is recorded. */
final class VirtualQuerySet extends VirtualObject implements RecordedQueries {
    private final QueryKind kind;
    private final WrittenQueries written;
    /** What lists have recorded. The one list that counts a query writes its numbers, and reads them. */
    private final long[] recorded;
    /** What was executed; guarded by itself. */
    private final long[] results;

    VirtualQuerySet(SimulatedDevice device, String name, QueryKind kind, int count) {
        super(device, name);
        this.kind = kind;
        this.written = RecordedQueries.written(kind, name, count);
        this.recorded = new long[count * kind.numbers()];
        this.results = new long[recorded.length];
        Arrays.fill(results, -1);
    }

    @Override
    public QueryKind kind() {
        return kind;
    }

    @Override
    public int count() {
        return written.count();
    }

    @Override
    public WrittenQueries written() {
        return written;
    }

    @Override
    public void reset() {
        requireOpen("reset");
        synchronized (results) {
            Arrays.fill(results, -1);
        }
        written.reset();
    }

    @Override
    public QueryResults read() {
        requireOpen("read");
        synchronized (results) {
            return QueryResults.of(kind, results);
        }
    }

    void record(int index, long[] numbers) {
        System.arraycopy(numbers, 0, recorded, index * kind.numbers(), kind.numbers());
    }

    /** Returns the numbers of queries that the caller's list, or one that it executes, has ended. */
    long[] recorded(int first, int count) {
        return Arrays.copyOfRange(recorded, first * kind.numbers(), (first + count) * kind.numbers());
    }

    /** Notes that the device has come to the end of a query, which no other list counts before a reset. */
    void execute(int index) {
        int at = index * kind.numbers();
        synchronized (results) {
            System.arraycopy(recorded, at, results, at, kind.numbers());
        }
    }
}
