package io.frameloom.rdg.execute;

import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.PlanUses;
import io.frameloom.rdg.declare.ConditionalPass;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * What the conditions of the slot's frame say. Each object is asked once, on the RENDER thread before anything is
 * launched, in the order in which surviving passes name it. So passes that share one agree, however they are recorded.
 * When the next frame is declared, it is known which histories this one writes. Recording tasks only look up.
 */
final class FrameConditions {
    private final IdentityHashMap<BooleanSupplier, Boolean> answers = new IdentityHashMap<>();
    private final IdentityHashMap<BooleanSupplier, Throwable> failures = new IdentityHashMap<>(0);

    /** Forgets the former frame and asks for a plan. A condition that throws fails each call for its answer. */
    void ask(CompiledPlan plan) {
        // Clearing one writes to its whole table, also if it is empty.
        if (!answers.isEmpty() || !failures.isEmpty()) {
            answers.clear();
            failures.clear();
        }
        for (int index = 0; plan.isConditional() && index < plan.passes().size(); index++) {
            if (!plan.passes().get(index).culled() && plan.body(index) instanceof ConditionalPass pass) {
                ask(pass.condition());
            }
        }
    }

    private void ask(BooleanSupplier condition) {
        if (answers.containsKey(condition) || failures.containsKey(condition)) {
            return;
        }
        try {
            answers.put(condition, condition.getAsBoolean());
        } catch (Throwable failure) {
            failures.put(condition, failure);
        }
    }

    /**
     * Returns whether the pass is to be recorded.
     *
     * @throws RdgException if its condition has failed
     */
    boolean holds(ConditionalPass pass) {
        Boolean answer = answers.get(pass.condition());
        if (answer == null) {
            Throwable failure = Objects.requireNonNull(failures.get(pass.condition()));
            throw new RdgException("its condition (onlyIf) failed", failure);
        }
        return answer;
    }

    boolean isWritten(CompiledPlan plan, int resource) {
        for (int index = 0; index < plan.passes().size(); index++) {
            if (!plan.passes().get(index).culled() && writes(plan, index, resource) && runs(plan, index)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a pass is recorded; one whose condition has failed is not. */
    boolean runs(CompiledPlan plan, int pass) {
        return !plan.isConditional()
                || !(plan.body(pass) instanceof ConditionalPass conditional)
                || answers.getOrDefault(conditional.condition(), false);
    }

    private static boolean writes(CompiledPlan plan, int pass, int resource) {
        PlanUses uses = plan.structure().arrays().uses();
        for (int use = uses.first(pass); use < uses.end(pass); use++) {
            if (uses.resource(use) == resource && uses.access(use).writes()) {
                return true;
            }
        }
        return false;
    }
}
