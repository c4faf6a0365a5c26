package io.frameloom.samples.scene;

import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import org.joml.FrustumIntersection;
import org.joml.Matrix4f;
import org.joml.Vector3f;

/**
 * Moves the scene: rig, camera, lights, the transform of every draw, and which draws camera and sun see. The work of one
 * frame is spread over the workers by {@code parallelFor}. Called on GAME, one frame at a time.
 */
public final class Simulation {
    private static final byte SEEN_BY_CAMERA = 1;
    private static final byte SEEN_BY_SUN = 2;
    private static final int GRAIN = 256;

    private final Scene scene;
    private final TaskGraph tasks;
    private int width;
    private int height;
    private final int shadowExtent;
    private final int[] moving;
    private final List<Scratch> scratch = new ArrayList<>();
    private final FrustumIntersection cameraFrustum = new FrustumIntersection();
    private final FrustumIntersection shadowFrustum = new FrustumIntersection();

    /**
     * A simulation.
     *
     * @param width width of the picture in texels
     * @param height height of the picture in texels
     * @param shadowExtent side of the shadow map in texels
     */
    public Simulation(Scene scene, TaskGraph tasks, int width, int height, int shadowExtent) {
        this.scene = scene;
        this.tasks = tasks;
        this.width = width;
        this.height = height;
        this.shadowExtent = shadowExtent;
        moving = scene.moving();
        for (int slot = 0; slot < tasks.slotCount(); slot++) {
            scratch.add(new Scratch());
        }
    }

    /** Sets the size of the pictures from the next frame on. */
    public void resize(int newWidth, int newHeight) {
        width = newWidth;
        height = newHeight;
    }

    /**
     * Computes one frame with the camera of the scene.
     *
     * @param target receives the frame; no other frame may be using it
     * @param frame number of the frame
     * @param seconds time of the frame
     * @param previousSeconds time of the frame before
     */
    public void simulate(FrameSnapshot target, long frame, double seconds, double previousSeconds) {
        scene.camera().at(seconds, target.view.pose);
        scene.camera().at(previousSeconds, target.view.previousPose);
        compute(target, frame, seconds, previousSeconds);
    }

    /**
     * Computes one frame with another camera.
     *
     * @param target receives the frame; no other frame may be using it
     * @param frame number of the frame
     * @param seconds time of the frame
     * @param previousSeconds time of the frame before
     * @param pose the camera
     * @param previousPose the camera of the frame before
     */
    public void simulate(
            FrameSnapshot target,
            long frame,
            double seconds,
            double previousSeconds,
            CameraPath.Pose pose,
            CameraPath.Pose previousPose) {
        target.view.pose.set(pose);
        target.view.previousPose.set(previousPose);
        compute(target, frame, seconds, previousSeconds);
    }

    private void compute(FrameSnapshot target, long frame, double seconds, double previousSeconds) {
        target.frame = frame;
        target.seconds = seconds;
        target.view.update(scene, frame, width, height, shadowExtent);
        scene.rig().at(seconds, target.rig);
        cameraFrustum.set(target.view.viewProjection);
        shadowFrustum.set(target.view.shadow);
        tasks.parallelFor("simulate draws", scene.draws().size(), GRAIN, (from, to, slot) -> {
            Scratch own = scratch.get(slot);
            for (int draw = from; draw < to; draw++) {
                target.visibility[draw] = move(target, draw, seconds, own);
            }
        });
        scene.rig().at(previousSeconds, target.formerRig);
        tasks.parallelFor("simulate former transforms", moving.length, GRAIN, (from, to, slot) -> {
            Matrix4f transform = scratch.get(slot).transform;
            for (int i = from; i < to; i++) {
                Motion motion = scene.draws().get(moving[i]).motion();
                if (motion != null) {
                    motion.at(previousSeconds, target.formerRig, transform);
                    transform.get(target.formerTransforms, i * FrameSnapshot.MATRIX_FLOATS);
                }
            }
        });
        List<Light> lights = scene.lights();
        tasks.parallelFor("simulate lights", lights.size(), GRAIN, (from, to, slot) -> {
            for (int light = from; light < to; light++) {
                lights.get(light).at(seconds, target.rig, target.lights, light * Light.FLOATS);
            }
        });
        collect(target);
    }

    private byte move(FrameSnapshot target, int draw, double seconds, Scratch own) {
        DrawItem item = scene.draws().get(draw);
        Motion motion = item.motion();
        if (motion == null) {
            own.transform.set(item.transform());
        } else {
            motion.at(seconds, target.rig, own.transform);
        }
        own.transform.get(target.transforms, draw * FrameSnapshot.MATRIX_FLOATS);
        item.bounds(scene.meshes().get(item.mesh()), own.transform, target.rig, own.min, own.max);
        byte seen = 0;
        if (cameraFrustum.testAab(own.min, own.max)) {
            seen |= SEEN_BY_CAMERA;
        }
        if (shadowFrustum.testAab(own.min, own.max)) {
            seen |= SEEN_BY_SUN;
        }
        return seen;
    }

    private static void collect(FrameSnapshot target) {
        int camera = 0;
        int shadow = 0;
        for (int draw = 0; draw < target.visibility.length; draw++) {
            byte seen = target.visibility[draw];
            if ((seen & SEEN_BY_CAMERA) != 0) {
                target.cameraDraws[camera++] = draw;
            }
            if ((seen & SEEN_BY_SUN) != 0) {
                target.shadowDraws[shadow++] = draw;
            }
        }
        target.cameraCount = camera;
        target.shadowCount = shadow;
    }

    private static final class Scratch {
        private final Matrix4f transform = new Matrix4f();
        private final Vector3f min = new Vector3f();
        private final Vector3f max = new Vector3f();
    }
}
