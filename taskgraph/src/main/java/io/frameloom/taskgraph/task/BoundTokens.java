package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.TaskBody;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one task, latest first. Immutable.
 *
 * @param others those that were bound before
 */
public record BoundTokens(TokenState token, @Nullable BoundTokens others) {
    /** A body that runs unless one of them was cancelled before. */
    TaskBody before(Task task, TaskBody body) {
        return () -> {
            task.requireWanted(this);
            body.run();
        };
    }

    public boolean isCancelled() {
        for (BoundTokens at = this; at != null; at = at.others) {
            if (at.token.isCancelled()) {
                return true;
            }
        }
        return false;
    }
}
