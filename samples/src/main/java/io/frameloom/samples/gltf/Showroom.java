package io.frameloom.samples.gltf;

import io.frameloom.samples.gltf.LightReader.ModelLight;
import io.frameloom.samples.scene.Atmosphere;
import io.frameloom.samples.scene.Bounds;
import io.frameloom.samples.scene.CameraPath;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Light;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.MeshBuilder;
import io.frameloom.samples.scene.Motion;
import io.frameloom.samples.scene.Rig;
import io.frameloom.samples.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.joml.Matrix4f;
import org.joml.Matrix4fc;
import org.joml.Vector3f;
import org.joml.Vector3fc;

/**
 * Puts a model on a floor in daylight, with a camera that circles it, and lights: those of the model, or coloured ones
 * that circle against the camera.
 */
final class Showroom {
    private static final float[][] COLOURS = {{1, 0.35f, 0.2f}, {0.25f, 0.5f, 1}, {0.6f, 1, 0.4f}, {1, 0.4f, 0.9f}};

    private static final Vector3fc TO_SUN = new Vector3f(0.5f, 0.68f, 0.42f).normalize();

    private static final Vector3fc SUN = new Vector3f(4.4f, 4f, 3.4f);

    /** Radius in metres to which every model is scaled, so that light, fog and occlusion fit it. */
    private static final float RADIUS = 10;

    /** Radius of the floor in metres: it ends in the haze. */
    private static final float FLOOR = 600;

    /** Times of an animation at which the room is measured, unless there are many draws. */
    private static final int MOMENTS = 100;

    private static final int MAX_MEASURED = 1_000_000;

    /** Metres that a light without a range reaches: much more than there is. */
    private static final float UNLIMITED = 1e5f;

    /** How brightly a model's lights may shine on its middle before they are dimmed, and how brightly they do then. */
    private static final float BRIGHTEST = 20;

    private static final float DIMMED = 4;

    private final Rig rig;
    private final float end;
    private final Set<String> notes;
    private Matrix4fc fit = new Matrix4f();
    private float scale;

    /**
     * A room.
     *
     * @param rig what moves the model
     * @param end seconds after which it moves as before
     * @param notes receives what is shown otherwise
     */
    Showroom(Rig rig, float end, Set<String> notes) {
        this.rig = rig;
        this.end = end;
        this.notes = notes;
    }

    Scene around(
            String name,
            List<Mesh> meshes,
            List<Material> materials,
            List<DrawItem> draws,
            List<ModelLight> modelLights)
            throws ModelException {
        Bounds original = bounds(meshes, draws);
        float radius = original.radius();
        if (!(radius > 1e-6f && radius < 1e9f)) {
            throw new ModelException("has an extent of " + radius + " metres, which cannot be shown");
        }
        scale = RADIUS / radius;
        fit = new Matrix4f().scale(scale).translate(original.center().negate());
        List<DrawItem> allDraws = new ArrayList<>();
        for (DrawItem draw : draws) {
            Motion motion = draw.motion();
            allDraws.add(new DrawItem(
                    draw.mesh(),
                    draw.material(),
                    fit.mul(draw.transform(), new Matrix4f()),
                    motion == null ? null : fitted(motion),
                    draw.tint(),
                    draw.mapping(),
                    draw.deformation()));
        }
        float floor = (original.min().y() - original.center().y) * scale - 0.01f;
        List<Mesh> allMeshes = new ArrayList<>(meshes);
        List<Material> allMaterials = new ArrayList<>(materials);
        allMeshes.add(new MeshBuilder().cylinder(0, -0.02f, 0, 1, 0, 1, 96).build("floor"));
        allMaterials.add(new Materials().plain("floor", 0.25f, 0.25f, 0.26f, 0, 0.55f));
        Matrix4f disc = new Matrix4f().translate(0, floor, 0).scale(FLOOR, RADIUS, FLOOR);
        Bounds all = new Bounds(new Vector3f(-2 * RADIUS, floor - 1, -2 * RADIUS), new Vector3f(2 * RADIUS));
        allDraws.add(new DrawItem(allMeshes.size() - 1, allMaterials.size() - 1, disc));
        List<Light> lights = modelLights.isEmpty() ? circling(floor) : new ArrayList<>();
        Atmosphere atmosphere = modelLights.isEmpty() ? daylight(TO_SUN, SUN) : lit(modelLights, lights);
        return new Scene(name, allMeshes, allMaterials, allDraws, lights, Showroom::camera, atmosphere, all, rig);
    }

    private Motion fitted(Motion motion) {
        Matrix4fc own = fit;
        return (seconds, state, transform) -> {
            motion.at(seconds, state, transform);
            own.mul(transform, transform);
        };
    }

    /** Returns the bounds of all draws at all times. */
    private Bounds bounds(List<Mesh> meshes, List<DrawItem> draws) {
        float[] state = new float[rig.floats()];
        Vector3f min = new Vector3f(Float.POSITIVE_INFINITY);
        Vector3f max = new Vector3f(Float.NEGATIVE_INFINITY);
        Vector3f low = new Vector3f();
        Vector3f high = new Vector3f();
        Matrix4f transform = new Matrix4f();
        int moments = end > 0 ? Math.max(2, Math.min(MOMENTS, MAX_MEASURED / draws.size())) : 1;
        for (int moment = 0; moment < moments; moment++) {
            double seconds = (double) end * moment / moments;
            rig.at(seconds, state);
            for (DrawItem draw : draws) {
                Motion motion = draw.motion();
                if (moment > 0 && motion == null && draw.deformation() == null) {
                    continue;
                }
                transform.set(draw.transform());
                if (motion != null) {
                    motion.at(seconds, state, transform);
                }
                draw.bounds(meshes.get(draw.mesh()), transform, state, low, high);
                min.min(low);
                max.max(high);
            }
        }
        return new Bounds(min, max);
    }

    /** Adds the lights of the model, but for the first directional one, which takes the place of the sun. */
    private Atmosphere lit(List<ModelLight> all, List<Light> lights) {
        float[] state = new float[rig.floats()];
        rig.at(0, state);
        float brightest = 0;
        for (ModelLight light : all) {
            brightest = Math.max(brightest, illuminance(light, state));
        }
        float dim = brightest > BRIGHTEST ? DIMMED / brightest : 1;
        if (dim < 1) {
            notes.add(String.format(
                    Locale.ROOT,
                    "has lights that shine with %.0f lux on its middle: all are shown %.0f times darker",
                    brightest,
                    1 / dim));
        }
        ModelLight sun = null;
        for (ModelLight light : all) {
            if (sun == null && light.kind() == LightReader.Kind.DIRECTIONAL) {
                sun = light;
            } else if (lights.size() < Scene.MAX_LIGHTS) {
                lights.add(light(light, dim));
            } else {
                notes.add("has more than " + Scene.MAX_LIGHTS + " lights: the others are not shown");
            }
        }
        if (sun == null) {
            return daylight(TO_SUN, SUN);
        }
        if (sun.moves()) {
            notes.add("has a directional light that moves: the first one stands still");
        }
        Matrix4f place = new Matrix4f();
        sun.place().at(0, state, place);
        return daylight(towards(place), new Vector3f(sun.color()).mul(dim));
    }

    /** Returns the largest part of the light that comes to the middle of the model. */
    private float illuminance(ModelLight light, float[] state) {
        float most = Math.max(
                light.color().x(), Math.max(light.color().y(), light.color().z()));
        if (light.kind() == LightReader.Kind.DIRECTIONAL) {
            return most;
        }
        Matrix4f place = new Matrix4f();
        fitted(light.place()).at(0, state, place);
        // What is within the model lights some of it from nearby.
        float distance =
                Math.max(0.3f * RADIUS, place.getTranslation(new Vector3f()).length()) / scale;
        return most / (distance * distance);
    }

    /** The direction against which a light shines. */
    private static Vector3f towards(Matrix4fc place) {
        Vector3f direction = place.transformDirection(new Vector3f(0, 0, 1));
        return direction.lengthSquared() > 0 ? direction.normalize() : direction.set(0, 1, 0);
    }

    private Light light(ModelLight light, float dim) {
        Motion placed = fitted(light.place());
        boolean directional = light.kind() == LightReader.Kind.DIRECTIONAL;
        float radius = light.range() > 0 ? light.range() * scale : UNLIMITED;
        // Everything is as much farther away as the model is larger.
        Vector3f color = new Vector3f(light.color()).mul(directional ? dim : dim * scale * scale);
        boolean spot = light.kind() == LightReader.Kind.SPOT;
        float sharpness = spot ? 1 / Math.max(0.001f, light.inner() - light.outer()) : 0;
        float offset = spot ? -light.outer() * sharpness - 1 : 0;
        return (seconds, state, target, at) -> {
            Matrix4f place = new Matrix4f();
            placed.at(seconds, state, place);
            Vector3f towards = towards(place);
            target[at] = directional ? towards.x : place.m30();
            target[at + 1] = directional ? towards.y : place.m31();
            target[at + 2] = directional ? towards.z : place.m32();
            target[at + 3] = directional ? 0 : radius;
            target[at + 4] = color.x;
            target[at + 5] = color.y;
            target[at + 6] = color.z;
            target[at + 7] = 1e-4f;
            target[at + 8] = -towards.x * sharpness;
            target[at + 9] = -towards.y * sharpness;
            target[at + 10] = -towards.z * sharpness;
            target[at + 11] = offset;
        };
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

    private static List<Light> circling(float floor) {
        List<Light> lights = new ArrayList<>();
        for (int i = 0; i < COLOURS.length; i++) {
            float[] colour = COLOURS[i];
            double phase = 2 * Math.PI * i / COLOURS.length;
            lights.add((seconds, state, target, offset) -> {
                double angle = phase - 0.9 * seconds;
                target[offset] = (float) Math.cos(angle) * 1.2f * RADIUS;
                target[offset + 1] = floor + 0.25f * RADIUS;
                target[offset + 2] = (float) Math.sin(angle) * 1.2f * RADIUS;
                target[offset + 3] = 1.6f * RADIUS;
                target[offset + 4] = colour[0] * 60;
                target[offset + 5] = colour[1] * 60;
                target[offset + 6] = colour[2] * 60;
                target[offset + 7] = 0.6f;
            });
        }
        return lights;
    }

    private static Atmosphere daylight(Vector3fc toSun, Vector3fc sun) {
        return new Atmosphere(
                toSun,
                sun,
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
