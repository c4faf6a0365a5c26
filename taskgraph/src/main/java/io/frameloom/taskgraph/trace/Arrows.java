package io.frameloom.taskgraph.trace;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the arrows between the spans of a trace: from what a span came after to the span. One thread. */
final class Arrows {
    /** Of a span that came after more, those are shown that ended last. */
    private static final int MOST = 64;

    private final IdentityHashMap<Span, End> spans = new IdentityHashMap<>();
    private final IdentityHashMap<Object, Span> byEvent = new IdentityHashMap<>();
    private final IdentityHashMap<Object, Span> links = new IdentityHashMap<>();
    private final List<End> targets = new ArrayList<>();

    /** A span in its place. */
    record End(Span span, int process, int row) {}

    /** Where an arrow may come from, and when. */
    private record Source(End end, long nanos) {}

    /** Receives arrows. */
    @FunctionalInterface
    interface Sink {
        /** Takes an arrow between two points in time, each in its span. */
        void accept(int id, End from, long fromNanos, End to, long toNanos) throws IOException;
    }

    /** Adds a span in its place. */
    void span(Span span, int process, int row) {
        End end = new End(span, process, row);
        spans.put(span, end);
        if (span.event != null) {
            Span known = byEvent.get(span.event);
            if (known == null || known.endNanos < span.endNanos) {
                byEvent.put(span.event, span);
            }
        }
        if (span.after != null) {
            targets.add(end);
        }
    }

    /** Adds what completed an event without a body. */
    void link(Span link) {
        if (link.event != null) {
            links.put(link.event, link);
        }
    }

    /** Hands out all arrows. */
    void write(Sink sink) throws IOException {
        int id = 0;
        for (End target : targets) {
            for (Source source : sources(target.span().after)) {
                Span from = source.end().span();
                Span to = target.span();
                long toNanos = to.endsAfter() ? last(to) : to.startNanos;
                long fromNanos = Math.min(Math.min(source.nanos(), last(from)), toNanos);
                // Clocks of devices are not exact, and a thread may park again before what it waits for.
                if (fromNanos >= from.startNanos && (!to.endsAfter() || source.nanos() <= to.endNanos)) {
                    id++;
                    sink.accept(id, source.end(), fromNanos, target, toNanos);
                }
            }
        }
    }

    /** Returns the last nanosecond in a span. */
    private static long last(Span span) {
        return Math.max(span.startNanos, span.endNanos - 1);
    }

    /** Returns the spans that something leads to, through events without a body. */
    private List<Source> sources(@Nullable Object after) {
        List<Source> found = new ArrayList<>(1);
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Object> next = new ArrayDeque<>();
        add(after, seen, next);
        for (Object at = next.poll(); at != null; at = next.poll()) {
            Span span = at instanceof Span itself ? itself : byEvent.get(at);
            End end = span == null ? null : spans.get(span);
            if (end != null) {
                found.add(new Source(end, end.span().endNanos));
                continue;
            }
            Span link = links.get(at);
            if (link == null) {
                continue;
            }
            End trigger = link.after instanceof Span by ? spans.get(by) : null;
            if (trigger != null) {
                found.add(new Source(trigger, link.startNanos));
            } else {
                add(link.after, seen, next);
            }
        }
        if (found.size() > MOST) {
            found.sort(Comparator.comparingLong(Source::nanos).reversed());
            return found.subList(0, MOST);
        }
        return found;
    }

    private static void add(@Nullable Object after, Set<Object> seen, Deque<Object> next) {
        if (after instanceof Object[] several) {
            for (Object one : several) {
                if (one != null && seen.add(one)) {
                    next.add(one);
                }
            }
        } else if (after != null && seen.add(after)) {
            next.add(after);
        }
    }
}
