package io.frameloom.taskgraph.deterministic;

/** Unwinds the threads of a run that has failed. An error, so that few programs catch it. */
final class ScheduleAborted extends Error {
    private static final long serialVersionUID = 1L;

    ScheduleAborted() {
        super("the deterministic run has failed and ends here; see its ScheduleFailure", null, false, false);
    }
}
