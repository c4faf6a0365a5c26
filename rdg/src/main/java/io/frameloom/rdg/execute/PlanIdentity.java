package io.frameloom.rdg.execute;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.bind.CompiledPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a realisation depends on of a plan: its shape, its names, and the very external resources that it uses. */
final class PlanIdentity {
    private final Object shape;
    /** Stands for the names: plans under equal ones share the list. */
    private final List<FramePlan.PassPlan> passes;

    private final List<Resource> externals;
    private final int hash;

    private PlanIdentity(Object shape, List<FramePlan.PassPlan> passes, List<Resource> externals) {
        this.shape = shape;
        this.passes = passes;
        this.externals = externals;
        int mixed = System.identityHashCode(passes);
        for (Resource external : externals) {
            mixed = 31 * mixed + System.identityHashCode(external);
        }
        this.hash = mixed;
    }

    static PlanIdentity of(CompiledPlan plan) {
        List<Resource> externals = new ArrayList<>();
        for (FramePlan.ResourcePlan resource : plan.outsideResources()) {
            Resource external = resource.external();
            if (external != null && resource.used()) {
                externals.add(external);
            }
        }
        return new PlanIdentity(plan.shape(), plan.passes(), externals);
    }

    /** Returns whether this is known to be the identity of a plan: of the same frame again, without externals. */
    boolean isOf(CompiledPlan plan) {
        return plan.shape() == shape
                && plan.passes() == passes
                && externals.isEmpty()
                && plan.outsideResources().isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PlanIdentity identity && identity.passes == passes && isSameButForNames(identity);
    }

    /** Returns whether plans of both do the same with the same, whatever it is called. */
    boolean isSameButForNames(PlanIdentity other) {
        if (other.shape != shape || other.externals.size() != externals.size()) {
            return false;
        }
        for (int i = 0; i < externals.size(); i++) {
            if (externals.get(i) != other.externals.get(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
