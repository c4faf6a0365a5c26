package io.frameloom.samples.pathtrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.samples.city.CityGenerator;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.samples.pathtrace.PathTracer.Traced;
import io.frameloom.samples.pathtrace.PathTracers.Picture;
import io.frameloom.samples.pathtrace.PathTracers.Share;
import io.frameloom.samples.scene.Atmosphere;
import io.frameloom.samples.scene.Bounds;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.MaterialTexture;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.MeshBuilder;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.TextureImage;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.joml.Matrix3x2f;
import org.joml.Matrix4f;
import org.joml.Vector2f;
import org.joml.Vector3f;
import org.joml.Vector4f;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The path tracer on a device against {@link CpuTracer}, under validation and the hazard checker. */
@Timeout(60)
final class PathTracerTest {
    private static final int CASES = 64;

    /** Random numbers, points of the disc, directions and wrapped coordinates of some cases: twelve numbers each. */
    private static final String FUNCTIONS = """
            #version 460
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0, std430) writeonly buffer Results { vec4 results[]; };
            #include "sampling.glsl"
            void main() {
                uint i = gl_WorkGroupID.x;
                vec4 u = randomNumbers(i, 3u * i, i & 7u, 4000000000u + i);
                vec3 normal = normalize(2.0 * u.xyz - 1.0);
                results[3 * i] = u;
                results[3 * i + 1] = vec4(disc(u.xy), wrapped(9.0 * u.x - 4.0, float(i % 3u)), 0.0);
                results[3 * i + 2] = vec4(diffuseDirection(normal, u.zw), 0.0);
            }
            """;

    private static void onDevice(Capability needed, BiConsumer<GpuDevice, TaskGraph> work) {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        assumeTrue(
                VulkanDevices.list().stream()
                        .anyMatch(device -> device.capabilities().contains(needed)),
                "no device has " + needed);
        HazardChecker hazards = new HazardChecker();
        try (TaskGraph tasks = TaskGraph.builder().name("paths").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = VulkanDevices.open(
                    "",
                    DeviceOptions.of(tasks, "paths")
                            .withValidation(true)
                            .withObserver(hazards)
                            .require(needed))) {
                work.accept(device, tasks);
                assertThat(device.validationMessages()).isEmpty();
            }
        }
        assertThat(hazards.hazards()).isEmpty();
        assertThat(hazards.undeclared()).isEmpty();
    }

    /** A floor, boxes with windows that shine, mirrored and coloured, a ball of smooth normals and a lamp. */
    private static Scene scene() {
        byte[] tiles = new byte[4 * 8 * 4];
        byte[] windows = new byte[tiles.length];
        for (int i = 0; i < tiles.length; i++) {
            tiles[i] = (byte) (90 + 37 * (i / 4 * 7 % 5));
            windows[i] = (byte) (i / 4 % 5 == 0 ? 250 - 40 * (i % 4) : 0);
        }
        TextureImage base = TextureImage.of("tiles", 8, 4, true, tiles);
        TextureImage glow = TextureImage.of("windows", 8, 4, true, windows);
        Materials materials = new Materials();
        MaterialTexture mirrored = new MaterialTexture(
                base,
                1,
                SamplerDescription.LINEAR_REPEAT.withAddress(SamplerDescription.Address.MIRRORED_REPEAT),
                new Matrix3x2f(3, 1, -1, 2, 0.2f, 0.7f));
        Material special = materials.of(
                "special",
                mirrored,
                null,
                null,
                new MaterialTexture(glow, 0, SamplerDescription.LINEAR_CLAMP, new Matrix3x2f(2, 0, 0, 2, -0.5f, -0.5f)),
                null,
                new Vector4f(0.9f, 0.8f, 0.7f, 1),
                new Vector3f(0.5f),
                0,
                1,
                1,
                0,
                0,
                true,
                false,
                true);
        Mesh box = new MeshBuilder().box(-0.5f, 0, -0.5f, 0.5f, 1, 0.5f).build("box");
        MeshBuilder ball = new MeshBuilder().blob(0, 0, 0, 1, 0.1f, 8, 12, 3);
        Mesh smooth = ball.build("ball");
        for (int at = 0; at < smooth.vertices().length; at += Mesh.FLOATS_PER_VERTEX) {
            smooth.vertices()[at + 8] = 0.37f * smooth.vertices()[at];
            smooth.vertices()[at + 9] = 0.41f * smooth.vertices()[at + 1];
            smooth.vertices()[at + 11] = 0.5f;
        }
        Matrix4f ground = new Matrix4f().scale(40, 0.1f, 40).translate(0, -1, 0);
        Vector4f metres = new Vector4f(2, 0.3f, 0.1f, 0);
        List<DrawItem> draws = List.of(
                new DrawItem(0, 0, ground, null, DrawItem.WHITE, new Vector4f(5, 0, 0, 0)),
                new DrawItem(0, 1, new Matrix4f().translate(-3, 0, 0).scale(2, 4, 2), null, DrawItem.WHITE, metres),
                new DrawItem(
                        0,
                        1,
                        new Matrix4f().translate(3, 0, -2).rotateY(0.6f).scale(-2, 3, 2),
                        null,
                        new Vector4f(1, 0.6f, 0.4f, 2),
                        metres),
                new DrawItem(1, 3, new Matrix4f().translate(0.2f, 1.2f, 1).scale(1, 1.2f, 1)),
                new DrawItem(
                        0,
                        2,
                        new Matrix4f().translate(1, 2.5f, -1).scale(1.5f, 0.1f, 0.2f),
                        null,
                        new Vector4f(0.3f, 0.7f, 1, 1.5f),
                        DrawItem.OWN_MAPPING));
        Atmosphere air = new Atmosphere(
                new Vector3f(0.5f, 0.6f, 0.4f).normalize(),
                new Vector3f(3, 2.6f, 2),
                new Vector3f(0.2f, 0.3f, 0.6f),
                new Vector3f(0.6f, 0.5f, 0.5f),
                new Vector3f(0.6f, 0.4f, 0.2f),
                new Vector3f(0.2f),
                0,
                0,
                1,
                0,
                100,
                1);
        return new Scene(
                "still life",
                List.of(box, smooth),
                List.of(
                        materials.textured("floor", base, null, null, null, 0),
                        materials.textured("house", base, null, null, glow, 1.5f),
                        materials.glowing("lamp", 6),
                        special),
                draws,
                List.of(),
                (seconds, pose) -> {
                    pose.eye.set(1, 4, 9);
                    pose.target.set(0, 1.6f, 0);
                    pose.fovY = 0.9f;
                },
                air,
                new Bounds(new Vector3f(-20, -1, -20), new Vector3f(20, 5, 20)));
    }

    private static PathScene flat(Scene scene) {
        try {
            return new PathScene(scene, Long.MAX_VALUE, note -> fail(note));
        } catch (UsageException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Traces a scene on a device and in Java; returns in how many pixels a channel differs by more than 1. */
    private static int different(
            GpuDevice device, TaskGraph tasks, PathScene scene, RayForm form, PathOptions options) {
        CpuTracer expected = new CpuTracer(scene);
        ByteBuffer right = Film.develop(expected.trace(options), 0.4f);
        try (PathTracer tracer = new PathTracer(device, tasks, NamedThread.RHI, scene, form)) {
            Traced traced = Objects.requireNonNull(tracer.trace(options, () -> false, done -> {}));
            assertThat((double) traced.pathRays()).isCloseTo(expected.pathRays(), within(0.001 * traced.pathRays()));
            assertThat((double) traced.shadowRays())
                    .isCloseTo(expected.shadowRays(), within(0.001 * traced.shadowRays()));
            ByteBuffer picture = Film.develop(traced.light(), 0.4f);
            int different = 0;
            for (int pixel = 0; pixel < picture.limit(); pixel += 4) {
                int most = 0;
                for (int at = pixel; at < pixel + 3; at++) {
                    most = Math.max(most, Math.abs((picture.get(at) & 255) - (right.get(at) & 255)));
                }
                different += most > 1 ? 1 : 0;
            }
            return different;
        }
    }

    /**
     * After several samples two pictures differ by more than 1 of 255 in a pixel only if a path of it went another way.
     * That is so where a ray passes an edge, or a coordinate the border of a texel, nearer than numbers of 24 bits tell
     * apart. Here that is the case for less than one path in a thousand; 1 in 200 pixels may differ.
     */
    @ParameterizedTest
    @EnumSource
    void equalsTheTracerOnTheProcessor(RayForm form) {
        PathOptions options = new PathOptions(44, 33, 4, 3, -7);
        onDevice(
                form.needed,
                (device, tasks) -> assertThat(different(device, tasks, flat(scene()), form, options))
                        .isLessThanOrEqualTo(44 * 33 / 200));
    }

    /** Millions of triangles times rays; the city is larger and its textures finer, so 1 in 50 pixels may differ. */
    @ParameterizedTest
    @EnumSource
    @Tag("thorough")
    @Timeout(300)
    void theCityDoesAsWell(RayForm form) {
        PathOptions options = new PathOptions(32, 18, 1, 3, 5);
        onDevice(
                form.needed,
                (device, tasks) -> assertThat(
                                different(device, tasks, flat(CityGenerator.generate(2026)), form, options))
                        .isLessThanOrEqualTo(32 * 18 / 50));
    }

    @ParameterizedTest
    @EnumSource
    void equalSeedsGiveEqualLight(RayForm form) {
        onDevice(form.needed, (device, tasks) -> {
            try (PathTracer tracer = new PathTracer(device, tasks, NamedThread.RHI, flat(scene()), form)) {
                PathOptions options = new PathOptions(20, 11, 4, 2, 7);
                List<Integer> progress = new ArrayList<>();
                Traced traced = Objects.requireNonNull(tracer.trace(options, () -> false, progress::add));
                assertThat(progress).isSorted().hasSize(3);
                assertThat(tracer.trace(options, () -> false, done -> {})).isEqualTo(traced);
                PathOptions other = new PathOptions(20, 11, 4, 2, 8);
                assertThat(Objects.requireNonNull(tracer.trace(other, () -> false, done -> {}))
                                .light())
                        .isNotEqualTo(traced.light());
                assertThat(tracer.trace(options, () -> true, done -> {})).isNull();
            }
        });
    }

    /** Two devices of one driver; with {@code failing} one of them fails, and the other does its work. */
    @ParameterizedTest
    @CsvSource({"PIPELINE, false", "QUERIES, true"})
    void devicesShareThePictureOfOne(RayForm form, boolean failing) {
        PathOptions options = new PathOptions(20, 33, 3, 2, 7);
        onDevice(form.needed, (first, tasks) -> {
            tasks.start(NamedThread.of("RHI 2"));
            tasks.start(NamedThread.of("PATHS 2"));
            HazardChecker hazards = new HazardChecker();
            try (GpuDevice second = VulkanDevices.open(
                    "",
                    DeviceOptions.of(tasks, "paths")
                            .withValidation(true)
                            .withObserver(hazards)
                            .require(form.needed))) {
                Picture alone = traced(tasks, List.of(second), form, options, () -> false);
                assertThat(alone.shares()).extracting(Share::parts).containsExactly(1);
                AtomicInteger samples = new AtomicInteger();
                Picture shared = traced(tasks, List.of(first, second), form, options, () -> {
                    if (failing && samples.incrementAndGet() == 3) {
                        throw new IllegalStateException("on purpose");
                    }
                    return false;
                });
                assertThat(shared.texels()).isEqualTo(alone.texels());
                assertThat(shared.pathRays()).isEqualTo(alone.pathRays()).isGreaterThan(20 * 33 * 3);
                assertThat(shared.shadowRays()).isEqualTo(alone.shadowRays());
                if (failing) {
                    assertThat(shared.shares()).extracting(Share::parts).containsExactlyInAnyOrder(0, 2);
                    assertThat(shared.shares())
                            .filteredOn(share -> share.parts() == 0)
                            .singleElement()
                            .extracting(Share::failure)
                            .isInstanceOf(IllegalStateException.class);
                } else {
                    assertThat(shared.shares()).extracting(Share::parts).containsExactly(1, 1);
                    assertThat(shared.shares()).extracting(Share::failure).containsOnlyNulls();
                }
                assertThat(second.validationMessages()).isEmpty();
            }
            assertThat(hazards.hazards()).isEmpty();
            assertThat(hazards.undeclared()).isEmpty();
        });
    }

    private static Picture traced(
            TaskGraph tasks, List<GpuDevice> devices, RayForm form, PathOptions options, BooleanSupplier stop) {
        List<Long> progress = new ArrayList<>();
        try (PathTracers tracers = new PathTracers(tasks, devices, flat(scene()), form)) {
            Picture picture = Objects.requireNonNull(tracers.trace(options, 0.4f, stop, progress::add));
            assertThat(progress).isSorted().endsWith((long) options.samples());
            assertThat(tracers.trace(options, 0.4f, () -> true, done -> {})).isNull();
            return picture;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The light of later samples would be added to what is unknown. */
    @Test
    void aSampleThatFailsEndsTheCommand() {
        Scene still = scene();
        AtomicInteger looks = new AtomicInteger();
        Scene failing = new Scene(
                still.name(),
                still.meshes(),
                still.materials(),
                still.draws(),
                still.lights(),
                (seconds, pose) -> {
                    if (looks.incrementAndGet() == 2) {
                        throw new IllegalStateException("looked twice");
                    }
                    still.camera().at(seconds, pose);
                },
                still.atmosphere(),
                still.bounds());
        try (TaskGraph tasks = TaskGraph.builder().name("paths").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = GpuDevices.open(
                            DeviceSelector.Virtual.DEFAULT,
                            DeviceOptions.of(tasks, "paths").require(Capability.RAY_QUERIES));
                    PathTracer tracer =
                            new PathTracer(device, tasks, NamedThread.RHI, flat(failing), RayForm.QUERIES)) {
                PathOptions options = new PathOptions(4, 3, 9, 1, 1);
                assertThatThrownBy(() -> tracer.trace(options, () -> false, done -> {}))
                        .rootCause()
                        .hasMessage("looked twice");
                assertThat(looks.get()).as("samples that began").isLessThan(options.samples());
                assertThat(tracer.trace(options, () -> false, done -> {})).isNotNull();
            }
        }
    }

    @Test
    void functionsOfTheShaderAreThoseOfJava() {
        onDevice(Capability.ACCELERATION_STRUCTURES, (device, tasks) -> {
            ShaderSource source = new ShaderSource("functions.comp", ShaderStage.COMPUTE, FUNCTIONS)
                    .withIncludes(ShaderIncludes.classPath(
                            PathTracerTest.class.getClassLoader(), "io/frameloom/samples/shaders"));
            try (ComputePipeline pipeline =
                            device.createComputePipeline(new ComputePipelineDescription("functions", source, null));
                    FrameExecutor executor = new FrameExecutor(device, tasks)) {
                RenderGraph graph = new RenderGraph("functions");
                RdgBuffer results = graph.createBuffer("results", BufferDescription.readback(48 * CASES));
                graph.addPass("functions", PassKind.COMPUTE)
                        .overwrites(results, Access.STORAGE_WRITE_COMPUTE)
                        .record(context -> {
                            context.commands().bindPipeline(pipeline);
                            context.commands().bindBuffer("Results", context.buffer(results), 0, 48 * CASES);
                            context.commands().dispatch(CASES, 1, 1);
                        });
                RdgReadback readback = graph.readBack(results);
                executor.run(graph);
                ByteBuffer numbers = readback.bytes().join();
                for (int i = 0; i < CASES; i++) {
                    float[] u = CpuTracer.randomNumbers(i, 3 * i, i & 7, (int) (4_000_000_000L + i));
                    for (int k = 0; k < 4; k++) {
                        assertThat(numbers.getFloat(48 * i + 4 * k))
                                .isEqualTo(u[k])
                                .isBetween(0f, 1f);
                    }
                    Vector2f disc = CpuTracer.disc(u[0], u[1]);
                    assertClose(numbers, 48 * i + 16, disc.x, disc.y, CpuTracer.wrapped(9 * u[0] - 4, i % 3));
                    Vector3f normal =
                            new Vector3f(u[0], u[1], u[2]).mul(2).sub(1, 1, 1).normalize();
                    Vector3f direction = CpuTracer.diffuseDirection(normal, u[2], u[3]);
                    assertClose(numbers, 48 * i + 32, direction.x, direction.y, direction.z);
                    assertThat(direction.dot(normal)).isGreaterThanOrEqualTo(-1e-6f);
                }
            }
        });
    }

    private static void assertClose(ByteBuffer numbers, int at, float... expected) {
        for (int i = 0; i < expected.length; i++) {
            // The cosine of the polynomials is wrong by 4e-6 at most.
            assertThat(numbers.getFloat(at + 4 * i)).isCloseTo(expected[i], within(1e-5f));
        }
    }

    /** Numbers of the paper's reference implementation, in 64 bits. */
    @Test
    void theHashIsPcg4d() {
        long[] v = {1, 2, 3, 4};
        long mask = 0xFFFF_FFFFL;
        for (int i = 0; i < 4; i++) {
            v[i] = (v[i] * 1664525 + 1013904223) & mask;
        }
        for (int turn = 0; turn < 2; turn++) {
            v[0] = (v[0] + v[1] * v[3]) & mask;
            v[1] = (v[1] + v[2] * v[0]) & mask;
            v[2] = (v[2] + v[0] * v[1]) & mask;
            v[3] = (v[3] + v[1] * v[2]) & mask;
            for (int i = 0; turn == 0 && i < 4; i++) {
                v[i] ^= v[i] >> 16;
            }
        }
        assertThat(CpuTracer.hash(1, 2, 3, 4)).containsExactly((int) v[0], (int) v[1], (int) v[2], (int) v[3]);
    }

    /** Of 128x64 texels would be one too many, with the one of no emission. */
    @Test
    void texturesBecomeSmallerUntilTheyFit() throws UsageException {
        List<String> said = new ArrayList<>();
        PathScene small = new PathScene(box(256, 128), 4 * 128 * 64, said::add);
        assertThat(small.texels.capacity()).isEqualTo(4 * (64 * 32 + 1));
        assertThat(said)
                .containsExactly("textures of scene 'box' are shown with sides of at most 64 texels, since a shader of"
                        + " the device sees 32768 bytes of them at once");
    }

    @Test
    void largeTexturesStayAsTheyAreWhereTheyFit() {
        assertThat(flat(box(5000, 1)).texels.capacity()).isEqualTo(4 * (5000 + 1));
    }

    /** A box with a texture of some size. */
    private static Scene box(int width, int height) {
        Scene still = scene();
        TextureImage texture = TextureImage.of("large", width, height, true, new byte[4 * width * height]);
        return new Scene(
                "box",
                still.meshes().subList(0, 1),
                List.of(new Materials().textured("box", texture, null, null, null, 0)),
                List.of(new DrawItem(0, 0, new Matrix4f())),
                still.lights(),
                still.camera(),
                still.atmosphere(),
                still.bounds());
    }

    @Test
    void meshesThatDoNotFitAreRefused() {
        PathScene all = flat(scene());
        // Tiles, windows, and the one-texel textures of materials without; the vertices take more.
        assertThat(all.texels.capacity()).isEqualTo(4 * (32 + 32 + 1));
        int bytes = all.vertices.capacity();
        assertThatThrownBy(() -> new PathScene(scene(), bytes - 1, note -> fail(note)))
                .isInstanceOf(UsageException.class)
                .hasMessage("scene 'still life' has " + bytes + " bytes of vertices, and a shader of the device sees "
                        + (bytes - 1) + " at once; choose a smaller model");
    }
}
