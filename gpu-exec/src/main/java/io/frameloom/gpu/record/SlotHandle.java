package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSlot;

/**
 * A {@link ShaderSlot} with its place among the bindings of its pipeline. Immutable; any thread.
 *
 * @param rules those of its pipeline, by which that is recognised
 */
public record SlotHandle(BindingRules rules, ShaderBinding binding, int place, int index) implements ShaderSlot {
    @Override
    public String toString() {
        return "element " + index + " of " + BindingRules.describe(binding);
    }
}
