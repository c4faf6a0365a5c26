package io.frameloom.taskgraph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list of failed events, newest first, and what it means for the event that needed them.
 *
 * @param event the failed event
 * @param earlier those that failed before
 */
record FailedPrerequisite(GraphEvent event, @Nullable FailedPrerequisite earlier) {

    /** The failure of {@code dependent}: the earliest failed event is the cause, the others are suppressed. */
    PrerequisiteFailedException toFailure(String dependent) {
        List<GraphEvent> inOrder = new ArrayList<>();
        for (FailedPrerequisite at = this; at != null; at = at.earlier) {
            inOrder.add(at.event);
        }
        Collections.reverse(inOrder);
        GraphEvent first = inOrder.get(0);
        Throwable firstFailure = first.failureOfComplete();
        PrerequisiteFailedException result = new PrerequisiteFailedException(
                dependent, first.name(), origin(first, firstFailure), root(firstFailure));
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.add(root(firstFailure));
        for (GraphEvent failed : inOrder) {
            Throwable failure = failed.failureOfComplete();
            suppress(result, root(failure), seen);
            if (failure instanceof PrerequisiteFailedException) {
                for (Throwable further : failure.getSuppressed()) {
                    suppress(result, further, seen);
                }
            }
        }
        return result;
    }

    private static void suppress(Throwable into, Throwable failure, Set<Throwable> seen) {
        if (seen.add(failure)) {
            into.addSuppressed(failure);
        }
    }

    /** Chains of skipped tasks stay flat, so that printing them needs no stack proportional to the chain. */
    private static Throwable root(Throwable failure) {
        Throwable cause = failure instanceof PrerequisiteFailedException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }

    private static String origin(GraphEvent event, Throwable failure) {
        return failure instanceof PrerequisiteFailedException skipped ? skipped.origin() : event.name();
    }
}
