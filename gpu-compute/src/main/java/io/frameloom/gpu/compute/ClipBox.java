package io.frameloom.gpu.compute;

/**
 * A rectangle; empty if a side's end is before its beginning. In buffers these are four floats, in this order.
 *
 * @param x0 left
 * @param y0 top
 * @param x1 right
 * @param y1 bottom
 */
public record ClipBox(float x0, float y0, float x1, float y1) {
    /** Large enough for any scene; some renderers use it where nothing clips. */
    public static final ClipBox UNBOUNDED = new ClipBox(-1e9f, -1e9f, 1e9f, 1e9f);

    /** Refuses what is not a number. */
    public ClipBox {
        if (Float.isNaN(x0) || Float.isNaN(y0) || Float.isNaN(x1) || Float.isNaN(y1)) {
            throw new IllegalArgumentException("a clip box needs four numbers, got " + x0 + ", " + y0 + ", " + x1 + ", "
                    + y1 + "; for an empty one let a side end before it begins");
        }
    }
}
