package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSlot;

/** An element of a slot of {@link BindingRules}. Immutable; any thread. */
public final class SlotHandle implements ShaderSlot {
    private final BindingRules rules;
    private final ShaderBinding binding;
    private final int slot;
    private final int index;

    SlotHandle(BindingRules rules, ShaderBinding binding, int slot, int index) {
        this.rules = rules;
        this.binding = binding;
        this.slot = slot;
        this.index = index;
    }

    /** Returns the rules of its pipeline, by which that is recognised. */
    public BindingRules rules() {
        return rules;
    }

    /** Returns the place of the binding among those of the pipeline. */
    public int slot() {
        return slot;
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
