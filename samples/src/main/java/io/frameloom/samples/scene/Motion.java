package io.frameloom.samples.scene;

import org.joml.Matrix4f;

/** The transform of a moving draw as a pure function of time. Any thread. */
@FunctionalInterface
public interface Motion {
    /**
     * Writes the model-to-world transform at {@code seconds} into {@code transform}.
     *
     * @param rig state of the scene's rig at that time
     */
    void at(double seconds, float[] rig, Matrix4f transform);
}
