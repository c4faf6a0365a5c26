package io.frameloom.overlay;

import io.frameloom.rdg.RdgTextureView;

/**
 * A texture of the graph that a GUI shows: black is {@code low}, white {@code high}.
 *
 * @param view one mip of one layer of a texture of one sample, whose numbers are no integers
 * @param low the number that is shown black
 * @param high the number that is shown white, another one
 */
public record ShownTexture(RdgTextureView view, float low, float high) {
    /** Checks the range. */
    public ShownTexture {
        if (!(low < high || high < low)) {
            throw new IllegalArgumentException("texture '" + view.texture().name() + "' cannot be shown from " + low
                    + " to " + high + "; the two numbers must differ");
        }
    }
}
