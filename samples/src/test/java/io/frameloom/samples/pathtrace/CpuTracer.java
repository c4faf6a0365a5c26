package io.frameloom.samples.pathtrace;

import io.frameloom.samples.pathtrace.PathScene.MeshPlace;
import io.frameloom.samples.scene.DrawItem;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.joml.Matrix3f;
import org.joml.Matrix4f;
import org.joml.Vector2f;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;

/** The path tracer of {@code pathtrace.glsl} in Java, on the same buffers and random numbers; every ray tries every triangle. */
final class CpuTracer {
    private static final float PI = 3.14159265f;
    private static final int FLOATS_PER_VERTEX = PathScene.VERTEX_BYTES / Float.BYTES;

    private final PathScene scene;
    private final ByteBuffer view = ByteBuffer.allocate(PathScene.VIEW_BYTES).order(ByteOrder.nativeOrder());
    private final List<Triangle> triangles = new ArrayList<>();
    private long pathRays;
    private long shadowRays;

    /** A triangle in the world: a corner and two edges, in doubles, so that only the device's rounding counts. */
    private record Triangle(int instance, int number, double[] corner, double[] toB, double[] toC) {}

    private record Hit(int instance, int triangle, float b, float c) {}

    private record Surface(Vector3f position, Vector3f face, Vector3f normal, Vector3f color, Vector3f emission) {}

    CpuTracer(PathScene scene) {
        this.scene = scene;
        for (int i = 0; i < scene.draws.size(); i++) {
            DrawItem draw = scene.draws.get(i);
            MeshPlace mesh = scene.meshes.get(draw.mesh());
            for (int t = 0; t < mesh.triangles(); t++) {
                double[][] corners = new double[3][];
                for (int k = 0; k < 3; k++) {
                    int index = scene.indices.getInt(4 * (mesh.firstIndex() + 3 * t + k));
                    Vector3f at =
                            new Matrix4f(draw.transform()).transformPosition(attribute(mesh.firstVertex() + index, 0));
                    corners[k] = new double[] {at.x, at.y, at.z};
                }
                triangles.add(
                        new Triangle(i, t, corners[0], minus(corners[1], corners[0]), minus(corners[2], corners[0])));
            }
        }
    }

    long pathRays() {
        return pathRays;
    }

    long shadowRays() {
        return shadowRays;
    }

    /** Returns the sums of light and the numbers of samples, as the device keeps them. */
    ByteBuffer trace(PathOptions options) {
        ByteBuffer sums =
                ByteBuffer.allocate(16 * options.width() * options.height()).order(ByteOrder.nativeOrder());
        for (int sample = 0; sample < options.samples(); sample++) {
            scene.putView(view.clear(), options, sample);
            for (int pixel = 0; pixel < options.width() * options.height(); pixel++) {
                Vector3f light = lightOf(pixel, options, sample);
                for (int i = 0; i < 4; i++) {
                    int at = 16 * pixel + 4 * i;
                    sums.putFloat(at, sums.getFloat(at) + (i < 3 ? light.get(i) : 1));
                }
            }
        }
        return sums;
    }

    /** PCG4D. */
    static int[] hash(int... words) {
        int[] v = words.clone();
        for (int i = 0; i < 4; i++) {
            v[i] = v[i] * 1664525 + 1013904223;
        }
        mix(v);
        for (int i = 0; i < 4; i++) {
            v[i] ^= v[i] >>> 16;
        }
        mix(v);
        return v;
    }

    private static void mix(int[] v) {
        v[0] += v[1] * v[3];
        v[1] += v[2] * v[0];
        v[2] += v[0] * v[1];
        v[3] += v[1] * v[2];
    }

    static float[] randomNumbers(int pixel, int sample, int event, int seed) {
        float[] numbers = new float[4];
        int[] words = hash(pixel, sample, event, seed);
        for (int i = 0; i < 4; i++) {
            numbers[i] = (words[i] >>> 8) / 16777216f;
        }
        return numbers;
    }

    static Vector2f disc(float x, float y) {
        float s = 2 * x - 1;
        float t = 2 * y - 1;
        boolean wide = Math.abs(s) > Math.abs(t);
        float radius = wide ? s : t;
        if (radius == 0) {
            return new Vector2f();
        }
        // The exact functions: the polynomials are to be close to them.
        double angle = Math.PI / 4 * (wide ? t : s) / radius;
        float cosine = (float) Math.cos(angle);
        float sine = (float) Math.sin(angle);
        return (wide ? new Vector2f(cosine, sine) : new Vector2f(sine, cosine)).mul(radius);
    }

    static Vector3f around(Vector3f axis, float x, float y, float z) {
        float side = axis.z < 0 ? -1 : 1;
        float a = -1 / (side + axis.z);
        float b = axis.x * axis.y * a;
        return new Vector3f(1 + side * axis.x * axis.x * a, side * b, -side * axis.x)
                .mul(x)
                .add(new Vector3f(b, side + axis.y * axis.y * a, -axis.y).mul(y))
                .add(axis.x * z, axis.y * z, axis.z * z)
                .normalize();
    }

    static Vector3f diffuseDirection(Vector3f normal, float x, float y) {
        Vector2f on = disc(x, y);
        return around(normal, on.x, on.y, (float) Math.sqrt(Math.max(0, 1 - on.dot(on))));
    }

    static float wrapped(float x, int how) {
        return switch (how) {
            case 0 -> x - (float) Math.floor(x);
            case 1 -> Math.min(1, Math.max(0, x));
            default -> {
                float twice = x - 2 * (float) Math.floor(0.5f * x);
                yield Math.min(twice, 2 - twice);
            }
        };
    }

    private Vector3f lightOf(int pixel, PathOptions options, int sample) {
        float[] first = randomNumbers(pixel, sample, 0, options.seed());
        float x = 2 * (pixel % options.width() + first[0]) / options.width() - 1;
        float y = 2 * (pixel / options.width() + first[1]) / options.height() - 1;
        Vector3f origin = viewed(0);
        Vector3f direction =
                viewed(3).add(viewed(1).mul(x)).sub(viewed(2).mul(y)).normalize();
        Vector3f toSun = viewed(4);
        Vector3f sunColor = viewed(5);
        float sunRadius = view.getFloat(4 * 16 + 12);
        Vector3f light = new Vector3f();
        Vector3f weight = new Vector3f(1);
        for (int bounce = 0; bounce <= options.bounces(); bounce++) {
            pathRays++;
            Hit hit = hit(origin, direction, false);
            if (hit == null) {
                light.add(sky(direction).mul(weight));
                if (bounce == 0 && direction.dot(toSun) > 1 / Math.sqrt(1 + sunRadius * sunRadius)) {
                    light.add(sunColor.div(PI * sunRadius * sunRadius));
                }
                break;
            }
            Surface surface = surface(hit, direction);
            light.add(surface.emission.mul(weight));
            weight.mul(surface.color);
            Vector3f far = surface.position.absolute(new Vector3f());
            origin = new Vector3f(surface.face)
                    .mul(3e-4f + 1e-5f * Math.max(far.x, Math.max(far.y, far.z)))
                    .add(surface.position);
            float[] chance = randomNumbers(pixel, sample, bounce + 1, options.seed());
            Vector2f within = disc(chance[0], chance[1]).mul(sunRadius);
            Vector3f sun = around(toSun, within.x, within.y, 1);
            float cosine = surface.normal.dot(sun);
            if (cosine > 0 && surface.face.dot(sun) > 0) {
                shadowRays++;
                if (hit(origin, sun, true) == null) {
                    light.add(new Vector3f(sunColor).mul(cosine / PI).mul(weight));
                }
            }
            direction = diffuseDirection(surface.normal, chance[2], chance[3]);
            if (surface.face.dot(direction) <= 0) {
                break;
            }
        }
        return light;
    }

    /** Vector {@code row} of the block {@code View}. */
    private Vector3f viewed(int row) {
        return new Vector3f(view.getFloat(16 * row), view.getFloat(16 * row + 4), view.getFloat(16 * row + 8));
    }

    private Vector3f sky(Vector3f direction) {
        float height = Math.max(direction.y, 0);
        Vector3f sky = viewed(7).lerp(viewed(6), (float) (1 - Math.exp(-4.5 * height)));
        double towards = Math.max(direction.dot(viewed(4)), 0);
        double low = Math.exp(-3 * height);
        double glow = 0.18 * Math.pow(towards, 3) * low + 0.4 * Math.pow(towards, 14) + 0.5 * Math.pow(towards, 90);
        sky.add(viewed(8).mul((float) glow));
        float down = Math.min(1, Math.max(0, direction.y / -0.12f));
        return sky.lerp(viewed(9), down * down * (3 - 2 * down));
    }

    /** Returns the nearest hit, or any, or null (Möller and Trumbore). */
    private @Nullable Hit hit(Vector3f from, Vector3f to, boolean any) {
        double[] origin = {from.x, from.y, from.z};
        double[] direction = {to.x, to.y, to.z};
        double nearest = 1e5;
        Hit hit = null;
        for (Triangle triangle : triangles) {
            double[] p = cross(direction, triangle.toC);
            double determinant = dot(triangle.toB, p);
            if (determinant == 0) {
                continue;
            }
            double[] s = minus(origin, triangle.corner);
            double b = dot(s, p) / determinant;
            double[] q = cross(s, triangle.toB);
            double c = dot(direction, q) / determinant;
            double t = dot(triangle.toC, q) / determinant;
            if (b >= 0 && c >= 0 && b + c <= 1 && t > 0 && t < nearest) {
                nearest = t;
                hit = new Hit(triangle.instance, triangle.number, (float) b, (float) c);
                if (any) {
                    return hit;
                }
            }
        }
        return hit;
    }

    private Surface surface(Hit hit, Vector3f direction) {
        int instance = hit.instance * PathScene.INSTANCE_BYTES;
        int material = scene.instances.getInt(instance + 88) * PathScene.MATERIAL_BYTES;
        int index = scene.instances.getInt(instance + 80) + 3 * hit.triangle;
        int[] vertex = new int[3];
        for (int k = 0; k < 3; k++) {
            vertex[k] = scene.instances.getInt(instance + 84) + scene.indices.getInt(4 * (index + k));
        }
        float[] share = {1 - hit.b - hit.c, hit.b, hit.c};
        Vector3f corner = attribute(vertex[0], 0);
        Vector3f toB = attribute(vertex[1], 0).sub(corner);
        Vector3f toC = attribute(vertex[2], 0).sub(corner);
        Vector3f position = new Vector3f(corner)
                .add(toB.x * hit.b, toB.y * hit.b, toB.z * hit.b)
                .add(toC.x * hit.c, toC.y * hit.c, toC.z * hit.c);
        Vector3f normal = blend(vertex, share, 3);
        Vector3f coordinates = blend(vertex, share, 6);
        float v1 = 0;
        for (int k = 0; k < 3; k++) {
            v1 += share[k] * scene.vertices.getFloat(4 * (vertex[k] * FLOATS_PER_VERTEX + 9));
        }
        Matrix4f model = new Matrix4f(scene.draws.get(hit.instance).transform());
        Vector3f mapping = read(scene.instances, instance + 64);
        Vector2f uv = new Vector2f(coordinates.x, coordinates.y);
        if (mapping.x > 0) {
            Vector3f metres = new Vector3f(position).add(0.5f, 0, 0.5f).mul(model.getScale(new Vector3f()));
            uv.x = Math.abs(normal.y) > 0.5f || Math.abs(normal.x) <= 0.5f ? metres.x : metres.z;
            uv.y = Math.abs(normal.y) > 0.5f ? metres.z : -metres.y;
            uv.div(mapping.x);
        }
        uv.add(mapping.y, mapping.z);
        Vector2f uv1 = new Vector2f(coordinates.z, v1);
        Matrix3f cofactor = new Matrix3f(model).cofactor();
        Vector3f face = cofactor.transform(toB.cross(toC)).normalize();
        face.mul(face.dot(direction) > 0 ? -1 : 1);
        Vector3f shading = cofactor.transform(normal).normalize();
        shading.mul(shading.dot(face) < 0 ? -1 : 1);
        Vector3f tint = read(scene.instances, instance + 48);
        boolean tintsGlow = scene.materials.getFloat(material + 28) == 1;
        Vector3f color = read(scene.materials, material).mul(texel(material + 32, uv, uv1));
        Vector3f emission = read(scene.materials, material + 16)
                .mul(texel(material + 80, uv, uv1))
                .mul(scene.instances.getFloat(instance + 60));
        (tintsGlow ? emission : color).mul(tint);
        if (scene.materials.getFloat(material + 12) == 1) {
            color.mul(blend(vertex, share, 10));
        }
        return new Surface(model.transformPosition(position), face, shading, color, emission);
    }

    private Vector3f texel(int image, Vector2f first, Vector2f second) {
        Vector2f at = scene.materials.getInt(image + 12) == 0 ? first : second;
        int[] place = new int[2];
        for (int axis = 0; axis < 2; axis++) {
            Vector3f to = read(scene.materials, image + 16 + 16 * axis);
            int how = (int) scene.materials.getFloat(image + 28 + 16 * axis);
            int size = scene.materials.getInt(image + 4 + 4 * axis);
            place[axis] = Math.min(size - 1, (int) (wrapped(to.x * at.x + to.y * at.y + to.z, how) * size));
        }
        int width = scene.materials.getInt(image + 4);
        int texel = scene.texels.getInt(4 * (scene.materials.getInt(image) + place[1] * width + place[0]));
        Vector3f c = new Vector3f(texel & 255, texel >> 8 & 255, texel >> 16 & 255).div(255);
        return new Vector3f(linear(c.x), linear(c.y), linear(c.z));
    }

    private static float linear(float c) {
        return c * (c * (c * 0.305306011f + 0.682171111f) + 0.012522878f);
    }

    private Vector3f attribute(int vertex, int offset) {
        return read(scene.vertices, 4 * (vertex * FLOATS_PER_VERTEX + offset));
    }

    private Vector3f blend(int[] vertex, float[] share, int offset) {
        Vector3f sum = new Vector3f();
        for (int k = 0; k < 3; k++) {
            sum.add(attribute(vertex[k], offset).mul(share[k]));
        }
        return sum;
    }

    private static Vector3f read(ByteBuffer from, int at) {
        return new Vector3f(from.getFloat(at), from.getFloat(at + 4), from.getFloat(at + 8));
    }

    private static double[] minus(double[] a, double[] b) {
        return new double[] {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    }

    private static double[] cross(double[] a, double[] b) {
        return new double[] {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    }

    private static double dot(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
}
