package io.frameloom.gpu.record;

import io.frameloom.gpu.pipeline.ShaderBinding.Comparison;
import io.frameloom.gpu.resource.ComponentMapping;
import io.frameloom.gpu.resource.ComponentSwizzle;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format.Aspect;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SamplerDescription.Address;
import io.frameloom.gpu.resource.SamplerDescription.Border;
import io.frameloom.gpu.resource.SamplerDescription.Reduction;
import io.frameloom.gpu.resource.TextureView;

/**
 * Whether a sampler fits a texture and a shader, by bits: those of a sampler are its properties, those of a texture or
 * shader the properties that it refuses. Bits of several samplers, or of several textures, are combined by "or".
 * Stateless.
 */
final class SamplerFit {
    /** It compares. */
    static final int COMPARES = 1;
    /** It does not compare. */
    static final int PLAIN = 2;

    static final int LINEAR = 4;
    /** It takes the smallest texel. */
    static final int MIN = 8;
    /** It takes the largest texel. */
    static final int MAX = 16;
    /** Its border is OPAQUE_BLACK. */
    static final int BLACK_BORDER = 32;

    private SamplerFit() {}

    static int of(SamplerDescription sampler) {
        boolean bordered = sampler.addressU() == Address.CLAMP_TO_BORDER
                || sampler.addressV() == Address.CLAMP_TO_BORDER
                || sampler.addressW() == Address.CLAMP_TO_BORDER;
        return filter(sampler) | (bordered && sampler.border() == Border.OPAQUE_BLACK ? BLACK_BORDER : 0);
    }

    private static int filter(SamplerDescription sampler) {
        if (sampler.compare() != null) {
            return COMPARES;
        }
        // Devices that take the smallest or largest texel need not be able to average: the filters do not matter.
        if (sampler.reduction() != Reduction.WEIGHTED_AVERAGE) {
            return PLAIN | (sampler.reduction() == Reduction.MIN ? MIN : MAX);
        }
        boolean linear = sampler.minification() == Filter.LINEAR
                || sampler.magnification() == Filter.LINEAR
                || sampler.mips() == Filter.LINEAR;
        return linear ? PLAIN | LINEAR : PLAIN;
    }

    static int refusedBy(Comparison comparison) {
        return switch (comparison) {
            case NEVER -> COMPARES;
            case ALWAYS -> PLAIN;
            case UNKNOWN -> 0;
        };
    }

    static int refusedBy(TextureView view, BindingRules.Owner owner) {
        Aspect aspect = aspect(view);
        boolean reduces = aspect != Aspect.STENCIL && owner.reduces(view.format());
        ComponentMapping components = view.components();
        boolean comparable = aspect == Aspect.DEPTH && components.red() == ComponentSwizzle.IDENTITY;
        return (comparable ? 0 : COMPARES)
                // No device guarantees the border then.
                | (components.isIdentity() ? 0 : BLACK_BORDER)
                | (reduces ? 0 : MIN | MAX)
                | (owner.filters(view.format()) ? 0 : LINEAR);
    }

    static Aspect aspect(TextureView view) {
        return view.format().aspect(view.range().basePlane());
    }

    /**
     * Explains why a texture refuses a sampler, and the way out; to follow the texture's name.
     *
     * @param has "has a sampler", or what stands for that
     * @param its "its sampler", or what stands for that
     */
    static String words(int clash, TextureView view, String has, String its) {
        if ((clash & COMPARES) != 0 && aspect(view) == Aspect.DEPTH) {
            return "is seen with channels " + view.components() + ", while " + its
                    + " compares red; bind a view whose red shows itself";
        }
        if ((clash & COMPARES) != 0) {
            return "has no depth that " + its + " could compare; it is seen as " + view.format()
                    + "; bind what the shader declares";
        }
        if ((clash & (MIN | MAX)) != 0) {
            return has + " that takes the " + ((clash & MIN) != 0 ? Reduction.MIN : Reduction.MAX)
                    + " of texels, but is seen as " + (aspect(view) == Aspect.STENCIL ? "the stencil of " : "")
                    + view.format()
                    + ", of which the device cannot; take WEIGHTED_AVERAGE, or a format with FormatSupport.reduction";
        }
        if ((clash & BLACK_BORDER) != 0) {
            return has + " whose border is OPAQUE_BLACK, but is seen with channels " + view.components()
                    + ": what the border is then, no device promises; take another border, or a view without them";
        }
        return has + " with linear filters, but is seen as " + view.format()
                + ", which the device cannot filter; take a sampler without, or a format with FormatSupport.linearFilter";
    }
}
