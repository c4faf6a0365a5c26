package io.frameloom.taskgraph.task;

import org.jspecify.annotations.Nullable;

/**
 * The tokens of one task, latest first. Immutable.
 *
 * @param token one of them
 * @param others those that were bound before
 */
public record BoundTokens(TokenState token, @Nullable BoundTokens others) {
    /** Whether any of them is cancelled. */
    public boolean isCancelled() {
        for (BoundTokens at = this; at != null; at = at.others) {
            if (at.token.isCancelled()) {
                return true;
            }
        }
        return false;
    }
}
