package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.QueryKind;

/**
 * The queries of a pass that end in bytes of a buffer.
 *
 * @param kind what they count
 * @param resource the buffer, negative for one that is none of the frame
 * @param offset first byte of the results
 * @param count number of queries
 */
public record Counting(QueryKind kind, int resource, String name, long offset, int count) {
    public long bytes() {
        return (long) count * kind.bytes();
    }
}
