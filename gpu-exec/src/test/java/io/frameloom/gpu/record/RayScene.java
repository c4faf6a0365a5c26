package io.frameloom.gpu.record;

import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Boxes;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.General;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.ProceduralHit;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.TrianglesHit;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.ShaderBindingTable.ShaderRecord;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TopLevelInstances;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Two opaque squares, one with holes and a sphere, with lights and shadows by rays of a pipeline of all six stages; and
 * the same picture by a search through all of it.
 */
final class RayScene {
    static final int SIDE = 16;
    private static final float RADIUS = 0.6f;
    private static final double[] LIGHT = {0.31, 0.23, 1};
    private static final double BIAS = 0.01;

    private static final String HEAD = "#version 460\n#extension GL_EXT_ray_tracing : require\n";
    private static final String SCENE = "layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;\n";
    private static final String RECORD =
            "layout(shaderRecordEXT, std430) buffer Record { uint colour; uint callable; } record;\n";

    /** One pixel's ray, straight down. */
    static final ShaderSource GENERATION = generation("layout(push_constant) uniform Push { float extent; };");

    /** The same without push constants. */
    static final ShaderSource UNPUSHED = generation("const float extent = 4.0;");

    private static ShaderSource generation(String extent) {
        return shader("pixel.rgen", ShaderStage.RAY_GENERATION, SCENE + extent + """

            layout(set = 0, binding = 1, std430) writeonly buffer Hits { uint hits[]; };
            layout(location = 0) rayPayloadEXT uint hit;
            void main() {
                vec2 at = (vec2(gl_LaunchIDEXT.xy) + 0.5) / vec2(gl_LaunchSizeEXT.xy) * extent - extent / 2.0;
                traceRayEXT(scene, gl_RayFlagsNoneEXT, 0xFF, 0, 0, 0, vec3(at, 5.0), 0.0, vec3(0, 0, -1), 20.0, 0);
                hits[gl_LaunchIDEXT.y * gl_LaunchSizeEXT.x + gl_LaunchIDEXT.x] = hit;
            }
            """);
    }

    static final ShaderSource MISS = shader("sky.rmiss", ShaderStage.MISS, RECORD + """
            layout(location = 0) rayPayloadInEXT uint hit;
            void main() { hit = record.colour + gl_LaunchIDEXT.y; }
            """);

    private static final ShaderSource LIT = shader("lit.rmiss", ShaderStage.MISS, """
            layout(location = 1) rayPayloadInEXT uint lit;
            void main() { lit = 1; }
            """);

    /** Colour, custom index, primitive, kind of the hit, what the callable makes of the colour, and light. */
    static final ShaderSource CLOSEST = shader("shade.rchit", ShaderStage.CLOSEST_HIT, SCENE + RECORD + """
            layout(location = 0) rayPayloadInEXT uint hit;
            layout(location = 1) rayPayloadEXT uint lit;
            layout(location = 2) callableDataEXT uint tint;
            void main() {
                tint = record.colour;
                executeCallableEXT(record.callable, 2);
                vec3 at = gl_WorldRayOriginEXT + gl_HitTEXT * gl_WorldRayDirectionEXT;
                vec3 light = vec3(0.31, 0.23, 1);
                uint flags = gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsSkipClosestHitShaderEXT;
                lit = 0;
                traceRayEXT(scene, flags, 0xFF, 0, 0, 1, at + 0.01 * light, 0.0, light, 20.0, 1);
                bool sphere = gl_HitKindEXT == 5;
                hit = tint | gl_InstanceCustomIndexEXT << 8 | gl_PrimitiveID << 16 | (sphere ? 1 : 0) << 20 | lit << 24;
            }
            """);

    /** Every other pixel sees through. */
    private static final ShaderSource ANY = shader("holes.rahit", ShaderStage.ANY_HIT, """
            void main() {
                if ((gl_LaunchIDEXT.x + gl_LaunchIDEXT.y) % 2 == 0) {
                    ignoreIntersectionEXT;
                }
            }
            """);

    private static final ShaderSource SPHERE = shader("sphere.rint", ShaderStage.INTERSECTION, """
            void main() {
                vec3 from = gl_ObjectRayOriginEXT;
                vec3 way = gl_ObjectRayDirectionEXT;
                float a = dot(way, way);
                float b = dot(from, way);
                float root = b * b - a * (dot(from, from) - 0.36);
                if (root > 0.0) {
                    reportIntersectionEXT((-b - sqrt(root)) / a, 5);
                }
            }
            """);

    private static final ShaderSource TINT = shader("tint.rcall", ShaderStage.CALLABLE, RECORD + """
            layout(location = 2) callableDataInEXT uint tint;
            void main() { tint = tint + record.colour; }
            """);

    static final RayTracingPipelineDescription PIPELINE = new RayTracingPipelineDescription(
            "rays",
            List.of(
                    new General("pixel", GENERATION),
                    new General("sky", MISS),
                    new General("lit", LIT),
                    new TrianglesHit("solid", CLOSEST),
                    new TrianglesHit("holes", CLOSEST, ANY),
                    new ProceduralHit("sphere", SPHERE, CLOSEST),
                    new General("tint", TINT)),
            2);

    /** Two triangles that lie aslant, so that no ray meets an edge. */
    private static final float[] SQUARE = {
        -0.7f, -0.6f, 0, 0.65f, -0.55f, 0, 0.7f, 0.6f, 0.25f, -0.7f, -0.6f, 0, 0.7f, 0.6f, 0.25f, -0.6f, 0.65f, 0.25f
    };

    private static final float[][] PLACES = {
        {-0.8f, -0.7f, 0.5f}, {0.3f, -0.4f, -0.5f}, {-0.5f, 0.4f, 1.1f}, {0.75f, 0.7f, -1}
    };
    private static final int[] COLOURS = {3, 11, 29, 71};
    private static final int[] TINTS = {100, 40};
    private static final int SKY = 0x7F00;

    final RayTracingPipeline pipeline;
    final ShaderBindingTable table;
    final List<AccelerationStructure> bottoms;
    final AccelerationStructureBuild building;
    final AccelerationStructure top;
    final Buffer memory;
    final Buffer hits;
    private final CommandRig rig;

    RayScene(CommandRig rig) {
        this(rig, PIPELINE);
    }

    /** With a pipeline that has at least the groups of the other. */
    RayScene(CommandRig rig, RayTracingPipelineDescription description) {
        this.rig = rig;
        pipeline = rig.own(rig.device.createRayTracingPipeline(description));
        table = new ShaderBindingTable(
                pipeline,
                new ShaderRecord("pixel"),
                List.of(record("sky", SKY), new ShaderRecord("lit")),
                List.of(
                        record("solid", COLOURS[0], 0),
                        record("solid", COLOURS[1], 1),
                        record("holes", COLOURS[2], 0),
                        record("sphere", COLOURS[3], 1)),
                List.of(record("tint", TINTS[0]), record("tint", TINTS[1])));
        memory = rig.upload(new byte[(int) table.bytes()], BufferUsage.STORAGE);
        table.write(memory.mapped());
        hits = rig.buffer("hits", 4L * SIDE * SIDE, BufferUsage.STORAGE, BufferUsage.COPY_SRC);
        AccelerationStructureBuild solid = triangles("solid", true);
        AccelerationStructureBuild holes = triangles("holes", false);
        Buffer box = rig.upload(floats(-RADIUS, -RADIUS, -RADIUS, RADIUS, RADIUS, RADIUS), BufferUsage.STORAGE);
        AccelerationStructureBuild sphere =
                build("sphere", AccelerationStructureDescription.of(new Boxes(24, 1, true)), Input.at(box, 0));
        bottoms = List.of(solid.destination(), solid.destination(), holes.destination(), sphere.destination());
        ByteBuffer instances =
                ByteBuffer.allocate(bottoms.size() * TopLevelInstances.BYTES).order(ByteOrder.nativeOrder());
        TopLevelInstances writer = new TopLevelInstances(instances);
        for (int i = 0; i < bottoms.size(); i++) {
            float[] at = PLACES[i];
            float[] moved = {1, 0, 0, at[0], 0, 1, 0, at[1], 0, 0, 1, at[2]};
            writer.add(bottoms.get(i), moved, 7 + i, 0xFF, i, TopLevelInstances.NO_CULLING);
        }
        Buffer ofInstances = rig.upload(instances.array(), BufferUsage.STORAGE);
        building = build(
                "top", AccelerationStructureDescription.of(bottoms.size()), Input.instances(ofInstances, 0, bottoms));
        top = building.destination();
        rig.execute(list -> {
            list.buildAccelerationStructure(solid);
            list.buildAccelerationStructure(holes);
            list.buildAccelerationStructure(sphere);
            CommandRig.full(list);
            list.buildAccelerationStructure(building);
        });
    }

    private static ShaderSource shader(String name, ShaderStage stage, String body) {
        return new ShaderSource(name, stage, HEAD + body);
    }

    static ShaderRecord record(String group, int... words) {
        ByteBuffer data = ByteBuffer.allocate(Math.max(8, words.length * 4)).order(ByteOrder.nativeOrder());
        data.asIntBuffer().put(words);
        return new ShaderRecord(group, data);
    }

    private static int[] floats(float... values) {
        int[] words = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            words[i] = Float.floatToIntBits(values[i]);
        }
        return words;
    }

    private AccelerationStructureBuild triangles(String name, boolean opaque) {
        Buffer corners = rig.upload(floats(SQUARE), BufferUsage.STORAGE);
        return build(
                name,
                AccelerationStructureDescription.of(new Triangles(Format.R32G32B32_SFLOAT, 12, 6, null, 2, opaque)),
                Input.at(corners, 0));
    }

    private AccelerationStructureBuild build(String name, AccelerationStructureDescription of, Input input) {
        AccelerationStructure.Sizes sizes = rig.device.sizes(of);
        return new AccelerationStructureBuild(
                rig.own(rig.device.createAccelerationStructure(name, of.level(), sizes.structureBytes())),
                of,
                input,
                rig.buffer("scratch of " + name, sizes.buildScratchBytes(), BufferUsage.STORAGE));
    }

    /** Binds everything that a trace needs. */
    void bind(CommandList list) {
        list.bindPipeline(pipeline);
        list.bindAccelerationStructure("scene", top);
        list.bindBuffer("Hits", hits, 0, 4L * SIDE * SIDE);
        if (pipeline.description().shaders().contains(GENERATION)) {
            list.pushConstants(
                    ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putFloat(0, 4));
        }
    }

    /** The picture by a search. */
    static int[] expected() {
        int[] words = new int[SIDE * SIDE];
        for (int pixel = 0; pixel < words.length; pixel++) {
            int x = pixel % SIDE;
            int y = pixel / SIDE;
            boolean seesThrough = (x + y) % 2 == 0;
            double[] from = {(x + 0.5) / SIDE * 4 - 2, (y + 0.5) / SIDE * 4 - 2, 5};
            double[] down = {0, 0, -1};
            Hit hit = search(from, down, seesThrough);
            if (hit == null) {
                words[pixel] = SKY + y;
                continue;
            }
            double[] start = new double[3];
            for (int axis = 0; axis < 3; axis++) {
                start[axis] = from[axis] + hit.distance * down[axis] + BIAS * LIGHT[axis];
            }
            int lit = search(start, LIGHT, seesThrough) == null ? 1 : 0;
            int tint = COLOURS[hit.instance] + TINTS[hit.instance % 2];
            int sphere = hit.instance == 3 ? 1 : 0;
            words[pixel] = tint | (7 + hit.instance) << 8 | hit.primitive << 16 | sphere << 20 | lit << 24;
        }
        return words;
    }

    private record Hit(int instance, int primitive, double distance) {}

    private static Hit search(double[] from, double[] way, boolean seesThrough) {
        Hit nearest = null;
        for (int instance = 0; instance < PLACES.length; instance++) {
            double[] local = new double[3];
            for (int axis = 0; axis < 3; axis++) {
                local[axis] = from[axis] - PLACES[instance][axis];
            }
            for (int primitive = 0; primitive < (instance == 3 ? 1 : 2); primitive++) {
                double distance = instance == 3 ? sphere(local, way) : triangle(local, way, primitive);
                boolean passes = instance == 2 && seesThrough;
                if (distance > 0 && !passes && (nearest == null || distance < nearest.distance)) {
                    nearest = new Hit(instance, primitive, distance);
                }
            }
        }
        return nearest;
    }

    private static double sphere(double[] from, double[] way) {
        double a = dot(way, way);
        double b = dot(from, way);
        double root = b * b - a * (dot(from, from) - RADIUS * RADIUS);
        return root > 0 ? (-b - Math.sqrt(root)) / a : -1;
    }

    private static double dot(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }

    private static double[] cross(double[] a, double[] b) {
        return new double[] {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    }

    private static double[] side(int from, int to) {
        return new double[] {
            SQUARE[to] - SQUARE[from], SQUARE[to + 1] - SQUARE[from + 1], SQUARE[to + 2] - SQUARE[from + 2]
        };
    }

    /** The distance by Möller and Trumbore, -1 for none. */
    private static double triangle(double[] from, double[] way, int primitive) {
        int a = 9 * primitive;
        double[] first = side(a, a + 3);
        double[] second = side(a, a + 6);
        double[] p = cross(way, second);
        double whole = dot(first, p);
        double[] t = {from[0] - SQUARE[a], from[1] - SQUARE[a + 1], from[2] - SQUARE[a + 2]};
        double u = dot(t, p) / whole;
        double[] q = cross(t, first);
        double v = dot(way, q) / whole;
        return u >= 0 && v >= 0 && u + v <= 1 ? dot(second, q) / whole : -1;
    }
}
