package io.frameloom.samples.scene;

import org.joml.Vector3f;

/** The camera as a pure function of time. Any thread. */
@FunctionalInterface
public interface CameraPath {
    /** Writes the camera at {@code seconds} into {@code pose}. */
    void at(double seconds, Pose pose);

    /** A camera; y is up. */
    final class Pose {
        /** Where it is, in metres. */
        public final Vector3f eye = new Vector3f();

        /** What it looks at. */
        public final Vector3f target = new Vector3f();

        /** Vertical field of view in radians. */
        public float fovY;

        /** Distance of the near plane in metres. */
        public float near;

        /** Distance of the far plane in metres. */
        public float far;

        /** Becomes another camera. */
        public void set(Pose other) {
            eye.set(other.eye);
            target.set(other.target);
            fovY = other.fovY;
            near = other.near;
            far = other.far;
        }
    }
}
