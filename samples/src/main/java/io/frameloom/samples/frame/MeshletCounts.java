package io.frameloom.samples.frame;

import io.frameloom.gpu.internal.Plural;
import java.nio.IntBuffer;
import java.util.Locale;

/**
 * What became of the meshlets of a frame.
 *
 * @param form by which shaders they are drawn
 * @param all meshlets of all draws
 * @param outside those outside of the frustum
 * @param away further ones whose triangles all face away
 * @param occluded further ones behind what was drawn before
 * @param drawn the rest
 * @param triangles triangles of those that are drawn
 */
public record MeshletCounts(MeshletForm form, int all, int outside, int away, int occluded, int drawn, int triangles) {
    /** Counters of {@code meshlets_cull.comp}, which are the fields in their order but the first. */
    static final int COUNTERS = 5;

    /** Returns the counts in words. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d, %d outside of the view, %d facing away, %d occluded, %d drawn with %s by %s shaders",
                all,
                outside,
                away,
                occluded,
                drawn,
                Plural.of(triangles, "triangle"),
                form);
    }

    static MeshletCounts of(MeshletForm form, int all, IntBuffer counters) {
        return new MeshletCounts(
                form, all, counters.get(0), counters.get(1), counters.get(2), counters.get(3), counters.get(4));
    }
}
