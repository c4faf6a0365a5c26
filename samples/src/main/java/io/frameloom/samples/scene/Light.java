package io.frameloom.samples.scene;

/** A point, spot or directional light as a pure function of time. Any thread. */
@FunctionalInterface
public interface Light {
    /**
     * Floats of a light: position, radius of influence in metres; colour (linear) times intensity, square of its size in
     * metres; direction of its cone times a scale, an offset. The size bounds how bright it is nearby.
     *
     * <p>A directional light has the direction towards it as its position, and radius 0. A spot shines with the square
     * of: cosine of the angle to its direction, times the scale, plus the offset, plus 1, between 0 and 1. So a light
     * whose cone is all 0 shines everywhere.
     */
    int FLOATS = 12;

    /**
     * Writes the light at {@code seconds} into {@code target} from {@code offset}.
     *
     * @param rig state of the scene's rig at that time
     */
    void at(double seconds, float[] rig, float[] target, int offset);
}
