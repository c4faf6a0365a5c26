package io.frameloom.taskgraph.task;

/**
 * Stands for what was thrown in each event that failed with it, and in each failure that follows from those. Once none
 * of them is reachable no code can see the failure any more, which {@link UnseenFailures} learns from the collector.
 * Immutable.
 */
final class Failure {
    static final Failure[] NONE = {};

    final Throwable thrown;

    Failure(Throwable thrown) {
        this.thrown = thrown;
    }
}
