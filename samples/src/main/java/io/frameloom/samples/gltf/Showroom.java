package io.frameloom.samples.gltf;

import io.frameloom.samples.scene.Atmosphere;
import io.frameloom.samples.scene.Bounds;
import io.frameloom.samples.scene.CameraPath;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.MeshBuilder;
import io.frameloom.samples.scene.PointLight;
import io.frameloom.samples.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import org.joml.Matrix4f;
import org.joml.Vector3f;

/** Puts a model on a floor in daylight, with a camera that circles it and coloured lights that circle against it. */
final class Showroom {
    private static final float[][] COLOURS = {{1, 0.35f, 0.2f}, {0.25f, 0.5f, 1}, {0.6f, 1, 0.4f}, {1, 0.4f, 0.9f}};

    private Showroom() {}

    /** Radius in metres to which every model is scaled, so that light, fog and occlusion fit it. */
    private static final float RADIUS = 10;

    /** Radius of the floor in metres: it ends in the haze. */
    private static final float FLOOR = 600;

    static Scene around(String name, List<Mesh> meshes, List<Material> materials, List<DrawItem> draws)
            throws ModelException {
        Bounds original = bounds(meshes, draws);
        float radius = original.radius();
        if (!(radius > 1e-6f && radius < 1e9f)) {
            throw new ModelException("has an extent of " + radius + " metres, which cannot be shown");
        }
        Matrix4f fit = new Matrix4f()
                .scale(RADIUS / radius)
                .translate(original.center().negate());
        List<DrawItem> allDraws = new ArrayList<>();
        for (DrawItem draw : draws) {
            allDraws.add(new DrawItem(draw.mesh(), draw.material(), new Matrix4f(fit).mul(draw.transform())));
        }
        float floor = (original.min().y() - original.center().y) * RADIUS / radius - 0.01f;
        List<Mesh> allMeshes = new ArrayList<>(meshes);
        List<Material> allMaterials = new ArrayList<>(materials);
        allMeshes.add(new MeshBuilder().cylinder(0, -0.02f, 0, 1, 0, 1, 96).build("floor"));
        allMaterials.add(new Materials().plain("floor", 0.25f, 0.25f, 0.26f, 0, 0.55f));
        Matrix4f disc = new Matrix4f().translate(0, floor, 0).scale(FLOOR, RADIUS, FLOOR);
        Bounds all = new Bounds(new Vector3f(-2 * RADIUS, floor - 1, -2 * RADIUS), new Vector3f(2 * RADIUS));
        allDraws.add(new DrawItem(allMeshes.size() - 1, allMaterials.size() - 1, disc));
        return new Scene(name, allMeshes, allMaterials, allDraws, lights(floor), Showroom::camera, daylight(), all);
    }

    private static Bounds bounds(List<Mesh> meshes, List<DrawItem> draws) {
        Bounds bounds = null;
        for (DrawItem draw : draws) {
            Bounds own = meshes.get(draw.mesh()).bounds().transformed(draw.transform());
            bounds = bounds == null ? own : bounds.union(own);
        }
        if (bounds == null) {
            throw new IllegalArgumentException("no draws");
        }
        return bounds;
    }

    private static void camera(double seconds, CameraPath.Pose pose) {
        double angle = 0.6 + 0.25 * seconds;
        float distance = 2.05f * RADIUS;
        pose.fovY = (float) Math.toRadians(45);
        pose.eye.set(
                (float) Math.sin(angle) * distance * 0.94f,
                0.34f * distance,
                (float) Math.cos(angle) * distance * 0.94f);
        pose.target.set(0, -0.05f * RADIUS, 0);
        pose.near = 0.02f * RADIUS;
        pose.far = 40 * RADIUS;
    }

    private static List<PointLight> lights(float floor) {
        List<PointLight> lights = new ArrayList<>();
        for (int i = 0; i < COLOURS.length; i++) {
            float[] colour = COLOURS[i];
            double phase = 2 * Math.PI * i / COLOURS.length;
            lights.add((seconds, target, offset) -> {
                double angle = phase - 0.9 * seconds;
                target[offset] = (float) Math.cos(angle) * 1.2f * RADIUS;
                target[offset + 1] = floor + 0.25f * RADIUS;
                target[offset + 2] = (float) Math.sin(angle) * 1.2f * RADIUS;
                target[offset + 3] = 1.6f * RADIUS;
                System.arraycopy(colour, 0, target, offset + 4, 3);
                target[offset + 7] = 60;
            });
        }
        return lights;
    }

    private static Atmosphere daylight() {
        return new Atmosphere(
                new Vector3f(0.5f, 0.68f, 0.42f).normalize(),
                new Vector3f(4.4f, 4f, 3.4f),
                new Vector3f(0.22f, 0.42f, 0.85f),
                new Vector3f(0.75f, 0.84f, 0.95f),
                new Vector3f(0.5f, 0.42f, 0.3f),
                new Vector3f(0.3f, 0.28f, 0.26f),
                0.006f,
                0.01f,
                0.8f,
                0.5f,
                4 * RADIUS,
                0.1f * RADIUS);
    }
}
