package io.frameloom.samples.gltf;

import java.util.Arrays;
import java.util.Map;
import org.joml.Quaternionf;

/**
 * Values between keyframes, as "Interpolation Modes" of the glTF 2.0 specification has them: the first value before the
 * first keyframe, the last one after the last. Any thread.
 */
final class Keyframes {
    /** How values follow each other. */
    enum Interpolation {
        STEP,
        LINEAR,
        CUBICSPLINE
    }

    static final Map<String, Interpolation> INTERPOLATIONS = Map.of(
            "STEP", Interpolation.STEP, "LINEAR", Interpolation.LINEAR, "CUBICSPLINE", Interpolation.CUBICSPLINE);

    private final float[] times;
    private final float[] values;
    private final int width;
    private final Interpolation interpolation;
    private final boolean rotation;

    /**
     * Keyframes.
     *
     * @param times seconds, increasing
     * @param values {@code width} numbers per time, or for cubic splines three times as many: the tangent before, the
     *     value, the tangent after
     * @param rotation whether values are unit quaternions
     */
    Keyframes(float[] times, float[] values, int width, Interpolation interpolation, boolean rotation) {
        this.times = times;
        this.values = values;
        this.width = width;
        this.interpolation = interpolation;
        this.rotation = rotation;
    }

    /** Returns the time of the last keyframe in seconds. */
    float end() {
        return times[times.length - 1];
    }

    /** Returns how many numbers a value has. */
    int width() {
        return width;
    }

    /** Writes the value at a time. */
    void at(float seconds, float[] target, int offset) {
        int found = Arrays.binarySearch(times, seconds);
        int key = found >= 0 ? found : -found - 2;
        boolean between = key >= 0 && key < times.length - 1;
        int from = Math.max(0, key);
        if (!between || interpolation == Interpolation.STEP) {
            System.arraycopy(values, value(from), target, offset, width);
        } else {
            float length = times[from + 1] - times[from];
            float share = (seconds - times[from]) / length;
            if (interpolation == Interpolation.CUBICSPLINE) {
                cubic(from, share, length, target, offset);
            } else if (rotation) {
                Quaternionf turn = quaternion(values, value(from));
                put(turn.slerp(quaternion(values, value(from + 1)), share), target, offset);
            } else {
                for (int i = 0; i < width; i++) {
                    float before = values[value(from) + i];
                    target[offset + i] = before + share * (values[value(from + 1) + i] - before);
                }
            }
        }
        if (rotation) {
            put(quaternion(target, offset), target, offset);
        }
    }

    private int value(int key) {
        return interpolation == Interpolation.CUBICSPLINE ? (3 * key + 1) * width : key * width;
    }

    private void cubic(int key, float t, float length, float[] target, int offset) {
        float t2 = t * t;
        float t3 = t2 * t;
        int before = value(key);
        int after = value(key + 1);
        for (int i = 0; i < width; i++) {
            target[offset + i] = (2 * t3 - 3 * t2 + 1) * values[before + i]
                    + length * (t3 - 2 * t2 + t) * values[before + width + i]
                    + (3 * t2 - 2 * t3) * values[after + i]
                    + length * (t3 - t2) * values[after - width + i];
        }
    }

    /** Returns a unit quaternion; none at all is no turn. */
    private static Quaternionf quaternion(float[] values, int at) {
        Quaternionf turn = new Quaternionf(values[at], values[at + 1], values[at + 2], values[at + 3]);
        return turn.lengthSquared() > 0 ? turn.normalize() : turn.identity();
    }

    private static void put(Quaternionf turn, float[] target, int offset) {
        target[offset] = turn.x;
        target[offset + 1] = turn.y;
        target[offset + 2] = turn.z;
        target[offset + 3] = turn.w;
    }
}
