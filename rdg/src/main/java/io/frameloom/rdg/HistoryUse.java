package io.frameloom.rdg;

import io.frameloom.rdg.declare.DeclarationSite;
import io.frameloom.rdg.execute.FramePipeline;
import org.jspecify.annotations.Nullable;

/** The use of one half of a history by one graph. */
final class HistoryUse implements Extraction {
    private final RdgHistory<?, ?> history;
    private final boolean current;
    private final long state;
    private final @Nullable String site;
    private boolean executed;

    /**
     * A use; {@code current} if it is of the half that the frame may write.
     *
     * @param site where the graph has taken the history, if that is kept
     */
    HistoryUse(RdgHistory<?, ?> history, boolean current, @Nullable String site) {
        this.history = history;
        this.current = current;
        this.state = history.state();
        this.site = site;
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
        if (state != history.state()) {
            throw new RdgException("history '" + history.name() + "' has changed since the graph took it"
                    + DeclarationSite.suffix(site)
                    + ": a frame that was executed in between wrote it, it was reset, or another"
                    + " graph took it in another shape, so this graph would read what is stale; declare each frame"
                    + " with a history after the former one was executed");
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
    void launched(FramePipeline pipeline, long frame, boolean written) {
        history.launched(pipeline, frame, current && written);
    }
}
