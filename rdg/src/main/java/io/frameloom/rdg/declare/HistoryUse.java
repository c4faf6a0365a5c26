package io.frameloom.rdg.declare;

import io.frameloom.rdg.Extraction;
import io.frameloom.rdg.RdgException;
import io.frameloom.taskgraph.GraphEvent;
import org.jspecify.annotations.Nullable;

/** The use of one half of a history by one graph. */
public final class HistoryUse implements Extraction {
    private final HistoryState<?, ?> history;
    private final boolean current;
    private final boolean replaced;
    private final long state;
    private final @Nullable String site;
    private boolean executed;

    /**
     * A use; {@code current} if it is of the half that the frame may write. The other half of a history without
     * contents holds them for this frame alone. The next one finds what this one writes, or else clears it again.
     *
     * @param site where the graph has taken the history, if that is kept
     */
    HistoryUse(HistoryState<?, ?> history, boolean current, @Nullable String site) {
        this.history = history;
        this.current = current;
        this.replaced = !current && !history.hasContents();
        this.state = history.state();
        this.site = site;
    }

    /** Returns whether no later frame needs what this one leaves in it. */
    boolean isReplaced() {
        return replaced;
    }

    @Override
    public String name() {
        return history.name();
    }

    public void requireUnresolved() {
        if (executed) {
            throw new IllegalStateException(
                    "history '" + history.name() + "' was written by this plan before: declare a new graph per frame");
        }
        if (state != history.state()) {
            throw new RdgException("history '" + history.name() + "' has changed since the graph took it"
                    + DeclarationSite.suffix(site)
                    + ": a frame that was executed in between wrote it, it was reset, or another"
                    + " graph took it in another shape, so this graph would read what is stale; declare each frame with a"
                    + " history after the former one was executed");
        }
    }

    public void resolve() {
        executed = true;
    }

    /** Returns whether the use is of the half that the frame may write. */
    public boolean isCurrent() {
        return current;
    }

    /** Notes the launch of the frame, and whether a pass of it that runs writes this half. */
    public void launched(GraphEvent completed, boolean written) {
        history.launched(completed, current && written);
    }
}
