package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.PrerequisiteFailedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list of events whose outcome matters, newest first, and what it means for the event that needed them.
 *
 * @param earlier those that were noted before
 */
record FailedPrerequisite(
        CoreEvent event, Effect effect, @Nullable FailedPrerequisite earlier) {
    /** At most so many suppressed failures of a prerequisite are passed on: a chain must not collect them all. */
    private static final int MOST_PASSED_ON = 32;

    /** What the outcome of one prerequisite means. */
    enum Effect {
        /** It failed, and so does the dependent. */
        FAIL,
        /** It failed, which alone changes nothing. */
        IGNORE,
        /** It succeeded, so that the dependent is not needed. */
        SUPERFLUOUS
    }

    /** The verdict that the body is not needed; no failure, and never thrown. */
    static final class NotNeeded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotNeeded() {
            super("not needed", null, false, false);
        }
    }

    /** Where the failures are that are not passed on; never thrown. */
    private static final class MoreFailures extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MoreFailures(String event) {
            super("further failures are with the failure of '" + event + "'", null, false, false);
        }
    }

    FailedPrerequisite(CoreEvent event, @Nullable FailedPrerequisite earlier) {
        this(event, Effect.FAIL, earlier);
    }

    /** What a complete prerequisite means under a policy, or null if nothing. */
    static @Nullable Effect effect(CoreEvent event, FailurePolicy policy) {
        Throwable failure = event.outcome();
        if (failure != null) {
            if (policy == FailurePolicy.RUN_ON_FAILURE) {
                event.graph().failures().see(failure);
            }
            return policy == FailurePolicy.SKIP ? Effect.FAIL : Effect.IGNORE;
        }
        return policy == FailurePolicy.RUN_ON_FAILURE ? Effect.SUPERFLUOUS : null;
    }

    /** The failure of the dependent, {@link NotNeeded}, or null if its body is to run. */
    @Nullable
    Throwable verdict(String dependent) {
        boolean superfluous = false;
        for (FailedPrerequisite at = this; at != null; at = at.earlier) {
            if (at.effect == Effect.FAIL) {
                return toFailure(dependent);
            }
            superfluous |= at.effect == Effect.SUPERFLUOUS;
        }
        return superfluous ? new NotNeeded() : null;
    }

    /**
     * The failure of {@code dependent}: the earliest event that makes it fail is the cause; everything else
     * that failed is suppressed, and some of what those have suppressed.
     */
    FollowingFailure toFailure(String dependent) {
        return toFailure(dependent, origins());
    }

    /** As {@link #toFailure(String)}, with what the failure holds on to. */
    FollowingFailure toFailure(String dependent, Failure... origins) {
        List<CoreEvent> inOrder = new ArrayList<>();
        CoreEvent first = event;
        for (FailedPrerequisite at = this; at != null; at = at.earlier) {
            if (at.effect != Effect.SUPERFLUOUS) {
                inOrder.add(at.event);
            }
            if (at.effect == Effect.FAIL) {
                first = at.event;
            }
        }
        Collections.reverse(inOrder);
        Throwable firstFailure = first.failureOfComplete();
        FollowingFailure result =
                new FollowingFailure(dependent, first.name(), origin(first, firstFailure), root(firstFailure), origins);
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        seen.add(root(firstFailure));
        List<Throwable> suppressed = new ArrayList<>();
        for (CoreEvent failed : inOrder) {
            Throwable failure = failed.failureOfComplete();
            if (seen.add(root(failure))) {
                suppressed.add(root(failure));
            }
        }
        int own = suppressed.size();
        for (CoreEvent failed : inOrder) {
            if (failed.failureOfComplete() instanceof FollowingFailure indirect) {
                boolean left = indirect.hasMore();
                for (Throwable further : indirect.passedOn()) {
                    if (suppressed.size() - own >= MOST_PASSED_ON) {
                        left = true;
                    } else if (seen.add(further)) {
                        suppressed.add(further);
                    }
                }
                if (left) {
                    suppressed.add(new MoreFailures(failed.name()));
                }
            }
        }
        result.suppress(suppressed, MOST_PASSED_ON);
        return result;
    }

    /** In a chain of skipped tasks all have the same array. What is not passed on is not held on to either. */
    private Failure[] origins() {
        if (earlier == null) {
            return event.origins();
        }
        Deque<CoreEvent> inOrder = new ArrayDeque<>();
        for (FailedPrerequisite at = this; at != null; at = at.earlier) {
            inOrder.addFirst(at.event);
        }
        Set<Failure> all = new LinkedHashSet<>();
        for (CoreEvent failed : inOrder) {
            Failure[] its = failed.origins();
            if (its.length > 0) {
                all.add(its[0]);
            }
        }
        int most = all.size() + MOST_PASSED_ON;
        for (CoreEvent failed : inOrder) {
            for (Failure further : failed.origins()) {
                if (all.size() < most) {
                    all.add(further);
                }
            }
        }
        return all.toArray(Failure.NONE);
    }

    /** Chains of skipped tasks stay flat, so that printing them needs no stack proportional to the chain. */
    private static Throwable root(Throwable failure) {
        Throwable cause = failure instanceof PrerequisiteFailedException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }

    private static String origin(CoreEvent event, Throwable failure) {
        return failure instanceof PrerequisiteFailedException skipped ? skipped.origin() : event.name();
    }
}
