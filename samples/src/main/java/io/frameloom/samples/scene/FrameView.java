package io.frameloom.samples.scene;

import org.joml.Matrix4f;
import org.joml.Vector3f;
import org.joml.Vector3fc;

/**
 * The matrices of one frame. Depth is reversed: 1 at the near plane, 0 at the far plane. Clip space is Vulkan's, y
 * down.
 *
 * <p>Written by the simulation of its frame, read by the passes of the same frame.
 */
public final class FrameView {
    /** Length of the jitter sequence. */
    private static final int JITTER_PERIOD = 8;

    /** World to view. */
    public final Matrix4f view = new Matrix4f();

    /** World to clip, without jitter. */
    public final Matrix4f viewProjection = new Matrix4f();

    /** World to clip with the sub-pixel jitter of the frame. */
    public final Matrix4f jitteredViewProjection = new Matrix4f();

    /** Clip of this frame to clip of the frame before, both without jitter. */
    public final Matrix4f reprojection = new Matrix4f();

    /** World to clip of the frame before, without jitter. */
    public final Matrix4f formerViewProjection = new Matrix4f();

    /** View to world. */
    public final Matrix4f inverseView = new Matrix4f();

    /** World to clip of the shadow map; depth 0 towards the sun. */
    public final Matrix4f shadow = new Matrix4f();

    /** Side of a shadow texel in metres. */
    public float shadowTexel;

    /** The camera. */
    public final CameraPath.Pose pose = new CameraPath.Pose();

    /** The camera of the frame before. */
    final CameraPath.Pose previousPose = new CameraPath.Pose();

    /** Tangent of half of the horizontal field of view. */
    public float tanHalfX;

    /** Tangent of half of the vertical field of view. */
    public float tanHalfY;

    private final Matrix4f scratch = new Matrix4f();
    private final Matrix4f lightView = new Matrix4f();
    private final Vector3f corner = new Vector3f();
    private final Vector3f center = new Vector3f();

    /**
     * Computes everything for one frame, of which {@link #pose} and {@link #previousPose} are there already.
     *
     * @param scene scene
     * @param frame number of the frame, chooses the jitter
     * @param width width of the picture in texels
     * @param height height of the picture in texels
     * @param shadowExtent side of the shadow map in texels
     */
    void update(Scene scene, long frame, int width, int height, int shadowExtent) {
        float aspect = (float) width / height;
        worldToClip(previousPose, aspect, 0, 0, formerViewProjection);
        reprojection.set(formerViewProjection);

        tanHalfY = (float) Math.tan(pose.fovY * 0.5);
        tanHalfX = tanHalfY * aspect;
        view.setLookAt(pose.eye, pose.target, up(pose));
        view.invertAffine(inverseView);
        worldToClip(pose, aspect, 0, 0, viewProjection);
        float jitterX = (halton((int) (frame % JITTER_PERIOD) + 1, 2) - 0.5f) * 2 / width;
        float jitterY = (halton((int) (frame % JITTER_PERIOD) + 1, 3) - 0.5f) * 2 / height;
        worldToClip(pose, aspect, jitterX, jitterY, jitteredViewProjection);
        viewProjection.invert(scratch);
        reprojection.mul(scratch);
        fitShadow(scene, shadowExtent);
    }

    private static void worldToClip(CameraPath.Pose pose, float aspect, float jitterX, float jitterY, Matrix4f target) {
        target.identity()
                .translate(jitterX, jitterY, 0)
                .scale(1, -1, 1)
                .perspective(pose.fovY, aspect, pose.far, pose.near, true)
                .lookAt(pose.eye, pose.target, up(pose));
    }

    private static Vector3f up(CameraPath.Pose pose) {
        float horizontal = Math.max(Math.abs(pose.target.x - pose.eye.x), Math.abs(pose.target.z - pose.eye.z));
        return horizontal < 1e-4f * Math.abs(pose.target.y - pose.eye.y)
                ? new Vector3f(0, 0, -1)
                : new Vector3f(0, 1, 0);
    }

    /** One cascade around the part of the camera's frustum within shadow distance, snapped to whole texels. */
    private void fitShadow(Scene scene, int extent) {
        Atmosphere atmosphere = scene.atmosphere();
        float reach = Math.min(atmosphere.shadowDistance(), pose.far);
        float cornerDistance = reach * (float) Math.sqrt(1 + tanHalfX * tanHalfX + tanHalfY * tanHalfY);
        float along = Math.min(reach, cornerDistance * cornerDistance / (2 * reach));
        center.set(pose.target).sub(pose.eye).normalize(along).add(pose.eye);
        float sideX = reach * tanHalfX;
        float sideY = reach * tanHalfY;
        float radius = (float) Math.sqrt((reach - along) * (reach - along) + sideX * sideX + sideY * sideY);
        radius = Math.max(radius, along);
        float sceneRadius = scene.bounds().radius();
        if (radius > sceneRadius) {
            radius = sceneRadius;
            center.set(scene.bounds().center());
        }
        Vector3fc toSun = atmosphere.toSun();
        Vector3f lightUp = Math.abs(toSun.y()) > 0.99f ? new Vector3f(1, 0, 0) : new Vector3f(0, 1, 0);
        lightView.setLookAt(toSun.x(), toSun.y(), toSun.z(), 0, 0, 0, lightUp.x, lightUp.y, lightUp.z);
        shadowTexel = 2 * radius / extent;
        lightView.transformPosition(center);
        center.x = (float) Math.floor(center.x / shadowTexel) * shadowTexel;
        center.y = (float) Math.floor(center.y / shadowTexel) * shadowTexel;
        float nearest = Float.NEGATIVE_INFINITY;
        float farthest = Float.POSITIVE_INFINITY;
        for (int i = 0; i < 8; i++) {
            corner.set(
                    (i & 1) == 0
                            ? scene.bounds().min().x()
                            : scene.bounds().max().x(),
                    (i & 2) == 0
                            ? scene.bounds().min().y()
                            : scene.bounds().max().y(),
                    (i & 4) == 0
                            ? scene.bounds().min().z()
                            : scene.bounds().max().z());
            lightView.transformPosition(corner);
            nearest = Math.max(nearest, corner.z);
            farthest = Math.min(farthest, corner.z);
        }
        float margin = 0.01f * (nearest - farthest) + 1e-3f;
        shadow.identity()
                .scale(1, -1, 1)
                .ortho(
                        center.x - radius,
                        center.x + radius,
                        center.y - radius,
                        center.y + radius,
                        -nearest - margin,
                        -farthest + margin,
                        true)
                .mul(lightView);
    }

    private static float halton(int index, int base) {
        float result = 0;
        float fraction = 1;
        for (int i = index; i > 0; i /= base) {
            fraction /= base;
            result += fraction * (i % base);
        }
        return result;
    }
}
