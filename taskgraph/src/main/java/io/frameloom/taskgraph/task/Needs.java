package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.TaskBody;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The body of a task that needs more than its prerequisites before it may run, or of a join that completes in a way of
 * its own. Threads that wait for the task, and reports, ask it from any thread.
 */
public interface Needs extends TaskBody {
    @Override
    default void run() throws Exception {
        throw new IllegalStateException("it waits alone and has no body to run");
    }

    /** Events that must all complete before the task can run, as far as they are known. */
    default CoreEvent[] needs() {
        return CoreEvent.NO_EVENTS;
    }

    /** The prerequisites and {@link #needs()}; entries may be null. */
    default @Nullable CoreEvent[] addTo(@Nullable CoreEvent[] prerequisites) {
        CoreEvent[] more = needs();
        if (more.length == 0) {
            return prerequisites;
        }
        @Nullable CoreEvent[] all = Arrays.copyOf(prerequisites, prerequisites.length + more.length);
        System.arraycopy(more, 0, all, prerequisites.length, more.length);
        return all;
    }

    /**
     * Events of which one that completes may be enough, as far as they are known. Running them helps, but it is not
     * certain that the task needs any particular one.
     */
    default CoreEvent[] alternatives() {
        return CoreEvent.NO_EVENTS;
    }

    /**
     * Why the task cannot run yet, if that is something else than its prerequisites and {@link #needs()}; else null.
     */
    default @Nullable WaitReason waitReason() {
        return null;
    }
}
