package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.resource.Format;
import org.jspecify.annotations.Nullable;

/**
 * A binding of a set without its name: pipelines whose slots are equal in a set share binding sets. Vulkan has one
 * layout for textures of all types; here a texture bound for one type does not fit another. Immutable.
 */
public record BindingSlot(
        int binding,
        ShaderBinding.Kind kind,
        int count,
        @Nullable Format storageFormat,
        ShaderBinding.@Nullable TextureType texture) {
    public static BindingSlot of(ShaderBinding binding) {
        return new BindingSlot(
                binding.binding(), binding.kind(), binding.count(), binding.storageFormat(), binding.texture());
    }
}
