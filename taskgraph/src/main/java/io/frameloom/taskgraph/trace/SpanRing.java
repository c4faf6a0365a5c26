package io.frameloom.taskgraph.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last spans of one row, in a ring of fixed size.
 *
 * <p>Written by the row's thread and read by the exporter; a lock keeps the two apart. It is contended
 * only during an export.
 */
final class SpanRing {
    /** One recorded span. */
    record Span(String name, String category, long startNanos, long durationNanos, Map<String, ?> args) {}

    private final int capacity;
    private final List<Span> spans = new ArrayList<>();
    private final List<Open> open = new ArrayList<>();
    private int oldest;
    private long dropped;

    private record Open(String name, long startNanos) {}

    SpanRing(int capacity) {
        this.capacity = capacity;
    }

    synchronized void add(Span span) {
        if (spans.size() < capacity) {
            spans.add(span);
            return;
        }
        spans.set(oldest, span);
        oldest = (oldest + 1) % capacity;
        dropped++;
    }

    /** Begins a span; spans of one thread nest. */
    synchronized void begin(String name, long nanos) {
        open.add(new Open(name, nanos));
    }

    /** Ends the innermost span with the given name; returns its start, or null if there is none. */
    synchronized @Nullable Long end(String name) {
        for (int i = open.size() - 1; i >= 0; i--) {
            if (open.get(i).name().equals(name)) {
                long start = open.get(i).startNanos();
                open.subList(i, open.size()).clear();
                return start;
            }
        }
        return null;
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
