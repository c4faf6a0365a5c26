package io.frameloom.samples.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.samples.city.CityGenerator;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.Simulation;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The city by meshlets: which of them the device finds visible, and what is shown. */
@Timeout(120)
final class MeshletsTest {
    /** Neither is even, nor a power of two. */
    private static final int WIDTH = 157;

    private static final int HEIGHT = 91;

    /** In the third frame, the first phase draws what the second has found in the one before. */
    private static final int FRAMES = 3;

    /** In seconds, while the camera moves fast. */
    private static final double FIRST = 10;

    private static final double STEP = 1.5;

    private static final Path PYRAMID = Path.of("src/main/resources/io/frameloom/samples/shaders/depth_pyramid.comp");

    private final Scene city = streets(CityGenerator.generate(7));

    /** Returns a scene of what stands near the camera. */
    private static Scene streets(Scene all) {
        List<DrawItem> near = all.draws().stream()
                .filter(draw ->
                        draw.transform().m32() > 60 && Math.abs(draw.transform().m30()) < 90)
                .toList();
        return new Scene(
                all.name(),
                all.meshes(),
                all.materials(),
                near,
                all.lights(),
                all.camera(),
                all.atmosphere(),
                all.bounds());
    }

    @Test
    void theDeviceFindsTheMeshletsOfTheReferenceAndShowsThePictureOfTheVertices() throws Exception {
        onDevice(options -> options, session -> {
            DeviceLimits.Drawing limits = session.device.capabilities().limits().drawing();
            assumeTrue(
                    limits.drawIndirectCount() && limits.multiDrawIndirect() && limits.drawIndirectFirstInstance(),
                    "no draws from buffers");
            compare(session);
        });
    }

    @Test
    void meshShadersShowWhatVertexShadersDo() throws Exception {
        assumeTrue(
                VulkanDevices.list().stream()
                        .anyMatch(device -> device.capabilities().contains(Capability.MESH_SHADERS)),
                "no device has MESH_SHADERS");
        onDevice(options -> options.require(Capability.MESH_SHADERS), session -> {
            List<byte[]> expected = session.pictures();
            session.drawMeshlets(MeshletForm.MESH);
            List<byte[]> pictures = session.pictures();
            for (int i = 0; i < FRAMES; i++) {
                // Drivers round what mesh shaders give in another way: few texels change sides of an edge.
                int[] differences = differences(expected.get(i), pictures.get(i));
                assertThat(differences[0])
                        .as("texels that differ in frame %d", i)
                        .isLessThan(WIDTH * HEIGHT / 100);
                assertThat(differences[1])
                        .as("sum of differences in frame %d", i)
                        .isLessThan(WIDTH * HEIGHT / 50);
            }
            assertThat(session.counts.form()).isEqualTo(MeshletForm.MESH);
            assertThat(session.drawnEarly).isBetween(1, session.counts.drawn() - 1);
        });
    }

    /** Returns how many texels differ, and the sum of the largest difference of each in steps of a channel. */
    private static int[] differences(byte[] expected, byte[] picture) {
        int[] result = new int[2];
        for (int i = 0; i < expected.length; i += 4) {
            int most = 0;
            for (int c = i; c < i + 4; c++) {
                most = Math.max(most, Math.abs(Byte.toUnsignedInt(expected[c]) - Byte.toUnsignedInt(picture[c])));
            }
            result[0] += most > 0 ? 1 : 0;
            result[1] += most;
        }
        return result;
    }

    /** What a test does on a device. */
    private interface Use {
        void of(Session session) throws IOException;
    }

    private void onDevice(UnaryOperator<DeviceOptions> needs, Use use) throws IOException {
        try (TaskGraph tasks = TaskGraph.builder().workers(1).build()) {
            tasks.attach(NamedThread.GAME);
            tasks.start(NamedThread.RENDER);
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = GpuDevices.open(
                    new DeviceSelector.Auto(), needs.apply(new DeviceOptions(tasks, "meshlets test", true, null)))) {
                assumeTrue(device.capabilities().renders(), "no device that renders");
                try (Session session = new Session(device, tasks)) {
                    use.of(session);
                }
                // The layer would rather read the pyramid back in a layout that only copies read.
                assertThat(device.validationMessages())
                        .filteredOn(message -> message.severity() == ValidationMessage.Severity.ERROR)
                        .isEmpty();
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        }
    }

    private static void compare(Session session) throws IOException {
        List<byte[]> expected = session.pictures();
        session.drawMeshlets(MeshletForm.VERTEX);
        checkTriangles(Objects.requireNonNull(session.frame.meshlets()));
        List<byte[]> pictures = session.pictures();
        for (int i = 0; i < FRAMES; i++) {
            assertThat(pictures.get(i)).as("picture of frame %d", i).isEqualTo(expected.get(i));
        }
        MeshletCounts last = session.counts;
        assertThat(last.outside()).isPositive();
        assertThat(last.away()).isPositive();
        assertThat(last.occluded()).isGreaterThan(last.drawn());
        assertThat(session.drawnEarly).isBetween(1, last.drawn() - 1);
        // A pyramid of nearest depths hides too much as soon as it is not empty.
        String right = Files.readString(PYRAMID);
        String wrong =
                right.replace("float farthest = 1.0", "float farthest = 0.0").replace("min(", "max(");
        session.frame.drawMeshlets(
                MeshletForm.VERTEX, new ShaderSource("wrong_pyramid.comp", ShaderStage.COMPUTE, wrong));
        List<byte[]> mistaken = session.pictures();
        assertThat(mistaken.get(0)).isEqualTo(expected.get(0));
        assertThat(mistaken.get(FRAMES - 1)).isNotEqualTo(expected.get(FRAMES - 1));
    }

    /** What mesh shaders read means the same triangles as the indices. */
    private static void checkTriangles(Meshlets meshlets) {
        for (Meshlets.Meshlet one : meshlets.all()) {
            assertThat(one.vertexCount()).isBetween(3, Meshlets.MOST_VERTICES);
            assertThat(one.indexCount() / 3).isBetween(1, Meshlets.MOST_TRIANGLES);
            for (int i = 0; i < one.indexCount(); i++) {
                int corner = meshlets.corners().get((one.firstIndex() + i) / 3) >> 8 * (i % 3) & 255;
                assertThat(meshlets.vertices().get(one.firstIndex() + corner))
                        .isEqualTo(one.firstVertex() + meshlets.indices().get(one.firstIndex() + i));
                assertThat(corner).isLessThan(one.vertexCount());
            }
        }
    }

    /** Renders the same frames again and again. */
    private final class Session implements AutoCloseable {
        private final GpuDevice device;
        private final TaskGraph tasks;
        private final SceneBuffers buffers;
        private final DeferredFrame frame;
        private final Buffer picture;
        private final FrameExecutor executor;
        private final Simulation simulation;
        private final FrameSnapshot snapshot = new FrameSnapshot(city);
        private final RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        private BitSet visible = new BitSet();
        private MeshletForm form = MeshletForm.VERTEX;
        private MeshletCounts counts = new MeshletCounts(form, 0, 0, 0, 0, 0, 0);
        private int drawnEarly;

        Session(GpuDevice device, TaskGraph tasks) {
            this.device = device;
            this.tasks = tasks;
            buffers = new SceneBuffers(device, city);
            SceneUpload.upload(device, city, buffers);
            frame = new DeferredFrame(device, city, buffers, WIDTH, HEIGHT);
            picture = device.createBuffer("picture", BufferDescription.readback(4L * WIDTH * HEIGHT));
            executor = new FrameExecutor(
                    device, tasks, new FrameExecutorOptions(1, NamedThread.RHI, new TraceRecorder(), false));
            simulation = new Simulation(city, tasks, WIDTH, HEIGHT, DeferredFrame.SHADOW_EXTENT);
        }

        void drawMeshlets(MeshletForm by) {
            form = by;
            frame.drawMeshlets(by);
        }

        /** Renders all frames, and compares what they find of meshlets, if anything, to the reference. */
        List<byte[]> pictures() {
            List<byte[]> pictures = new ArrayList<>();
            for (int i = 0; i < FRAMES; i++) {
                simulation.simulate(snapshot, i, FIRST + STEP * i, FIRST + STEP * Math.max(0, i - 1));
                snapshot.reset = i == 0;
                // The shadow map is the same, and most of the work.
                snapshot.shadowCount = 0;
                onRender(() -> {
                    RenderGraph graph = new RenderGraph("frame " + snapshot.frame, compiler.options());
                    frame.declare(graph, snapshot, picture);
                    Runnable check = checking(graph);
                    executor.execute(compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device)))
                            .completed()
                            .await();
                    check.run();
                });
                byte[] bytes = new byte[4 * WIDTH * HEIGHT];
                picture.mapped().get(0, bytes);
                pictures.add(bytes);
            }
            return pictures;
        }

        private Runnable checking(RenderGraph graph) {
            MeshletPasses.Found found = frame.found();
            if (found == null) {
                return () -> {};
            }
            RdgReadback early = ReadbackPasses.buffer(graph, found.early());
            RdgReadback seen = ReadbackPasses.buffer(graph, found.visible());
            RdgReadback drawn = ReadbackPasses.buffer(graph, found.drawn());
            TextureDescription shape = found.pyramid().description();
            List<RdgReadback> mips = new ArrayList<>();
            for (int mip = 0; mip < shape.mips(); mip++) {
                mips.add(ReadbackPasses.texture(graph, found.pyramid(), TextureRegion.mip(shape, mip)));
            }
            return () -> {
                List<ByteBuffer> levels =
                        mips.stream().map(readback -> readback.bytes().join()).toList();
                CullingReference reference = new CullingReference(
                        Objects.requireNonNull(frame.meshlets()),
                        snapshot,
                        WIDTH,
                        HEIGHT,
                        snapshot.reset ? new BitSet() : visible,
                        (mip, x, y) -> levels.get(mip).getFloat(Float.BYTES * (y * shape.width(mip) + x)));
                String which = "of frame " + snapshot.frame;
                assertThat(bits(early)).as("drawn early " + which).isEqualTo(reference.early());
                assertThat(bits(seen)).as("visible " + which).isEqualTo(reference.visible());
                assertThat(bits(drawn)).as("drawn " + which).isEqualTo(reference.drawn());
                counts = Objects.requireNonNull(frame.meshletCounts());
                assertThat(counts).as("counts " + which).isEqualTo(reference.counts(form));
                visible = reference.visible();
                drawnEarly = reference.early().cardinality();
            };
        }

        private void onRender(TaskBody body) {
            tasks.task("frame", body).on(NamedThread.RENDER).dispatch().await();
        }

        @Override
        public void close() {
            onRender(executor::close);
            device.waitIdle();
            frame.close();
            buffers.close();
            picture.close();
        }
    }

    private static BitSet bits(RdgReadback readback) {
        return BitSet.valueOf(readback.bytes().join());
    }
}
