package io.frameloom.rdg.capture;

/**
 * Which numbers become black and white in a picture of eight bits; what lies beyond is clamped. Immutable.
 *
 * @param kind whether the numbers are given
 * @param low becomes black
 * @param high becomes white
 */
public record CaptureRange(Kind kind, float low, float high) {
    /** From 0 to 1 for normalised numbers and floats of colour, as {@link #AUTO} for depth and integers. */
    public static final CaptureRange DEFAULT = new CaptureRange(Kind.DEFAULT, 0, 1);

    /** From the smallest to the largest finite number of the picture. */
    public static final CaptureRange AUTO = new CaptureRange(Kind.AUTO, 0, 1);

    /** Where the numbers come from. */
    public enum Kind {
        /** From the format of the texture. */
        DEFAULT,
        /** From the picture. */
        AUTO,
        /** They are given. */
        GIVEN
    }

    public CaptureRange {
        if (!(low < high) || Float.isInfinite(low) || Float.isInfinite(high)) {
            throw new IllegalArgumentException(
                    "range must go from a finite number to a larger one, not from " + low + " to " + high);
        }
    }

    /** Returns the range between two numbers. */
    public static CaptureRange of(float low, float high) {
        return new CaptureRange(Kind.GIVEN, low, high);
    }

    static CaptureRange parse(String value) {
        if (value.equals("auto")) {
            return AUTO;
        }
        int dots = value.indexOf("..");
        if (dots < 0) {
            throw new IllegalArgumentException("range cannot be '" + value + "'");
        }
        return of(number(value, value.substring(0, dots)), number(value, value.substring(dots + 2)));
    }

    private static float number(String value, String part) {
        try {
            return Float.parseFloat(part.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("range cannot be '" + value + "'", e);
        }
    }

    @Override
    public String toString() {
        return kind == Kind.GIVEN ? low + ".." + high : "auto";
    }
}
