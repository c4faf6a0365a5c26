package io.frameloom.taskgraph.trace;

import org.jspecify.annotations.Nullable;

/**
 * Something that took time on a row. The thread that records it writes it before it puts it into a {@link SpanRing};
 * nothing changes it afterwards.
 */
final class Span {
    /** No frame is known. */
    static final long NO_FRAME = -1;

    /** What kind of span it is; a group of foreign rows is one of its own. */
    static final String TASK = "task";

    static final String WAIT = "wait";
    static final String IDLE = "idle";
    static final String BLOCKED = "blocked";

    final String name;
    final String category;
    final long startNanos;
    /** What stands for it as a prerequisite of others, or null. */
    final @Nullable Object event;
    /** What it comes after: null, an event, an array of events with nulls at its end, or a span. */
    final @Nullable Object after;
    /** Where it was sent, or a map of further values. */
    final Object details;

    long endNanos;
    long frame = NO_FRAME;
    /** How it failed, or null. */
    @Nullable
    String failure;

    Span(
            String name,
            String category,
            long startNanos,
            @Nullable Object event,
            @Nullable Object after,
            Object details) {
        this.name = name;
        this.category = category;
        this.startNanos = startNanos;
        this.endNanos = startNanos;
        this.event = event;
        this.after = after;
        this.details = details;
    }

    /** A wait is after what it waits for: that ends it, and does not begin it. */
    boolean endsAfter() {
        return category.equals(WAIT);
    }

    long durationNanos() {
        return endNanos - startNanos;
    }
}
