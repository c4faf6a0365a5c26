package io.frameloom.samples.scene;

import org.joml.Matrix4f;

/** The transform of a moving draw as a pure function of time. Any thread. */
@FunctionalInterface
public interface Motion {
    /** Writes the model-to-world transform at {@code seconds} into {@code transform}. */
    void at(double seconds, Matrix4f transform);
}
