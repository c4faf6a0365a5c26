package io.frameloom.taskgraph.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The last spans of one row, in a ring of fixed size.
 *
 * <p>Written by the row's thread and read by the exporter; a lock keeps the two apart. It is contended
 * only during an export.
 */
final class SpanRing {
    private final int capacity;
    private final List<Span> spans = new ArrayList<>();
    private int oldest;
    private long dropped;

    SpanRing(int capacity) {
        this.capacity = capacity;
    }

    synchronized void add(Span span) {
        if (spans.size() < capacity) {
            spans.add(span);
            return;
        }
        spans.set(oldest, span);
        oldest = oldest + 1 == capacity ? 0 : oldest + 1;
        dropped++;
    }

    synchronized void clear() {
        spans.clear();
        oldest = 0;
        dropped = 0;
    }

    /** A copy of the spans from the oldest to the newest. */
    synchronized List<Span> spans() {
        List<Span> copy = new ArrayList<>(spans);
        Collections.rotate(copy, -oldest);
        return copy;
    }

    synchronized long dropped() {
        return dropped;
    }
}
