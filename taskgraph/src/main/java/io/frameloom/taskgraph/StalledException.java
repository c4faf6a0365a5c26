package io.frameloom.taskgraph;

import java.time.Duration;

/** A wait took too long. The message says what holds it up. */
public final class StalledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient StallExplanation explanation;

    StalledException(Duration limit, StallExplanation explanation) {
        super("waited " + limit + " in vain: " + explanation);
        this.explanation = explanation;
    }

    /** What holds the event up. */
    public StallExplanation explanation() {
        return explanation;
    }
}
