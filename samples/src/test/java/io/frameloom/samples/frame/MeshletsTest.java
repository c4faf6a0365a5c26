package io.frameloom.samples.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.samples.city.CityGenerator;
import io.frameloom.samples.frame.Meshlets.Meshlet;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.FrameSnapshot;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.Simulation;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The city by meshlets: how they are built, which of them the device finds visible, and what is shown. */
@Timeout(120)
final class MeshletsTest {
    private static final int WIDTH = 157;
    private static final int HEIGHT = 91;
    private static final int FRAMES = 4;

    /** In seconds, of a camera that moves fast. */
    private static final double FIRST = 10;

    private static final double STEP = 1.5;


    private final Scene city = streets(CityGenerator.generate(7));

    /** One frame: what was found, what it should be, and the pictures by vertices, by meshlets and by mistake. */
    private record Frame(
            CullingReference reference,
            BitSet early,
            BitSet visible,
            BitSet drawn,
            MeshletCounts counts,
            byte[] expected,
            byte[] picture,
            byte[] wrong) {}

    /** Returns a scene of what stands near the camera. */
    private static Scene streets(Scene all) {
        List<DrawItem> near = all.draws().stream()
                .filter(draw -> draw.transform().m32() > 60 && Math.abs(draw.transform().m30()) < 90)
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

    private List<Frame> render(ShaderSource wrongPyramid) {
        List<Frame> frames = new ArrayList<>();
        try (TaskGraph tasks = TaskGraph.builder().workers(1).build()) {
            tasks.attach(NamedThread.GAME);
            tasks.start(NamedThread.RENDER);
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = GpuDevices.open(
                    new DeviceSelector.Auto(), new DeviceOptions(tasks, "meshlets test", true, null))) {
                DeviceLimits.Drawing limits = device.capabilities().limits().drawing();
                assumeTrue(device.capabilities().renders(), "no device that renders");
                assumeTrue(limits.drawIndirectCount() && limits.multiDrawIndirect(), "no counts from buffers");
                FrameSnapshot snapshot = new FrameSnapshot(city);
                Simulation simulation = new Simulation(city, tasks, WIDTH, HEIGHT, DeferredFrame.SHADOW_EXTENT);
                try (Session session = new Session(device, tasks, wrongPyramid)) {
                    for (int i = 0; i < FRAMES; i++) {
                        simulation.simulate(snapshot, i, FIRST + STEP * i, FIRST + STEP * Math.max(0, i - 1));
                        // The shadow map is the same, and most of the work.
                        snapshot.shadowCount = 0;
                        frames.add(session.frame(snapshot));
                    }
                }
                // The layer would rather read the pyramid back in a layout that only copies read.
                assertThat(device.validationMessages())
                        .filteredOn(message -> message.severity() == ValidationMessage.Severity.ERROR)
                        .isEmpty();
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        }
        return frames;
    }

    /** Renders frames in all ways. */
    private final class Session implements AutoCloseable {
        private final GpuDevice device;
        private final TaskGraph tasks;
        private final SceneBuffers buffers;
        private final DeferredFrame vertices;
        private final DeferredFrame meshlets;
        private final DeferredFrame wrong;
        private final Buffer picture;
        /** One for each of the frames, which do not share memory. */
        private final Map<DeferredFrame, FrameExecutor> executors = new LinkedHashMap<>();

        private final RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
        private BitSet visible = new BitSet();

        Session(GpuDevice device, TaskGraph tasks, ShaderSource wrongPyramid) {
            this.device = device;
            this.tasks = tasks;
            buffers = new SceneBuffers(device, city);
            SceneUpload.upload(device, city, buffers);
            vertices = new DeferredFrame(device, city, buffers, WIDTH, HEIGHT);
            meshlets = new DeferredFrame(device, city, buffers, WIDTH, HEIGHT);
            meshlets.drawMeshlets();
            wrong = new DeferredFrame(device, city, buffers, WIDTH, HEIGHT);
            wrong.drawMeshlets(wrongPyramid);
            picture = device.createBuffer("picture", BufferDescription.readback(4L * WIDTH * HEIGHT));
            for (DeferredFrame frame : List.of(vertices, meshlets, wrong)) {
                FrameExecutorOptions options =
                        new FrameExecutorOptions(1, NamedThread.RHI, new TraceRecorder(), false);
                executors.put(frame, new FrameExecutor(device, tasks, options));
            }
        }

        Frame frame(FrameSnapshot snapshot) {
            List<Frame> result = new ArrayList<>();
            tasks.task("frame", () -> result.add(render(snapshot)))
                    .on(NamedThread.RENDER)
                    .dispatch()
                    .await();
            return result.get(0);
        }

        private Frame render(FrameSnapshot snapshot) {
            snapshot.reset = snapshot.frame == 0;
            byte[] expected = picture(vertices, snapshot);
            byte[] mistaken = picture(wrong, snapshot);
            RenderGraph graph = new RenderGraph("meshlets", compiler.options());
            meshlets.declare(graph, snapshot, picture);
            MeshletPasses.Found found = Objects.requireNonNull(meshlets.found());
            RdgReadback early = ReadbackPasses.buffer(graph, found.early());
            RdgReadback seen = ReadbackPasses.buffer(graph, found.visible());
            RdgReadback drawn = ReadbackPasses.buffer(graph, found.drawn());
            List<RdgReadback> mips = new ArrayList<>();
            for (int mip = 0; mip < found.pyramid().description().mips(); mip++) {
                mips.add(ReadbackPasses.texture(
                        graph,
                        found.pyramid(),
                        TextureRegion.mip(found.pyramid().description(), mip)));
            }
            execute(meshlets, graph);
            List<ByteBuffer> levels =
                    mips.stream().map(readback -> readback.bytes().join()).toList();
            CullingReference reference = new CullingReference(
                    Objects.requireNonNull(meshlets.meshlets()),
                    snapshot,
                    WIDTH,
                    HEIGHT,
                    visible,
                    (mip, x, y) -> levels.get(mip)
                            .getFloat(Float.BYTES * (y * found.pyramid().description().width(mip) + x)));
            visible = reference.visible();
            return new Frame(
                    reference,
                    bits(early),
                    bits(seen),
                    bits(drawn),
                    Objects.requireNonNull(meshlets.meshletCounts()),
                    expected,
                    bytes(picture),
                    mistaken);
        }

        private byte[] picture(DeferredFrame frame, FrameSnapshot snapshot) {
            RenderGraph graph = new RenderGraph("picture", compiler.options());
            frame.declare(graph, snapshot, picture);
            execute(frame, graph);
            return bytes(picture);
        }

        private void execute(DeferredFrame frame, RenderGraph graph) {
            Objects.requireNonNull(executors.get(frame))
                    .execute(compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device)))
                    .completed()
                    .await();
        }

        @Override
        public void close() {
            tasks.task("close", () -> executors.values().forEach(FrameExecutor::close))
                    .on(NamedThread.RENDER)
                    .dispatch()
                    .await();
            device.waitIdle();
            executors.keySet().forEach(DeferredFrame::close);
            buffers.close();
            picture.close();
        }
    }

    private static BitSet bits(RdgReadback readback) {
        return BitSet.valueOf(readback.bytes().join());
    }

    private static byte[] bytes(Buffer buffer) {
        byte[] bytes = new byte[(int) buffer.description().bytes()];
        buffer.mapped().get(0, bytes);
        return bytes;
    }

    @Test
    void theDeviceFindsTheSameMeshletsAsTheReferenceAndShowsTheSamePicture() throws IOException {
        String right = Files.readString(Path.of("src/main/resources/io/frameloom/samples/shaders/depth_pyramid.comp"));
        // Of nearest depths, which hides too much.
        String wrong = right.replace("float farthest = 1.0", "float farthest = 0.0").replace("min(", "max(");
        List<Frame> frames = render(new ShaderSource("wrong_pyramid.comp", ShaderStage.COMPUTE, wrong));
        for (int i = 0; i < FRAMES; i++) {
            Frame frame = frames.get(i);
            assertThat(frame.early).as("drawn early in frame %d", i).isEqualTo(frame.reference.early());
            assertThat(frame.visible).as("visible in frame %d", i).isEqualTo(frame.reference.visible());
            assertThat(frame.drawn).as("drawn in frame %d", i).isEqualTo(frame.reference.drawn());
            assertThat(frame.counts).as("counts of frame %d", i).isEqualTo(frame.reference.counts());
            assertThat(frame.picture).as("picture of frame %d", i).isEqualTo(frame.expected);
        }
        Frame last = frames.get(FRAMES - 1);
        assertThat(last.counts.outside()).isPositive();
        assertThat(last.counts.away()).isPositive();
        assertThat(last.counts.occluded()).isGreaterThan(last.counts.drawn());
        assertThat(last.early.cardinality()).isBetween(1, last.drawn.cardinality() - 1);
        assertThat(last.wrong).isNotEqualTo(last.expected);
        // Its first frame finds an empty pyramid, which hides nothing.
        assertThat(frames.get(0).wrong).isEqualTo(frames.get(0).expected);
    }
}
