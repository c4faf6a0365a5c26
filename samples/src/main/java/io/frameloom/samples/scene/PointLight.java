package io.frameloom.samples.scene;

/** A point light as a pure function of time. Any thread. */
@FunctionalInterface
public interface PointLight {
    /** Floats of a light: position, radius of influence in metres, colour (linear), intensity. */
    int FLOATS = 8;

    /** Writes the light at {@code seconds} into {@code target} from {@code offset}. */
    void at(double seconds, float[] target, int offset);
}
