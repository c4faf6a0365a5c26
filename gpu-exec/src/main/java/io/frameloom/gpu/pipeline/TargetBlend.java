package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;

/**
 * How one colour output is combined with its attachment. Colours and alpha are each
 * {@code source * sourceFactor operation destination * destinationFactor}.
 *
 * @param enabled whether it is combined; else the output replaces the attachment, and only the mask counts
 * @param sourceColor factor of the output's colour
 * @param destinationColor factor of the attachment's colour
 * @param colorOperation operation of colours
 * @param sourceAlpha factor of the output's alpha
 * @param destinationAlpha factor of the attachment's alpha
 * @param writeMask channels that are written, of {@link #RED} to {@link #ALPHA}
 */
public record TargetBlend(
        boolean enabled,
        Factor sourceColor,
        Factor destinationColor,
        Operation colorOperation,
        Factor sourceAlpha,
        Factor destinationAlpha,
        Operation alphaOperation,
        int writeMask) {
    /** Bit of the red channel. */
    public static final int RED = 1;

    /** Bit of the green channel. */
    public static final int GREEN = 2;

    /** Bit of the blue channel. */
    public static final int BLUE = 4;

    /** Bit of the alpha channel. */
    public static final int ALPHA = 8;

    /** All channels. */
    public static final int ALL = RED | GREEN | BLUE | ALPHA;

    /** Replaces the attachment. */
    public static final TargetBlend REPLACE =
            new TargetBlend(false, Factor.ONE, Factor.ZERO, Operation.ADD, Factor.ONE, Factor.ZERO, Operation.ADD, ALL);

    /** Keeps the attachment as it is, as of one that the shader reads or leaves out. */
    public static final TargetBlend KEPT =
            new TargetBlend(false, Factor.ONE, Factor.ZERO, Operation.ADD, Factor.ONE, Factor.ZERO, Operation.ADD, 0);

    /** Adds to the attachment. */
    public static final TargetBlend ADDED = same(Factor.ONE, Factor.ONE);

    /** Lays over the attachment, by the output's alpha. */
    public static final TargetBlend OVER = new TargetBlend(
            true,
            Factor.SOURCE_ALPHA,
            Factor.ONE_MINUS_SOURCE_ALPHA,
            Operation.ADD,
            Factor.ONE,
            Factor.ONE_MINUS_SOURCE_ALPHA,
            Operation.ADD,
            ALL);

    /** Lays an output whose colour was multiplied with its alpha over the attachment. */
    public static final TargetBlend PREMULTIPLIED_OVER = same(Factor.ONE, Factor.ONE_MINUS_SOURCE_ALPHA);

    public TargetBlend {
        if ((writeMask & ~ALL) != 0) {
            throw new IllegalArgumentException("a write mask is made of RED, GREEN, BLUE and ALPHA, got " + writeMask);
        }
    }

    private static TargetBlend same(Factor source, Factor destination) {
        return new TargetBlend(true, source, destination, Operation.ADD, source, destination, Operation.ADD, ALL);
    }

    static TargetBlend of(Blend preset) {
        return switch (preset) {
            case NONE -> REPLACE;
            case ADD -> ADDED;
            case ALPHA -> OVER;
        };
    }

    /** As this, with other channels that are written. */
    public TargetBlend withWriteMask(int channels) {
        return new TargetBlend(
                enabled,
                sourceColor,
                destinationColor,
                colorOperation,
                sourceAlpha,
                destinationAlpha,
                alphaOperation,
                channels);
    }

    /** The factor of a colour or alpha. */
    public enum Factor {
        /** 0. */
        ZERO,
        /** 1. */
        ONE,
        /** The output's colour. */
        SOURCE_COLOR,
        /** 1 minus the output's colour. */
        ONE_MINUS_SOURCE_COLOR,
        /** The attachment's colour. */
        DESTINATION_COLOR,
        /** 1 minus the attachment's colour. */
        ONE_MINUS_DESTINATION_COLOR,
        /** The output's alpha. */
        SOURCE_ALPHA,
        /** 1 minus the output's alpha. */
        ONE_MINUS_SOURCE_ALPHA,
        /** The attachment's alpha. */
        DESTINATION_ALPHA,
        /** 1 minus the attachment's alpha. */
        ONE_MINUS_DESTINATION_ALPHA,
        /** The blend constants' colour. */
        CONSTANT_COLOR,
        /** 1 minus the blend constants' colour. */
        ONE_MINUS_CONSTANT_COLOR,
        /** The smaller of the output's alpha and 1 minus the attachment's alpha; 1 for alpha. */
        SOURCE_ALPHA_SATURATE
    }

    /** How the two products are combined. */
    public enum Operation {
        /** Sum. */
        ADD,
        /** Source minus destination. */
        SUBTRACT,
        /** Destination minus source. */
        REVERSE_SUBTRACT,
        /** The smaller of source and destination; the factors do not count. */
        MIN,
        /** The larger of source and destination; the factors do not count. */
        MAX
    }
}
