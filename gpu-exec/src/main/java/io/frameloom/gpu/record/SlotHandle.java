package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSlot;

/** A {@link ShaderSlot} with its place among the bindings of its pipeline. Immutable; any thread. */
public final class SlotHandle implements ShaderSlot {
    private final BindingRules rules;
    private final ShaderBinding binding;
    private final int place;
    private final int index;

    SlotHandle(BindingRules rules, ShaderBinding binding, int place, int index) {
        this.rules = rules;
        this.binding = binding;
        this.place = place;
        this.index = index;
    }

    /** Returns the rules of its pipeline, by which that is recognised. */
    public BindingRules rules() {
        return rules;
    }

    /** Returns the place of the binding among those of the pipeline. */
    public int place() {
        return place;
    }

    @Override
    public ShaderBinding binding() {
        return binding;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public String toString() {
        return "element " + index + " of " + BindingRules.describe(binding);
    }
}
