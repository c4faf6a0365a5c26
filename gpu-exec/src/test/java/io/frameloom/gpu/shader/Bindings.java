package io.frameloom.gpu.shader;

import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.resource.Format;
import org.jspecify.annotations.Nullable;

/** Bindings as shaders of tests declare them. */
public final class Bindings {
    private Bindings() {}

    /** A binding of one buffer or sampler. */
    public static ShaderBinding binding(String name, int set, int binding, ShaderBinding.Kind kind, boolean written) {
        return binding(name, set, binding, kind, written, 1);
    }

    /** A binding of some buffers or samplers. */
    public static ShaderBinding binding(
            String name, int set, int binding, ShaderBinding.Kind kind, boolean written, int count) {
        return binding(name, set, binding, kind, written, count, null, null);
    }

    /** A binding of a texture, or of a buffer of any size. */
    public static ShaderBinding binding(
            String name,
            int set,
            int binding,
            ShaderBinding.Kind kind,
            boolean written,
            int count,
            @Nullable Format storageFormat,
            ShaderBinding.@Nullable TextureType texture) {
        return new ShaderBinding(name, set, binding, kind, written, count, storageFormat, texture, 0);
    }
}
