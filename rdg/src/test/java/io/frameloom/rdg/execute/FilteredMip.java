package io.frameloom.rdg.execute;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;

/** Mips of eight bits a channel as the processor makes them: a linear filter at the centre of each texel. */
final class FilteredMip {
    private FilteredMip() {}

    /** Returns the channels of all texels, in linear light. */
    static double[] linear(TextureDescription shape, byte[] texels) {
        double[] channels = new double[texels.length];
        for (int i = 0; i < texels.length; i++) {
            double value = (texels[i] & 0xFF) / 255.0;
            boolean encoded = shape.format() == Format.R8G8B8A8_SRGB && i % 4 < 3;
            channels[i] = !encoded ? value : value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
        }
        return channels;
    }

    /** Returns the channels of a mip, in linear light, made from the texels of the one before. */
    static double[] of(TextureDescription shape, int mip, byte[] before) {
        double[] source = linear(shape, before);
        int fromWidth = shape.width(mip - 1);
        int fromHeight = shape.height(mip - 1);
        int fromDepth = shape.depth(mip - 1);
        int width = shape.width(mip);
        int height = shape.height(mip);
        int depth = shape.depth(mip);
        double[] result = new double[4 * width * height * depth];
        for (int i = 0; i < result.length; i++) {
            double x = place(i / 4 % width, fromWidth, width);
            double y = place(i / 4 / width % height, fromHeight, height);
            double z = place(i / 4 / width / height, fromDepth, depth);
            for (int corner = 0; corner < 8; corner++) {
                int right = corner & 1;
                int below = corner >> 1 & 1;
                int behind = corner >> 2;
                int texel = (texel(z, behind, fromDepth) * fromHeight + texel(y, below, fromHeight)) * fromWidth
                        + texel(x, right, fromWidth);
                result[i] += share(x, right) * share(y, below) * share(z, behind) * source[4 * texel + i % 4];
            }
        }
        return result;
    }

    /** Where the centre of a texel lies between the centres of those of the mip before. */
    private static double place(int texel, int from, int to) {
        return (texel + 0.5) * from / to - 0.5;
    }

    private static int texel(double place, int next, int side) {
        return Math.min(side - 1, Math.max(0, (int) Math.floor(place) + next));
    }

    private static double share(double place, int next) {
        double fraction = place - Math.floor(place);
        return next == 1 ? fraction : 1 - fraction;
    }
}
