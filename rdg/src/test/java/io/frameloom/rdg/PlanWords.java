package io.frameloom.rdg;

import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.PlanArrays;

/** All that a plan says. */
final class PlanWords {
    private PlanWords() {}

    /** Returns all that was decided, as text. */
    static String data(FramePlan plan) {
        StringBuilder words =
                new StringBuilder(plan.name() + plan.queues() + plan.options().withReusePlans(true));
        PlanArrays arrays = CompiledPlan.of(plan).structure().arrays();
        for (int pass = 0; pass < plan.passes().size(); pass++) {
            words.append('\n').append(plan.passes().get(pass));
            if (plan.passes().get(pass).level() >= 0) {
                words.append(arrays.namedQueue(pass)).append(arrays.after(pass));
            }
        }
        for (FramePlan.ResourcePlan resource : plan.resources()) {
            words.append('\n')
                    .append(resource.name())
                    .append(resource.textureDescription())
                    .append(resource.bufferDescription())
                    .append(resource.lifetime())
                    .append(resource.heap())
                    .append('+')
                    .append(resource.offset())
                    .append('+')
                    .append(resource.bytes())
                    .append(resource.lazy())
                    .append(resource.initialLayout())
                    .append(resource.finalLayout())
                    .append(resource.used())
                    .append(arrays.graph().finalAccess(resource.index()));
        }
        plan.heaps().forEach(heap -> words.append(heap.memoryTypes()).append(heap.bytes()));
        return words.append(plan.batches())
                .append(plan.recordingGroups())
                .append(plan.renderPasses())
                .append(plan.dependencies())
                .append(plan.epochs())
                .append(plan.asyncRegions())
                .append(plan.scopes())
                .toString();
    }

    static String of(FramePlan plan) {
        StringBuilder words = new StringBuilder(data(plan));
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
