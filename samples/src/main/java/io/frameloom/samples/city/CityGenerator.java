package io.frameloom.samples.city;

import io.frameloom.samples.scene.Atmosphere;
import io.frameloom.samples.scene.Bounds;
import io.frameloom.samples.scene.CameraPath;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Light;
import io.frameloom.samples.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.joml.Matrix4f;
import org.joml.Vector3f;
import org.joml.Vector4f;
import org.joml.Vector4fc;

/**
 * Generates a city at dusk: blocks between streets, buildings that grow towards the centre, lamps, trees, traffic and
 * floating lights. Equal seeds give equal cities. Any thread.
 */
public final class CityGenerator {
    /** Blocks per side; even, so that a street runs through the centre. */
    static final int BLOCKS = 10;

    /** Side of a block with its pavements, in metres. */
    static final float BLOCK = 34;

    /** Width of a street. */
    static final float STREET = 13;

    /** Distance between the centres of neighbouring blocks. */
    static final float PITCH = BLOCK + STREET;

    /** Half of the side of the city. */
    static final float HALF = BLOCKS * PITCH / 2;

    private static final float KERB = 0.18f;
    private static final float LAMP_HEIGHT = 5.3f;

    private final SplittableRandom random;
    private final CityMaterials materials = new CityMaterials();
    private final CityMeshes meshes = new CityMeshes();
    private final List<DrawItem> draws = new ArrayList<>();
    private final List<Light> lights = new ArrayList<>();

    private CityGenerator(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Returns the city of a seed. */
    public static Scene generate(long seed) {
        return new CityGenerator(seed).generate();
    }

    private Scene generate() {
        ground();
        Buildings buildings = new Buildings(random.split(), materials, meshes, draws);
        for (int row = 0; row < BLOCKS; row++) {
            for (int column = 0; column < BLOCKS; column++) {
                block(buildings, blockCenter(column), blockCenter(row));
            }
        }
        new Traffic(random.split(), materials, meshes, draws, lights).generate();
        Bounds bounds = new Bounds(new Vector3f(-HALF - 20, -1, -HALF - 20), new Vector3f(HALF + 20, 150, HALF + 20));
        return new Scene(
                "procedural city", meshes.all(), materials.all(), draws, lights, CityGenerator::camera, dusk(), bounds);
    }

    private static float blockCenter(int index) {
        return (index + 0.5f) * PITCH - HALF;
    }

    private void ground() {
        draws.add(flat(materials.soil, 0, -0.05f, 0, 6000, 6000, 0, new Vector4f(40, 0, 0, 0)));
        for (int line = 0; line <= BLOCKS; line++) {
            float at = line * PITCH - HALF;
            for (int segment = 0; segment < BLOCKS; segment++) {
                float along = blockCenter(segment);
                draws.add(flat(materials.road, at, 0, along, STREET, BLOCK, 0, DrawItem.OWN_MAPPING));
                draws.add(flat(materials.road, along, 0, at, STREET, BLOCK, (float) Math.PI / 2, DrawItem.OWN_MAPPING));
            }
            for (int other = 0; other <= BLOCKS; other++) {
                draws.add(flat(
                        materials.crossing, at, 0, other * PITCH - HALF, STREET, STREET, 0, new Vector4f(20, 0, 0, 0)));
            }
        }
    }

    private DrawItem flat(
            int material, float x, float y, float z, float width, float length, float turn, Vector4fc mapping) {
        Matrix4f transform = new Matrix4f().translate(x, y, z).rotateY(turn).scale(width, 1, length);
        return new DrawItem(meshes.quad, material, transform, null, DrawItem.WHITE, mapping);
    }

    private void block(Buildings buildings, float x, float z) {
        Matrix4f slab = new Matrix4f().translate(x, 0, z).scale(BLOCK, KERB, BLOCK);
        draws.add(new DrawItem(meshes.box, materials.pavement, slab, null, DrawItem.WHITE, new Vector4f(8, 0, 0, 0)));
        double kind = random.nextDouble();
        float distance = (float) Math.hypot(x, z);
        if (kind < 0.09 && distance > 40) {
            park(x, z);
        } else {
            buildings.fillBlock(x, z, KERB);
        }
        lamps(x, z);
        streetTrees(x, z);
    }

    private void park(float x, float z) {
        Matrix4f lawn = new Matrix4f().translate(x, KERB, z).scale(BLOCK - 7, 0.06f, BLOCK - 7);
        draws.add(new DrawItem(meshes.box, materials.grass, lawn, null, DrawItem.WHITE, new Vector4f(12, 0, 0, 0)));
        for (int i = 0; i < 16; i++) {
            tree(x + between(-12, 12), z + between(-12, 12), between(0.9f, 1.7f));
        }
    }

    private void lamps(float x, float z) {
        float edge = BLOCK / 2 - 0.8f;
        for (int side = 0; side < 4; side++) {
            float turn = side * (float) Math.PI / 2;
            Matrix4f transform =
                    new Matrix4f().translate(x, KERB, z).rotateY(turn).translate(edge, 0, between(-10, 10));
            draws.add(new DrawItem(meshes.lampPole, materials.metal, transform));
            draws.add(new DrawItem(
                    meshes.lampHead,
                    materials.neon,
                    transform,
                    null,
                    new Vector4f(1, 0.72f, 0.4f, 1.6f),
                    DrawItem.OWN_MAPPING));
            if (Math.abs(x) < HALF - PITCH) {
                Vector3f head = transform.transformPosition(new Vector3f(1.1f, LAMP_HEIGHT - 0.3f, 0));
                lights.add((seconds, rig, target, offset) ->
                        Traffic.light(target, offset, head.x, head.y, head.z, 16, 1, 0.62f, 0.3f, 380));
            }
        }
    }

    private void streetTrees(float x, float z) {
        float edge = BLOCK / 2 - 1.6f;
        for (int i = 0; i < 5; i++) {
            float along = between(-14, 14);
            switch (random.nextInt(4)) {
                case 0 -> tree(x + edge, z + along, between(0.6f, 1));
                case 1 -> tree(x - edge, z + along, between(0.6f, 1));
                case 2 -> tree(x + along, z + edge, between(0.6f, 1));
                default -> tree(x + along, z - edge, between(0.6f, 1));
            }
        }
    }

    private void tree(float x, float z, float size) {
        Matrix4f transform = new Matrix4f()
                .translate(x, KERB, z)
                .rotateY(between(0, 6.28f))
                .scale(size, size * between(0.9f, 1.2f), size);
        draws.add(new DrawItem(meshes.trunk, materials.bark, transform));
        float autumn = (float) random.nextDouble();
        Vector4f tint = autumn < 0.35f
                ? new Vector4f(0.75f, 0.36f + 0.3f * autumn, 0.1f, 1)
                : new Vector4f(0.26f + 0.2f * autumn, 0.42f, 0.16f, 1);
        int crown = meshes.firstCrown + random.nextInt(CityMeshes.CROWNS);
        draws.add(new DrawItem(crown, materials.leaves, transform, null, tint, DrawItem.OWN_MAPPING));
    }

    private float between(float low, float high) {
        return low + (high - low) * (float) random.nextDouble();
    }

    /** A slow flight up the central street and back. */
    private static void camera(double seconds, CameraPath.Pose pose) {
        double advance = 40 * (1 - Math.cos(seconds * 0.09));
        pose.eye.set(
                (float) (2.5 + 4 * Math.sin(seconds * 0.17)), (float) (10.5 + 3 * Math.sin(seconds * 0.11)), (float)
                        (HALF - 33 - advance));
        pose.target.set((float) (-1 + 3 * Math.sin(seconds * 0.07)), 17, (float) (70 - advance));
        pose.fovY = (float) Math.toRadians(55);
        pose.near = 0.5f;
        pose.far = 3000;
    }

    private static Atmosphere dusk() {
        return new Atmosphere(
                new Vector3f(-0.17f, 0.21f, -0.96f).normalize(),
                new Vector3f(8f, 3.9f, 1.7f),
                new Vector3f(0.10f, 0.18f, 0.45f),
                new Vector3f(0.80f, 0.42f, 0.31f),
                new Vector3f(2.2f, 0.9f, 0.3f),
                new Vector3f(0.16f, 0.13f, 0.12f),
                0.0016f,
                0.018f,
                0.85f,
                0.55f,
                330,
                2.2f);
    }
}
