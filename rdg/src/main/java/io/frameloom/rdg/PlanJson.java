package io.frameloom.rdg;

import java.io.IOException;
import java.io.Writer;

/** Writes a plan as JSON. */
final class PlanJson {
    private final FramePlan plan;

    PlanJson(FramePlan plan) {
        this.plan = plan;
    }

    @SuppressWarnings("DoNotCallSuggester")
    void write(Writer writer) throws IOException {
        throw new UnsupportedOperationException("json of " + plan.name() + writer);
    }
}
