package io.frameloom.samples.frame;

import io.frameloom.samples.frame.Meshlets.Instance;
import io.frameloom.samples.frame.Meshlets.Meshlet;
import io.frameloom.samples.scene.FrameSnapshot;
import java.nio.IntBuffer;
import java.util.BitSet;
import org.joml.Matrix4fc;
import org.joml.Vector3fc;

/** What {@code meshlets_cull.comp} computes, float by float, over a pyramid that was read back. */
final class CullingReference {
    private final Meshlets meshlets;
    private final FrameSnapshot snapshot;
    private final float[] projection = new float[16];
    private final int width;
    private final int height;
    private final int[] counters = new int[MeshletCounts.COUNTERS];
    private final BitSet early = new BitSet();
    private final BitSet visible = new BitSet();
    private final BitSet drawn = new BitSet();

    /** The levels of a pyramid, rows from the top. */
    interface Pyramid {
        float at(int mip, int x, int y);
    }

    CullingReference(Meshlets meshlets, FrameSnapshot snapshot, int width, int height, BitSet before, Pyramid pyramid) {
        this.meshlets = meshlets;
        this.snapshot = snapshot;
        this.width = width;
        this.height = height;
        Matrix4fc matrix = snapshot.view.jitteredViewProjection;
        for (int i = 0; i < 16; i++) {
            projection[i] = matrix.get(i / 4, i % 4);
        }
        for (int i = 0; i < meshlets.instances().size(); i++) {
            judge(i, meshlets.instances().get(i), before.get(i), pyramid);
        }
    }

    /** Returns what the first phase draws. */
    BitSet early() {
        return early;
    }

    /** Returns what the pyramid does not hide. */
    BitSet visible() {
        return visible;
    }

    /** Returns what both phases draw. */
    BitSet drawn() {
        return drawn;
    }

    MeshletCounts counts(MeshletForm form) {
        return MeshletCounts.of(form, meshlets.instances().size(), IntBuffer.wrap(counters));
    }

    private void judge(int number, Instance instance, boolean before, Pyramid pyramid) {
        Meshlet meshlet = meshlets.all().get(instance.meshlet());
        float[] model = new float[16];
        System.arraycopy(snapshot.transforms, instance.draw() * 16, model, 0, 16);
        float[][] corners = new float[8][];
        int planes = 63;
        for (int i = 0; i < 8; i++) {
            corners[i] = corner(model, meshlet, i);
            planes &= planes(corners[i]);
        }
        boolean inside = planes == 0;
        boolean away = facesAway(model, meshlet);
        boolean was = before && inside && !away;
        boolean seen = inside && !away && !occluded(corners, pyramid);
        early.set(number, was);
        visible.set(number, seen);
        drawn.set(number, was || seen);
        counters[was || seen ? 3 : !inside ? 0 : away ? 1 : 2]++;
        counters[4] += was || seen ? meshlet.indexCount() / 3 : 0;
    }

    private float[] corner(float[] model, Meshlet meshlet, int corner) {
        Vector3fc low = meshlet.box().min();
        Vector3fc high = meshlet.box().max();
        float x = (corner & 1) == 0 ? low.x() : high.x();
        float y = (corner & 2) == 0 ? low.y() : high.y();
        float z = (corner & 4) == 0 ? low.z() : high.z();
        float[] world = new float[3];
        for (int i = 0; i < 3; i++) {
            world[i] = (model[i] * x + model[4 + i] * y) + (model[8 + i] * z + model[12 + i]);
        }
        float[] clip = new float[4];
        for (int i = 0; i < 4; i++) {
            clip[i] = (projection[i] * world[0] + projection[4 + i] * world[1])
                    + (projection[8 + i] * world[2] + projection[12 + i]);
        }
        return clip;
    }

    private static int planes(float[] clip) {
        float margin = Math.abs(clip[3]) * -0.0001f;
        int result = 0;
        for (int i = 0; i < 2; i++) {
            result |= clip[i] + clip[3] < margin ? 1 << 2 * i : 0;
            result |= clip[3] - clip[i] < margin ? 2 << 2 * i : 0;
        }
        result |= clip[3] - clip[2] < margin ? 16 : 0;
        return result | (clip[2] < margin ? 32 : 0);
    }

    private static float[] cross(float[] m, int a, int b) {
        return new float[] {
            m[a + 1] * m[b + 2] - m[a + 2] * m[b + 1],
            m[a + 2] * m[b] - m[a] * m[b + 2],
            m[a] * m[b + 1] - m[a + 1] * m[b]
        };
    }

    private static float dot(float[] a, float[] b) {
        return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
    }

    private boolean facesAway(float[] model, Meshlet meshlet) {
        float[] yz = cross(model, 4, 8);
        float[] zx = cross(model, 8, 0);
        float[] xy = cross(model, 0, 4);
        float determinant = dot(model, yz);
        Vector3fc eye = snapshot.view.pose.eye;
        float[] to = {eye.x() - model[12], eye.y() - model[13], eye.z() - model[14]};
        float[] local = {dot(yz, to), dot(zx, to), dot(xy, to)};
        float[] away = new float[3];
        for (int i = 0; i < 3; i++) {
            away[i] = meshlet.sphere()[i] * determinant - local[i];
        }
        float along = dot(away, meshlet.cone()) - meshlet.sphere()[3] * determinant;
        float limit = (meshlet.cone()[3] * meshlet.cone()[3] + 0.001f) * dot(away, away);
        return determinant > 0 && along > 0 && along * along > limit;
    }

    /** By division in double precision, whose floor is that of the shader but where products round. */
    private static int texel(float x, float w, float size) {
        float scaled = (x + w) * (0.5f * size);
        if (!(scaled > 0)) {
            return 0;
        }
        if (scaled >= (size - 1) * w) {
            return (int) size - 1;
        }
        int q = (int) ((double) scaled / w);
        while (q * w > scaled) {
            q--;
        }
        while ((q + 1) * w <= scaled) {
            q++;
        }
        return q;
    }

    private boolean occluded(float[][] corners, Pyramid pyramid) {
        int left = width - 1;
        int right = 0;
        int top = height - 1;
        int bottom = 0;
        for (float[] clip : corners) {
            if (!(clip[3] > clip[2] && clip[3] > 0)) {
                return false;
            }
            int x = texel(clip[0], clip[3], width);
            int y = texel(clip[1], clip[3], height);
            left = Math.min(left, x);
            right = Math.max(right, x);
            top = Math.min(top, y);
            bottom = Math.max(bottom, y);
        }
        left = Math.max(left - 1, 0);
        top = Math.max(top - 1, 0);
        right = Math.min(right + 1, width - 1);
        bottom = Math.min(bottom + 1, height - 1);
        int level = 1;
        while ((right >> level) - (left >> level) > 1 || (bottom >> level) - (top >> level) > 1) {
            level++;
        }
        float farthest = 1;
        for (int x : new int[] {left >> level, right >> level}) {
            for (int y : new int[] {top >> level, bottom >> level}) {
                farthest = Math.min(farthest, pyramid.at(level - 1, x, y));
            }
        }
        for (float[] clip : corners) {
            if (!(clip[2] * 1.001f + clip[3] * 0.000001f < farthest * clip[3])) {
                return false;
            }
        }
        return true;
    }
}
