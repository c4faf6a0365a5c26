package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.PrerequisiteFailedException;
import java.util.List;

/** A failure of a graph that follows from others, with what failures that follow from this one take over. */
public final class FollowingFailure extends PrerequisiteFailedException {
    private static final long serialVersionUID = 1L;

    /** The suppressed failures that are passed on to what fails because of this. */
    private transient List<Throwable> passedOn = List.of();

    private transient boolean hasMore;
    /** As long as this is reachable, the failures that it comes from are not lost. */
    private final transient Failure[] origins;

    FollowingFailure(String task, String prerequisite, String origin, Throwable cause, Failure... origins) {
        super(task, prerequisite, origin, cause);
        this.origins = origins;
    }

    boolean hasOrigins() {
        return origins.length > 0;
    }

    Failure[] origins() {
        return origins;
    }

    void suppress(List<Throwable> failures, int passOn) {
        failures.forEach(this::addSuppressed);
        passedOn = List.copyOf(failures.subList(0, Math.min(passOn, failures.size())));
        hasMore = failures.size() > passOn;
    }

    List<Throwable> passedOn() {
        return passedOn;
    }

    /** Whether more is suppressed than is passed on. */
    boolean hasMore() {
        return hasMore;
    }
}
