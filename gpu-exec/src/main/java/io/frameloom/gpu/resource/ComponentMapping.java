package io.frameloom.gpu.resource;

/**
 * Which channel of its texture each channel of a view shows, such as the one channel of a mask as white: {@code (R, R,
 * R, ONE)}. A channel that shows itself is {@link ComponentSwizzle#IDENTITY}, however it is given.
 *
 * @param red what red shows
 * @param green what green shows
 * @param blue what blue shows
 * @param alpha what alpha shows
 */
public record ComponentMapping(
        ComponentSwizzle red, ComponentSwizzle green, ComponentSwizzle blue, ComponentSwizzle alpha) {
    /** Every channel shows itself. */
    public static final ComponentMapping IDENTITY = new ComponentMapping(
            ComponentSwizzle.IDENTITY, ComponentSwizzle.IDENTITY, ComponentSwizzle.IDENTITY, ComponentSwizzle.IDENTITY);

    /** Replaces the name of a channel that shows itself by IDENTITY. */
    public ComponentMapping {
        red = red == ComponentSwizzle.R ? ComponentSwizzle.IDENTITY : red;
        green = green == ComponentSwizzle.G ? ComponentSwizzle.IDENTITY : green;
        blue = blue == ComponentSwizzle.B ? ComponentSwizzle.IDENTITY : blue;
        alpha = alpha == ComponentSwizzle.A ? ComponentSwizzle.IDENTITY : alpha;
    }

    /** Returns whether every channel shows itself. */
    public boolean isIdentity() {
        return equals(IDENTITY);
    }

    /** Returns whether some channel shows a swizzle. */
    public boolean has(ComponentSwizzle swizzle) {
        return red == swizzle || green == swizzle || blue == swizzle || alpha == swizzle;
    }

    /** Returns what a channel shows: 0 for red to 3 for alpha. */
    public ComponentSwizzle channel(int index) {
        return switch (index) {
            case 0 -> red;
            case 1 -> green;
            case 2 -> blue;
            default -> alpha;
        };
    }

    @Override
    public String toString() {
        return "(" + red + ", " + green + ", " + blue + ", " + alpha + ")";
    }
}
