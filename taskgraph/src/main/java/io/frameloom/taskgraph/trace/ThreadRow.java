package io.frameloom.taskgraph.trace;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The row of a CPU thread, which alone begins and ends its spans. Any thread may read the rings. */
final class ThreadRow {
    final String name;
    /** Its place among the rows; negative until it is known. */
    volatile int order;

    final SpanRing ring;
    /** Events without a body that completed here: spans without a duration, after what completed them. */
    final SpanRing links;

    /** Of this thread only; spans nest. */
    private final List<Span> open = new ArrayList<>();

    ThreadRow(String name, int order, int capacity) {
        this.name = name;
        this.order = order;
        this.ring = new SpanRing(capacity);
        this.links = new SpanRing(capacity);
    }

    void begin(Span span) {
        open.add(span);
    }

    /** The innermost span that has begun and not ended, or null. */
    @Nullable
    Span innermost() {
        return open.isEmpty() ? null : open.get(open.size() - 1);
    }

    /** Ends the innermost span with a name. Those in it have missed their end, because what they report to has thrown. */
    void end(String named, long nanos, @Nullable Throwable failure) {
        for (int i = open.size() - 1; i >= 0; i--) {
            Span span = open.get(i);
            if (span.name.equals(named)) {
                while (open.size() > i) {
                    open.remove(open.size() - 1);
                }
                span.endNanos = nanos;
                span.failure = failure == null ? null : failure.toString();
                ring.add(span);
                return;
            }
        }
    }

    /** Ends the innermost span if it is one of parking. */
    void unpark(long nanos) {
        Span span = innermost();
        if (span != null && !span.category.equals(Span.TASK)) {
            open.remove(open.size() - 1);
            span.endNanos = nanos;
            ring.add(span);
        }
    }
}
