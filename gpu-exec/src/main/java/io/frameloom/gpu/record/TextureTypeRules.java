package io.frameloom.gpu.record;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.pipeline.ShaderBinding.TextureType;
import io.frameloom.gpu.resource.Format.Aspect;
import io.frameloom.gpu.resource.Format.NumericKind;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.TextureView;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a texture that is bound against the type that the shader declares, and of its sampler against its
 * format. A check that passes allocates nothing. Immutable; any thread.
 */
final class TextureTypeRules {
    private final String pipeline;
    private final BindingRules.Owner owner;

    TextureTypeRules(String pipeline, BindingRules.Owner owner) {
        this.pipeline = pipeline;
        this.owner = owner;
    }

    /** Checks the type that the shader declares for its access to a texture; nothing if it declares none. */
    void type(String name, @Nullable TextureType type, TextureView view) {
        if (type == null) {
            return;
        }
        if (view.kind() != type.kind()) {
            throw mismatch(name, view, "is seen as " + view.kind() + ", the shader takes " + type.kind());
        }
        int samples = view.texture().description().samples();
        if (samples > 1 != type.multisampled()) {
            throw mismatch(
                    name,
                    view,
                    "has " + Plural.of(samples, "sample") + ", the shader takes "
                            + (type.multisampled() ? "one of several" : "one of a single sample"));
        }
        NumericKind numbers = SamplerFit.aspect(view) == Aspect.STENCIL
                ? NumericKind.UINT
                : view.format().kind();
        if (numbers != type.numbers()) {
            throw mismatch(
                    name,
                    view,
                    "is seen as " + view.format() + ", whose numbers are " + numbers + ", the shader takes "
                            + type.numbers());
        }
    }

    /** Checks a sampler against the shader and the texture that it is for. */
    void filter(String name, @Nullable TextureType type, TextureView view, SamplerDescription sampler) {
        int does = SamplerFit.of(sampler);
        if (type != null && (does & SamplerFit.refusedBy(type.comparison())) != 0) {
            boolean compares = (does & SamplerFit.COMPARES) != 0;
            throw mismatch(
                    name,
                    view,
                    "has a sampler that " + (compares ? "compares" : "does not compare") + ", the shader takes one"
                            + " that " + (compares ? "does not" : "does"));
        }
        int clash = does == SamplerFit.PLAIN ? 0 : does & SamplerFit.refusedBy(view, owner);
        if (clash != 0) {
            throw new IllegalArgumentException(
                    where(name, view) + SamplerFit.words(clash, view, "has a sampler", "its sampler"));
        }
    }

    private String where(String name, TextureView view) {
        return "texture '" + view.texture().name() + "' bound to '" + name + "' of pipeline '" + pipeline + "' ";
    }

    private IllegalArgumentException mismatch(String name, TextureView view, String words) {
        return new IllegalArgumentException(where(name, view) + words + "; bind what the shader declares");
    }
}
