package io.frameloom.samples.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.samples.scene.Atmosphere;
import io.frameloom.samples.scene.Bounds;
import io.frameloom.samples.scene.Deformable;
import io.frameloom.samples.scene.Deformation;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Materials;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.MeshBuilder;
import io.frameloom.samples.scene.Rig;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.joml.Matrix3d;
import org.joml.Matrix4d;
import org.joml.Matrix4f;
import org.joml.Vector3d;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

/** The vertices that the deform pass writes on a Vulkan device, against skinning and morphing in doubles. */
final class DeformPassTest {
    private static final int JOINTS = 5;
    private static final int TARGETS = 3;

    private static final Atmosphere AIR = new Atmosphere(
            new Vector3f(0, 1, 0),
            new Vector3f(1),
            new Vector3f(),
            new Vector3f(),
            new Vector3f(),
            new Vector3f(),
            0,
            0,
            1,
            0,
            1,
            1);

    private final SplittableRandom random = new SplittableRandom(11);

    private float between(double low, double high) {
        return (float) random.nextDouble(low, high);
    }

    /** A mesh of random corners. */
    private Mesh mesh(int vertices, int sets, int targetFloats, boolean flat) {
        float[] corners = new float[vertices * Mesh.FLOATS_PER_VERTEX];
        for (int i = 0; i < corners.length; i++) {
            corners[i] = between(-1, 1);
        }
        int[] joints = new int[4 * sets * vertices];
        float[] weights = new float[joints.length];
        for (int vertex = 0; vertex < vertices && sets > 0; vertex++) {
            for (int i = 0; i < 4 * sets; i++) {
                joints[4 * sets * vertex + i] = random.nextInt(JOINTS);
                weights[4 * sets * vertex + i] = 1f / (4 * sets);
            }
        }
        List<float[]> targets = new ArrayList<>();
        for (int target = 0; target < TARGETS && targetFloats > 0; target++) {
            float[] offsets = new float[vertices * targetFloats];
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] = between(-0.2, 0.2);
            }
            targets.add(offsets);
        }
        int[] indices = new int[vertices / 3 * 3];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = i;
        }
        return new Mesh(
                "random",
                corners,
                indices,
                new Deformable(corners, sets, joints, weights, targets, targetFloats, flat));
    }

    /** Joints first, then weights. */
    private Rig rig() {
        float[] constant = new float[16 * JOINTS + 4];
        for (int joint = 0; joint < JOINTS; joint++) {
            new Matrix4f()
                    .translate(between(-3, 3), between(-3, 3), between(-3, 3))
                    .rotateXYZ(between(-3, 3), between(-3, 3), between(-3, 3))
                    .scale(between(0.5, 2), between(0.5, 2), between(0.5, 2))
                    .get(constant, 16 * joint);
        }
        constant[16 * JOINTS] = 0.5f;
        constant[16 * JOINTS + 2] = -1.5f;
        return new Rig() {
            @Override
            public int floats() {
                return constant.length;
            }

            @Override
            public void at(double seconds, float[] state) {
                System.arraycopy(constant, 0, state, 0, constant.length);
            }
        };
    }

    @Test
    void movesVerticesAsTheProcessorWould() {
        boolean usable = VulkanDevices.list().stream().anyMatch(VulkanDeviceInfo::usable);
        assumeTrue(usable, "no usable Vulkan device: " + VulkanDevices.unavailableReason());
        List<Mesh> meshes = List.of(
                mesh(66, 1, 0, false),
                mesh(33, 2, 6, false),
                mesh(129, 0, Mesh.FLOATS_PER_VERTEX, false),
                mesh(9, 1, 6, true),
                new MeshBuilder().box(-1, -1, -1, 1, 1, 1).build("still"));
        Scene scene = scene(meshes);
        FrameSnapshot snapshot = new FrameSnapshot(scene);
        scene.rig().at(0, snapshot.rig);
        for (int i = 0; i < snapshot.rig.length; i++) {
            snapshot.formerRig[i] = 0.5f * snapshot.rig[i] + 0.1f;
        }
        int[] first = new int[meshes.size()];
        float[] moved = moved(scene, snapshot, first);
        for (int i = 0; i < meshes.size(); i++) {
            if (meshes.get(i).deformable() == null) {
                assertThat(first[i]).isEqualTo(-1);
            } else {
                check(meshes.get(i), snapshot.rig, moved, first[i] * Mesh.FLOATS_PER_VERTEX);
                checkFormer(
                        meshes.get(i), snapshot.formerRig, moved, moved.length / 2 + first[i] * Mesh.FLOATS_PER_VERTEX);
            }
        }
    }

    private static void checkFormer(Mesh mesh, float[] rig, float[] moved, int from) {
        for (int vertex = 0; vertex < mesh.vertexCount(); vertex++) {
            Vector3d position = position(mesh, rig, vertex);
            for (int i = 0; i < 3; i++) {
                assertThat(moved[from + vertex * Mesh.FLOATS_PER_VERTEX + i])
                        .isCloseTo((float) position.get(i), within(1e-4f));
            }
        }
    }

    @Test
    void boxesHoldAllThatMoves() {
        List<Mesh> meshes = List.of(mesh(66, 1, 0, false), mesh(33, 2, 6, false), mesh(129, 0, 6, false));
        Scene scene = scene(meshes);
        float[] state = new float[scene.rig().floats()];
        scene.rig().at(0, state);
        Vector3f low = new Vector3f();
        Vector3f high = new Vector3f();
        for (DrawItem draw : scene.draws()) {
            Mesh mesh = scene.meshes().get(draw.mesh());
            Matrix4f transform = new Matrix4f().rotateX(1).translate(3, 4, 5);
            draw.bounds(mesh, transform, state, low, high);
            for (int vertex = 0; vertex < mesh.vertexCount(); vertex++) {
                Vector3d at = position(mesh, state, vertex).mulPosition(transform);
                for (int axis = 0; axis < 3; axis++) {
                    assertThat(at.get(axis)).isBetween(low.get(axis) - 1e-4, high.get(axis) + 1e-4);
                }
            }
        }
    }

    private static Vector3d position(Mesh mesh, float[] rig, int vertex) {
        return blend(mesh.deformable(), rig, vertex)
                .transformPosition(new Vector3d(
                        morphed(mesh, rig, vertex, 0), morphed(mesh, rig, vertex, 1), morphed(mesh, rig, vertex, 2)));
    }

    @Test
    void saysWhatIsTooLargeForADevice() {
        Mesh mesh = mesh(66, 1, 6, false);
        Scene scene = scene(List.of(mesh));
        long bytes = 66 * 4 * (Mesh.FLOATS_PER_VERTEX + 6 + 6 * TARGETS);
        assertThat(SceneBuffers.problem(scene, bytes)).isNull();
        assertThat(SceneBuffers.problem(scene, bytes - 1))
                .contains("mesh 'random' by " + bytes + " bytes", "sees " + (bytes - 1), "--animation none");
    }

    @Test
    void refusesDrawsThatNothingMoves() {
        List<Mesh> meshes = List.of(mesh(66, 1, 6, false));
        DrawItem still = new DrawItem(0, 0, new Matrix4f());
        assertThatThrownBy(() -> scene(meshes, List.of(still)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'random' without what deforms it");
    }

    private Scene scene(List<Mesh> meshes) {
        List<DrawItem> draws = new ArrayList<>();
        for (int i = 0; i < meshes.size(); i++) {
            Deformation deformation = meshes.get(i).deformable() == null ? null : new Deformation(0, 16 * JOINTS);
            draws.add(new DrawItem(i, 0, new Matrix4f(), null, DrawItem.WHITE, DrawItem.OWN_MAPPING, deformation));
        }
        return scene(meshes, draws);
    }

    private Scene scene(List<Mesh> meshes, List<DrawItem> draws) {
        return new Scene(
                "random",
                meshes,
                List.of(new Materials().plain("grey", 1, 1, 1, 0, 1)),
                draws,
                List.of(),
                (seconds, pose) -> {},
                AIR,
                new Bounds(new Vector3f(-1), new Vector3f(1)),
                rig());
    }

    /** Runs upload and deform pass, and returns all that they wrote: vertices, then where these were before. */
    private static float[] moved(Scene scene, FrameSnapshot snapshot, int[] first) {
        try (TaskGraph tasks = TaskGraph.builder().workers(1).build()) {
            tasks.attach(NamedThread.GAME);
            tasks.start(NamedThread.RENDER);
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = GpuDevices.open(
                            new DeviceSelector.Auto(), new DeviceOptions(tasks, "deform test", true, null));
                    SceneBuffers buffers = new SceneBuffers(device, scene);
                    DeformPass deform = new DeformPass(device, scene, buffers);
                    Buffer back =
                            device.createBuffer("back", BufferDescription.readback(2 * buffers.deformedBytes()))) {
                SceneUpload.upload(device, scene, buffers);
                FrameExecutor executor = new FrameExecutor(
                        device, tasks, new FrameExecutorOptions(1, NamedThread.RHI, new TraceRecorder(), false));
                tasks.task("frame", () -> {
                            RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
                            RenderGraph graph = new RenderGraph("deform test", compiler.options());
                            RdgTexture unused =
                                    graph.createTexture("unused", TextureDescription.of(16, 16, Format.R8G8B8A8_UNORM));
                            FrameResources resources =
                                    new FrameResources(graph, scene, buffers, 16, 16, unused, unused, unused);
                            new UploadPass(scene).declare(graph, resources, snapshot);
                            deform.declare(graph, resources);
                            RdgBuffer source = resources.deformed;
                            RdgBuffer target = graph.registerExternal(back);
                            RdgBuffer former = resources.former;
                            assertThat(source).isNotNull();
                            assertThat(former).isNotNull();
                            graph.addPass("read back", PassKind.COPY)
                                    .reads(source, Access.COPY_SRC)
                                    .reads(former, Access.COPY_SRC)
                                    .overwrites(target, Access.COPY_DST)
                                    .flag(PassFlag.READBACK)
                                    .record(context -> {
                                        long bytes = buffers.deformedBytes();
                                        context.commands()
                                                .copyBuffer(
                                                        context.buffer(source), 0, context.buffer(target), 0, bytes);
                                        context.commands()
                                                .copyBuffer(
                                                        context.buffer(former),
                                                        0,
                                                        context.buffer(target),
                                                        bytes,
                                                        bytes);
                                    });
                            executor.execute(compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device)))
                                    .completed()
                                    .await();
                            executor.close();
                        })
                        .on(NamedThread.RENDER)
                        .dispatch()
                        .await();
                device.waitIdle();
                assertThat(device.validationMessages()).isEmpty();
                for (int i = 0; i < first.length; i++) {
                    first[scene.draws().get(i).mesh()] = buffers.firstDeformed(i);
                }
                FloatBuffer floats = back.mapped().asFloatBuffer();
                float[] result = new float[floats.remaining()];
                floats.get(result);
                return result;
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        }
    }

    private static void check(Mesh mesh, float[] rig, float[] moved, int from) {
        Deformable deformable = mesh.deformable();
        List<Vector3d> positions = new ArrayList<>();
        for (int vertex = 0; vertex < mesh.vertexCount(); vertex++) {
            positions.add(position(mesh, rig, vertex));
        }
        for (int vertex = 0; vertex < mesh.vertexCount(); vertex++) {
            Vector3d normal;
            if (deformable.flat()) {
                int corner = vertex / 3 * 3;
                Vector3d a = positions.get(corner);
                normal = new Vector3d(positions.get(corner + 1))
                        .sub(a)
                        .cross(new Vector3d(positions.get(corner + 2)).sub(a));
            } else {
                normal = blend(deformable, rig, vertex)
                        .normal(new Matrix3d())
                        .transform(new Vector3d(
                                morphed(mesh, rig, vertex, 3),
                                morphed(mesh, rig, vertex, 4),
                                morphed(mesh, rig, vertex, 5)));
            }
            normal.normalize();
            // Where the blend mirrors, corners go round the other way.
            Matrix4d blend = blend(deformable, rig, vertex);
            if (deformable.flat() && blend.determinant3x3() < 0) {
                normal.negate();
            }
            for (int i = 0; i < 3; i++) {
                float position = moved[from + vertex * Mesh.FLOATS_PER_VERTEX + i];
                assertThat(position).isCloseTo((float) positions.get(vertex).get(i), within(1e-4f));
                float turned = moved[from + vertex * Mesh.FLOATS_PER_VERTEX + 3 + i];
                assertThat(turned).isCloseTo((float) normal.get(i), within(5e-3f));
            }
            for (int i = 6; i < Mesh.FLOATS_PER_VERTEX; i++) {
                assertThat(moved[from + vertex * Mesh.FLOATS_PER_VERTEX + i])
                        .isCloseTo((float) morphed(mesh, rig, vertex, i), within(1e-5f));
            }
        }
    }

    private static double morphed(Mesh mesh, float[] rig, int vertex, int number) {
        Deformable deformable = mesh.deformable();
        double value = mesh.vertices()[vertex * Mesh.FLOATS_PER_VERTEX + number];
        for (int target = 0; target < deformable.targets().size() && number < deformable.targetFloats(); target++) {
            value += rig[16 * JOINTS + target]
                    * deformable.targets().get(target)[vertex * deformable.targetFloats() + number];
        }
        return value;
    }

    private static Matrix4d blend(Deformable deformable, float[] rig, int vertex) {
        if (deformable.sets() == 0) {
            return new Matrix4d();
        }
        Matrix4d sum = new Matrix4d().zero();
        for (int i = 4 * deformable.sets() * vertex; i < 4 * deformable.sets() * (vertex + 1); i++) {
            Matrix4d joint =
                    new Matrix4d(new Matrix4f().set(rig, 16 * deformable.joints()[i]));
            double[] weighted = joint.get(new double[16]);
            double[] all = sum.get(new double[16]);
            for (int k = 0; k < 16; k++) {
                all[k] += deformable.weights()[i] * weighted[k];
            }
            sum.set(all);
        }
        return sum;
    }
}
