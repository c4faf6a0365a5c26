package io.frameloom.rdg.execute;

import io.frameloom.gpu.Resource;
import io.frameloom.rdg.FramePlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a realisation depends on of a plan: its shape, and the very external resources that it uses. */
final class PlanIdentity {
    private final Object shape;
    private final List<Resource> externals;
    private final int hash;

    private PlanIdentity(Object shape, List<Resource> externals) {
        this.shape = shape;
        this.externals = externals;
        int mixed = System.identityHashCode(shape);
        for (Resource external : externals) {
            mixed = 31 * mixed + System.identityHashCode(external);
        }
        this.hash = mixed;
    }

    static PlanIdentity of(FramePlan plan) {
        List<Resource> externals = new ArrayList<>();
        for (FramePlan.ResourcePlan resource : plan.outsideResources()) {
            Resource external = resource.external();
            if (external != null && resource.used()) {
                externals.add(external);
            }
        }
        return new PlanIdentity(plan.shape(), externals);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof PlanIdentity identity)
                || identity.shape != shape
                || identity.externals.size() != externals.size()) {
            return false;
        }
        for (int i = 0; i < externals.size(); i++) {
            if (externals.get(i) != identity.externals.get(i)) {
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
