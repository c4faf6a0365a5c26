package io.frameloom.taskgraph.task;

import org.jspecify.annotations.Nullable;

/** What waits for an event: a task, an event with children, or a blocked thread. */
public interface Subsequent {
    /**
     * Called once per registration, by the thread that completes the event, after the event is complete.
     * Must not run user code; what follows goes through the completer.
     */
    void prerequisiteComplete(CoreEvent event, Completer completer);

    /**
     * The event that needs the one this is registered with: that one is among its {@link CoreEvent#inputs}.
     *
     * @return the event, or null if what waits is no event, or needs no particular one
     */
    default @Nullable CoreEvent dependent() {
        return null;
    }
}
