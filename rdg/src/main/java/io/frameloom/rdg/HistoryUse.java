package io.frameloom.rdg;

import io.frameloom.taskgraph.GraphEvent;

/** The use of one half of a history by one graph. */
final class HistoryUse implements Extraction {
    private final RdgHistory<?, ?> history;
    private final boolean current;
    private boolean executed;

    /** A use; {@code current} if it is of the half that the frame may write. */
    HistoryUse(RdgHistory<?, ?> history, boolean current) {
        this.history = history;
        this.current = current;
    }

    @Override
    public String name() {
        return history.name();
    }

    void requireUnresolved() {
        if (executed) {
            throw new IllegalStateException(
                    "history '" + history.name() + "' was written by this plan before: declare a new graph per frame");
        }
    }

    void resolve() {
        executed = true;
    }

    /** Returns whether the use is of the half that the frame may write. */
    boolean isCurrent() {
        return current;
    }

    /** Notes the launch of the frame, and whether a pass of it that runs writes this half. */
    void launched(GraphEvent completed, boolean written) {
        history.launched(completed, current && written);
    }
}
