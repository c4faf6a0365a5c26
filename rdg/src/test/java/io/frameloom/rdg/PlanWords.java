package io.frameloom.rdg;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** All that a plan says. */
final class PlanWords {
    private PlanWords() {}

    static String of(FramePlan plan) {
        StringWriter text = new StringWriter();
        try {
            plan.writeJson(text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        StringBuilder words = new StringBuilder(text.toString());
        plan.passes().forEach(pass -> words.append(plan.explain(pass.name())));
        plan.resources().forEach(resource -> words.append(plan.explain(resource.name())));
        plan.dependencies().forEach(dependency -> words.append(plan.impliedBy(dependency)));
        return words.append(plan.passes())
                .append(plan.batches())
                .append(plan.renderPasses())
                .append(plan.forkRuleRenderPasses())
                .append(plan.scopes())
                .append(plan.warnings())
                .append(plan.scheduleRefusal())
                .append(plan)
                .toString();
    }
}
