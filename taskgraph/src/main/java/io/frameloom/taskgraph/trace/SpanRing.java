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
    /** Spans in a row that end earlier, before no later one is expected: some are added after others that end later. */
    private static final int OUT_OF_ORDER = 64;

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

    /**
     * A copy of the spans that end at a time or later, from the oldest to the newest. Spans are added about when they
     * end, so it holds the lock for as long as there are such spans, and not for all of a full ring.
     */
    synchronized List<Span> since(long nanos) {
        List<Span> copy = new ArrayList<>();
        int before = 0;
        for (int i = spans.size() - 1; i >= 0 && before < OUT_OF_ORDER; i--) {
            Span span = spans.get((oldest + i) % spans.size());
            if (span.endNanos >= nanos) {
                copy.add(span);
                before = 0;
            } else {
                before++;
            }
        }
        Collections.reverse(copy);
        return copy;
    }

    synchronized long dropped() {
        return dropped;
    }
}
