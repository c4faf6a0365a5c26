package io.frameloom.gpu.resource;

import io.frameloom.gpu.DeviceLimits;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a texture is sampled.
 *
 * @param minification filter where a texel is smaller than a pixel
 * @param magnification filter where a texel is larger than a pixel
 * @param mips filter between mips
 * @param addressU what happens outside of 0 to 1 in the first coordinate
 * @param addressV the same for the second
 * @param addressW the same for the third
 * @param compare comparison with a reference, for shadow maps; null for none
 * @param border colour outside of the texture with {@link Address#CLAMP_TO_BORDER}
 * @param minLod finest mip that is sampled, as a level of detail
 * @param maxLod coarsest mip that is sampled, as a level of detail
 * @param lodBias added to the level of detail; at most {@link DeviceLimits.Samplers#maxLodBias}
 * @param anisotropy maximum anisotropy; 1 is off. It is reduced to the maximum of the device
 * @param reduction how the texels of a filter are combined. Others than averages need {@link
 *     DeviceLimits.Samplers#reductions} and a format with {@link FormatSupport#reduction}
 */
public record SamplerDescription(
        Filter minification,
        Filter magnification,
        Filter mips,
        Address addressU,
        Address addressV,
        Address addressW,
        @Nullable Compare compare,
        Border border,
        float minLod,
        float maxLod,
        float lodBias,
        int anisotropy,
        Reduction reduction) {
    /** Linear filtering, clamped. */
    public static final SamplerDescription LINEAR_CLAMP = new SamplerDescription(true, false, false, 1);
    /** Linear filtering, repeating. */
    public static final SamplerDescription LINEAR_REPEAT = new SamplerDescription(true, true, false, 1);
    /** Nearest texel, clamped. */
    public static final SamplerDescription NEAREST_CLAMP = new SamplerDescription(false, false, false, 1);
    /** Linear depth comparison for shadow maps, clamped. */
    public static final SamplerDescription SHADOW = new SamplerDescription(true, false, true, 1);

    /** The level of detail beyond every mip chain: no limit. */
    public static final float EVERY_MIP = 1000;

    public SamplerDescription {
        if (anisotropy < 1) {
            throw new IllegalArgumentException("anisotropy must be at least 1, got " + anisotropy);
        }
        if (!(minLod <= maxLod)) {
            throw new IllegalArgumentException(
                    "the levels of detail of a sampler go up, got " + minLod + " to " + maxLod);
        }
        if (!Float.isFinite(lodBias)) {
            throw new IllegalArgumentException("the bias of the level of detail must be finite, got " + lodBias);
        }
        if (compare != null && reduction != Reduction.WEIGHTED_AVERAGE) {
            throw new IllegalArgumentException(
                    "a sampler that compares averages the results, it cannot take their " + reduction);
        }
    }

    /**
     * A sampler with one filter and one address mode.
     *
     * @param linear linear filtering within and between mips; else nearest
     * @param repeat coordinates wrap; else they clamp to the edge
     * @param compareLess depth comparison (less or equal passes), for shadow maps
     * @param anisotropy maximum anisotropy; 1 is off
     */
    public SamplerDescription(boolean linear, boolean repeat, boolean compareLess, int anisotropy) {
        this(
                linear ? Filter.LINEAR : Filter.NEAREST,
                linear ? Filter.LINEAR : Filter.NEAREST,
                linear ? Filter.LINEAR : Filter.NEAREST,
                repeat ? Address.REPEAT : Address.CLAMP_TO_EDGE,
                repeat ? Address.REPEAT : Address.CLAMP_TO_EDGE,
                repeat ? Address.REPEAT : Address.CLAMP_TO_EDGE,
                compareLess ? Compare.LESS_OR_EQUAL : null,
                Border.TRANSPARENT_BLACK,
                0,
                EVERY_MIP,
                0,
                anisotropy,
                Reduction.WEIGHTED_AVERAGE);
    }

    /** What happens to coordinates outside of the texture. */
    public enum Address {
        /** They wrap. */
        REPEAT,
        /** They wrap with every other copy mirrored. */
        MIRRORED_REPEAT,
        /** They take the texel at the edge. */
        CLAMP_TO_EDGE,
        /** They take the border colour. */
        CLAMP_TO_BORDER
    }

    /** Comparison of the reference with the texel, in this order. */
    public enum Compare {
        /** Never. */
        NEVER,
        /** Less. */
        LESS,
        /** Equal. */
        EQUAL,
        /** Less or equal. */
        LESS_OR_EQUAL,
        /** Greater. */
        GREATER,
        /** Not equal. */
        NOT_EQUAL,
        /** Greater or equal. */
        GREATER_OR_EQUAL,
        /** Always. */
        ALWAYS
    }

    /** Border colours that every device has; integer textures get integers. */
    public enum Border {
        /** All zero. */
        TRANSPARENT_BLACK,
        /** Black with full alpha. */
        OPAQUE_BLACK,
        /** White with full alpha. */
        OPAQUE_WHITE,
        /** All zero, for integer textures. */
        TRANSPARENT_BLACK_INT,
        /** Black with alpha 1, for integer textures. */
        OPAQUE_BLACK_INT,
        /** All one, for integer textures. */
        OPAQUE_WHITE_INT
    }

    /** How the texels under a linear filter are combined. */
    public enum Reduction {
        /** By their weights. */
        WEIGHTED_AVERAGE,
        /** The smallest. */
        MIN,
        /** The largest. */
        MAX
    }

    /** The components that can be changed, before another description is made of them. */
    private static final class Draft {
        private Address addressU;
        private Address addressV;
        private Address addressW;
        private @Nullable Compare compare;
        private Border border;
        private float minLod;
        private float maxLod;
        private float lodBias;
        private int anisotropy;
        private Reduction reduction;

        Draft(SamplerDescription from) {
            addressU = from.addressU;
            addressV = from.addressV;
            addressW = from.addressW;
            compare = from.compare;
            border = from.border;
            minLod = from.minLod;
            maxLod = from.maxLod;
            lodBias = from.lodBias;
            anisotropy = from.anisotropy;
            reduction = from.reduction;
        }
    }

    private SamplerDescription with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new SamplerDescription(
                minification,
                magnification,
                mips,
                draft.addressU,
                draft.addressV,
                draft.addressW,
                draft.compare,
                draft.border,
                draft.minLod,
                draft.maxLod,
                draft.lodBias,
                draft.anisotropy,
                draft.reduction);
    }

    /** Returns the same sampler with one address mode for all coordinates. */
    public SamplerDescription withAddress(Address address) {
        return with(draft -> {
            draft.addressU = address;
            draft.addressV = address;
            draft.addressW = address;
        });
    }

    /** Returns the same sampler with another border colour, and all coordinates clamped to it. */
    public SamplerDescription withBorder(Border color) {
        return withAddress(Address.CLAMP_TO_BORDER).with(draft -> draft.border = color);
    }

    /** Returns the same sampler with a comparison, or without one. */
    public SamplerDescription withCompare(@Nullable Compare comparison) {
        return with(draft -> draft.compare = comparison);
    }

    /** Returns the same sampler with another range and bias of the level of detail. */
    public SamplerDescription withLod(float min, float max, float bias) {
        return with(draft -> {
            draft.minLod = min;
            draft.maxLod = max;
            draft.lodBias = bias;
        });
    }

    /** Returns the same sampler with another maximum anisotropy. */
    public SamplerDescription withAnisotropy(int maximum) {
        return with(draft -> draft.anisotropy = maximum);
    }

    /** Returns the same sampler with another reduction. */
    public SamplerDescription withReduction(Reduction other) {
        return with(draft -> draft.reduction = other);
    }
}
