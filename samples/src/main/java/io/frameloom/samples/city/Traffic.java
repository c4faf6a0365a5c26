package io.frameloom.samples.city;

import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Light;
import io.frameloom.samples.scene.Motion;
import java.util.List;
import java.util.SplittableRandom;
import org.joml.Matrix4f;
import org.joml.Vector4f;

/** Cars that drive along the streets with coloured light below them, and lights that float over the crossings. */
final class Traffic {
    private static final int CARS = 130;
    private static final int ORBS = 28;

    private static final float[] NO_RIG = {};

    private final SplittableRandom random;
    private final CityMaterials materials;
    private final CityMeshes meshes;
    private final List<DrawItem> draws;
    private final List<Light> lights;

    Traffic(
            SplittableRandom random,
            CityMaterials materials,
            CityMeshes meshes,
            List<DrawItem> draws,
            List<Light> lights) {
        this.random = random;
        this.materials = materials;
        this.meshes = meshes;
        this.draws = draws;
        this.lights = lights;
    }

    void generate() {
        for (int i = 0; i < CARS; i++) {
            car(i);
        }
        for (int i = 0; i < ORBS; i++) {
            orb();
        }
    }

    private void car(int number) {
        int line = number < CARS / 3 ? CityGenerator.BLOCKS / 2 : random.nextInt(CityGenerator.BLOCKS + 1);
        boolean alongZ = number < CARS / 3 || random.nextBoolean();
        boolean forward = random.nextBoolean();
        float lane = (forward ? -1 : 1) * (random.nextBoolean() ? 1.7f : 4.8f);
        Lane path = new Lane(
                line * CityGenerator.PITCH - CityGenerator.HALF + (alongZ ? lane : -lane),
                between(0, 2 * CityGenerator.HALF),
                (forward ? 1 : -1) * between(7, 14),
                alongZ);
        float grey = between(0.08f, 1);
        float hue = (float) random.nextDouble();
        float[] colour = hue(hue);
        boolean coloured = random.nextDouble() < 0.5;
        Vector4f tint = coloured
                ? new Vector4f(0.15f + 0.6f * colour[0], 0.15f + 0.6f * colour[1], 0.15f + 0.6f * colour[2], 1)
                : new Vector4f(grey, grey, grey, 1);
        Matrix4f start = new Matrix4f();
        path.at(0, NO_RIG, start);
        draws.add(new DrawItem(meshes.car, materials.paint, start, path, tint, DrawItem.OWN_MAPPING));
        draws.add(
                new DrawItem(meshes.carLights, materials.carLights, start, path, DrawItem.WHITE, DrawItem.OWN_MAPPING));
        lights.add((seconds, rig, target, offset) -> light(
                target, offset, path.x(seconds), 0.9f, path.z(seconds), 10, colour[0], colour[1], colour[2], 110));
    }

    private void orb() {
        float centerX = random.nextInt(1, CityGenerator.BLOCKS) * CityGenerator.PITCH - CityGenerator.HALF;
        float centerZ = random.nextInt(1, CityGenerator.BLOCKS) * CityGenerator.PITCH - CityGenerator.HALF;
        float radius = between(2, 9);
        float phase = between(0, 6.28f);
        float speed = between(0.4f, 1.1f);
        float height = between(2.5f, 6);
        float[] colour = hue((float) random.nextDouble());
        Light light = (seconds, rig, target, offset) -> {
            double angle = phase + speed * seconds;
            light(
                    target,
                    offset,
                    (float) (centerX + radius * Math.cos(angle)),
                    (float) (height + Math.sin(2.3 * angle)),
                    (float) (centerZ + radius * Math.sin(1.7 * angle)),
                    15,
                    colour[0],
                    colour[1],
                    colour[2],
                    260);
        };
        Motion motion = (seconds, rig, transform) -> {
            float[] at = new float[Light.FLOATS];
            light.at(seconds, rig, at, 0);
            transform.translation(at[0], at[1], at[2]);
        };
        Matrix4f start = new Matrix4f();
        motion.at(0, NO_RIG, start);
        lights.add(light);
        draws.add(new DrawItem(
                meshes.orb,
                materials.neon,
                start,
                motion,
                new Vector4f(colour[0], colour[1], colour[2], 1.5f),
                DrawItem.OWN_MAPPING));
    }

    private float between(float low, float high) {
        return low + (high - low) * (float) random.nextDouble();
    }

    /** Returns a saturated colour, linear. */
    private static float[] hue(float hue) {
        float[] colour = new float[3];
        for (int c = 0; c < 3; c++) {
            float wave = (float) Math.cos(2 * Math.PI * (hue - c / 3.0));
            colour[c] = 0.08f + 0.92f * Painter.smooth(-0.3f, 0.9f, wave);
        }
        return colour;
    }

    /** Writes a light in the layout of {@link Light#at}. */
    static void light(
            float[] target,
            int offset,
            float x,
            float y,
            float z,
            float radius,
            float red,
            float green,
            float blue,
            float intensity) {
        target[offset] = x;
        target[offset + 1] = y;
        target[offset + 2] = z;
        target[offset + 3] = radius;
        target[offset + 4] = red * intensity;
        target[offset + 5] = green * intensity;
        target[offset + 6] = blue * intensity;
        target[offset + 7] = 0.6f;
    }

    /**
     * A straight drive that starts again at the other end of the city.
     *
     * @param across position of the lane across the street
     * @param start position along the street at time 0, from the end of the city
     * @param speed metres per second, negative to drive towards smaller coordinates
     * @param alongZ whether the street runs along z
     */
    private record Lane(float across, float start, float speed, boolean alongZ) implements Motion {
        private float along(double seconds) {
            double length = 2 * CityGenerator.HALF;
            double at = (start + speed * seconds) % length;
            return (float) ((at < 0 ? at + length : at) - CityGenerator.HALF);
        }

        float x(double seconds) {
            return alongZ ? across : along(seconds);
        }

        float z(double seconds) {
            return alongZ ? along(seconds) : across;
        }

        @Override
        public void at(double seconds, float[] rig, Matrix4f transform) {
            float turn = (alongZ ? 0 : (float) Math.PI / 2) + (speed < 0 ? (float) Math.PI : 0);
            transform.translation(x(seconds), 0, z(seconds)).rotateY(turn);
        }
    }
}
