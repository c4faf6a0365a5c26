package io.frameloom.samples.demo;

import io.frameloom.samples.scene.CameraPath;
import io.frameloom.samples.scene.CameraPath.Pose;
import io.frameloom.samples.window.StageKey;
import org.joml.Vector3f;

/**
 * A camera that follows the path of the scene until a user takes it: keys move it, dragging turns it, the wheel changes
 * its speed. One thread.
 */
final class FreeCamera {
    private static final float RADIANS_PER_TEXEL = 0.005f;
    private static final float STEEPEST = 1.55f;
    private static final float FASTER_BY_SHIFT = 4;
    private static final float FASTER_BY_WHEEL = 1.25f;

    private final CameraPath path;
    private final double ahead;
    private final Pose next = new Pose();
    private final Pose pose = new Pose();
    private final Pose previous = new Pose();
    private final Vector3f forward = new Vector3f();
    private final Vector3f move = new Vector3f();
    private float metresPerSecond = 12;
    private double seconds;
    private double previousSeconds;
    private boolean taken;
    private float yaw;
    private float pitch;

    /**
     * A camera on a path.
     *
     * @param ahead seconds that it is ahead of the scene, so that several cameras show different things
     */
    FreeCamera(CameraPath path, double ahead) {
        this.path = path;
        this.ahead = ahead;
        path.at(ahead, next);
        pose.set(next);
        previous.set(next);
    }

    /**
     * Begins a frame. If nothing moves, the cameras and times of this and the former frame stay.
     *
     * @param input what the user does
     * @param elapsed seconds since the frame before
     * @param sceneSeconds time of the scene
     * @param sceneMoves whether that is another time than the frame before had
     * @return whether scene or camera move
     */
    boolean update(WindowInput input, float elapsed, double sceneSeconds, boolean sceneMoves) {
        steer(input, elapsed, sceneSeconds);
        if (!sceneMoves && next.eye.equals(pose.eye) && next.target.equals(pose.target)) {
            return false;
        }
        previous.set(pose);
        pose.set(next);
        previousSeconds = seconds;
        seconds = sceneSeconds;
        return true;
    }

    private void steer(WindowInput input, float elapsed, double sceneSeconds) {
        metresPerSecond *= (float) Math.pow(FASTER_BY_WHEEL, input.takeWheel());
        float right = input.held(StageKey.D, StageKey.RIGHT) - input.held(StageKey.A, StageKey.LEFT);
        float onwards = input.held(StageKey.W, StageKey.UP) - input.held(StageKey.S, StageKey.DOWN);
        float up = input.held(StageKey.E, StageKey.E) - input.held(StageKey.Q, StageKey.Q);
        float turnX = input.takeDragX();
        float turnY = input.takeDragY();
        if (right != 0 || onwards != 0 || up != 0 || turnX != 0 || turnY != 0) {
            take();
        }
        if (!taken) {
            path.at(sceneSeconds + ahead, next);
            return;
        }
        yaw += turnX * RADIANS_PER_TEXEL;
        pitch = Math.max(-STEEPEST, Math.min(STEEPEST, pitch - turnY * RADIANS_PER_TEXEL));
        forward.set((float) (Math.cos(pitch) * Math.sin(yaw)), (float) Math.sin(pitch), (float)
                (-Math.cos(pitch) * Math.cos(yaw)));
        float metres =
                metresPerSecond * elapsed * (input.held(StageKey.SHIFT, StageKey.SHIFT) > 0 ? FASTER_BY_SHIFT : 1);
        move.set((float) Math.cos(yaw), 0, (float) Math.sin(yaw)).mul(right);
        move.add(0, up, 0).fma(onwards, forward).mul(metres);
        next.eye.add(move);
        next.target.set(next.eye).add(forward);
    }

    private void take() {
        if (!taken) {
            taken = true;
            forward.set(next.target).sub(next.eye).normalize();
            pitch = (float) Math.asin(forward.y);
            yaw = (float) Math.atan2(forward.x, -forward.z);
        }
    }

    /** Returns the camera. */
    Pose pose() {
        return pose;
    }

    /** Returns the camera of the frame before. */
    Pose previous() {
        return previous;
    }

    /** Returns the time of the scene in the frame before. */
    double previousSeconds() {
        return previousSeconds;
    }
}
