package io.frameloom.taskgraph;

/** What waits for an event: a task, an event with children, or a blocked thread. */
interface Subsequent {
    /**
     * Called once per registration, by the thread that completes the event, after the event is complete.
     * Must not run user code; what follows goes through the completer.
     */
    void prerequisiteComplete(GraphEvent event, Completer completer);
}
