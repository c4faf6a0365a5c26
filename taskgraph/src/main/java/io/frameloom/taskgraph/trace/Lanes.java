package io.frameloom.taskgraph.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Lays the spans of one row out in lanes, so that of two spans of a lane that overlap one lies in the other: viewers
 * show nothing else. Work of a GPU queue overlaps otherwise, and frames in flight do.
 *
 * <p>Each span goes into the lane with the shortest span around it, of those of its frame if there are any, else into
 * the first lane that is free.
 */
final class Lanes {
    private final List<List<Span>> open = new ArrayList<>();

    /** A span and the lane it is in. */
    record Placed(Span span, int lane) {}

    /** Returns the spans in order of their start, those around others before these. */
    List<Placed> place(List<Span> spans) {
        List<Span> ordered = new ArrayList<>(spans);
        // The sort is stable. Of two that begin and end together the one that was added later is around the other.
        Collections.reverse(ordered);
        ordered.sort(Comparator.comparingLong((Span span) -> span.startNanos)
                .thenComparing(
                        Comparator.comparingLong((Span span) -> span.endNanos).reversed()));
        List<Placed> placed = new ArrayList<>(ordered.size());
        for (Span span : ordered) {
            int lane = laneFor(span);
            if (lane == open.size()) {
                open.add(new ArrayList<>());
            }
            open.get(lane).add(span);
            placed.add(new Placed(span, lane));
        }
        return placed;
    }

    private int laneFor(Span span) {
        int free = open.size();
        int around = -1;
        for (int lane = open.size() - 1; lane >= 0; lane--) {
            List<Span> stack = open.get(lane);
            while (!stack.isEmpty() && stack.get(stack.size() - 1).endNanos <= span.startNanos) {
                stack.remove(stack.size() - 1);
            }
            if (stack.isEmpty()) {
                free = lane;
            } else if (stack.get(stack.size() - 1).endNanos >= span.endNanos
                    && (around < 0 || isCloser(span, stack, open.get(around)))) {
                around = lane;
            }
        }
        return around < 0 ? free : around;
    }

    private static boolean isCloser(Span span, List<Span> stack, List<Span> than) {
        Span one = stack.get(stack.size() - 1);
        Span other = than.get(than.size() - 1);
        boolean own = one.frame == span.frame;
        boolean others = other.frame == span.frame;
        return own == others ? one.durationNanos() <= other.durationNanos() : own;
    }
}
