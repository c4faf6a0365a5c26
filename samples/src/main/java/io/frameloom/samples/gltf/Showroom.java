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
import org.joml.Vector4f;

/** Puts a model on a floor in daylight, with a camera that circles it and coloured lights that circle against it. */
final class Showroom {
    private static final float[][] COLOURS = {{1, 0.35f, 0.2f}, {0.25f, 0.5f, 1}, {0.6f, 1, 0.4f}, {1, 0.4f, 0.9f}};

    private Showroom() {}

    static Scene around(String name, List<Mesh> meshes, List<Material> materials, List<DrawItem> draws)
            throws ModelException {
        Bounds bounds = bounds(meshes, draws);
        float radius = bounds.radius();
        if (!(radius > 1e-6f && radius < 1e9f)) {
            throw new ModelException("has an extent of " + radius + " metres, which cannot be shown");
        }
        Vector3f center = bounds.center();
        List<Mesh> allMeshes = new ArrayList<>(meshes);
        List<Material> allMaterials = new ArrayList<>(materials);
        List<DrawItem> allDraws = new ArrayList<>(draws);
        allMeshes.add(new MeshBuilder()
                .cylinder(0, -0.02f, 0, 1, 0, 1, 96)
                .build("floor"));
        allMaterials.add(new Materials().plain("floor", 0.36f, 0.37f, 0.39f, 0, 0.45f));
        float floor = bounds.min().y() - 0.001f * radius;
        float floorRadius = 3 * radius;
        Matrix4f transform = new Matrix4f()
                .translate(center.x, floor, center.z)
                .scale(floorRadius, radius, floorRadius);
        allDraws.add(new DrawItem(
                allMeshes.size() - 1, allMaterials.size() - 1, transform, null, DrawItem.WHITE, new Vector4f()));
        Bounds all = bounds(allMeshes, allDraws);
        return new Scene(
                name,
                allMeshes,
                allMaterials,
                allDraws,
                lights(center, radius),
                camera(center, radius),
                daylight(radius),
                all);
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

    private static CameraPath camera(Vector3f center, float radius) {
        return (seconds, pose) -> {
            double angle = 0.6 + 0.25 * seconds;
            float distance = 2.35f * radius;
            pose.fovY = (float) Math.toRadians(45);
            pose.eye.set(
                    center.x + (float) Math.sin(angle) * distance * 0.93f,
                    center.y + 0.36f * distance,
                    center.z + (float) Math.cos(angle) * distance * 0.93f);
            pose.target.set(center);
            pose.near = 0.02f * radius;
            pose.far = 30 * radius;
        };
    }

    private static List<PointLight> lights(Vector3f center, float radius) {
        List<PointLight> lights = new ArrayList<>();
        for (int i = 0; i < COLOURS.length; i++) {
            float[] colour = COLOURS[i];
            double phase = 2 * Math.PI * i / COLOURS.length;
            lights.add((seconds, target, offset) -> {
                double angle = phase - 0.9 * seconds;
                target[offset] = center.x + (float) Math.cos(angle) * 1.3f * radius;
                target[offset + 1] = center.y + 0.25f * radius;
                target[offset + 2] = center.z + (float) Math.sin(angle) * 1.3f * radius;
                target[offset + 3] = 2.2f * radius;
                System.arraycopy(colour, 0, target, offset + 4, 3);
                target[offset + 7] = 1.6f * radius * radius;
            });
        }
        return lights;
    }

    private static Atmosphere daylight(float radius) {
        return new Atmosphere(
                new Vector3f(0.5f, 0.68f, 0.42f).normalize(),
                new Vector3f(4.4f, 4f, 3.4f),
                new Vector3f(0.22f, 0.42f, 0.85f),
                new Vector3f(0.75f, 0.84f, 0.95f),
                new Vector3f(0.5f, 0.42f, 0.3f),
                new Vector3f(0.3f, 0.28f, 0.26f),
                0.004f / radius,
                0.2f / radius,
                0.8f,
                0.5f,
                8 * radius,
                0.12f * radius);
    }
}
