package io.frameloom.samples.frame;

import io.frameloom.samples.scene.Atmosphere;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.FrameView;
import io.frameloom.samples.scene.Scene;
import java.nio.ByteBuffer;
import org.joml.Matrix4fc;
import org.joml.Vector3fc;

/** Writes the uniform block {@code Frame} of {@code frame.glsl}. */
final class FrameConstants {
    private static final int MATRICES = 6;
    private static final int VECTORS = 10;

    /** Size of the block in bytes. */
    static final int BYTES = MATRICES * 64 + VECTORS * 16;

    private FrameConstants() {}

    static void write(ByteBuffer target, Scene scene, FrameSnapshot snapshot, int width, int height) {
        FrameView view = snapshot.view;
        Atmosphere air = scene.atmosphere();
        put(target, view.view);
        put(target, view.inverseView);
        put(target, view.jitteredViewProjection);
        put(target, view.shadow);
        put(target, view.reprojection);
        put(target, view.formerViewProjection);
        put(target, view.pose.eye, (float) snapshot.seconds);
        put(target, view.tanHalfX, view.tanHalfY, view.pose.near, view.pose.far);
        put(target, width, height, 1f / width, 1f / height);
        put(target, air.toSun(), view.shadowTexel);
        put(target, air.sun(), air.exposure());
        put(target, air.zenith(), air.clouds());
        put(target, air.horizon(), air.fogDensity());
        put(target, air.glow(), air.fogFalloff());
        put(target, air.ground(), air.ambientRadius());
        put(target, scene.lights().size(), (float) (snapshot.frame % 64), snapshot.reset ? 0 : 1, air.shadowDistance());
    }

    private static void put(ByteBuffer target, Matrix4fc matrix) {
        for (int column = 0; column < 4; column++) {
            for (int row = 0; row < 4; row++) {
                target.putFloat(matrix.get(column, row));
            }
        }
    }

    private static void put(ByteBuffer target, Vector3fc xyz, float w) {
        put(target, xyz.x(), xyz.y(), xyz.z(), w);
    }

    private static void put(ByteBuffer target, float x, float y, float z, float w) {
        target.putFloat(x).putFloat(y).putFloat(z).putFloat(w);
    }
}
