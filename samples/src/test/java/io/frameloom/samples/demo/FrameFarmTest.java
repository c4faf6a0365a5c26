package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.tools.range.FrameRange;
import io.frameloom.samples.AskedDevices;
import io.frameloom.samples.Causes;
import io.frameloom.samples.Main;
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.TestModel;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import io.frameloom.testing.ChildJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Frames that several processes render into one folder, and that are killed meanwhile. */
@Timeout(300)
final class FrameFarmTest {
    private static final int FRAMES = 8;
    private static final String ALL = "0..7";
    private static final int TERMINATED = 128 + 15;

    @TempDir
    private Path root;

    private Path model;

    @BeforeEach
    void prepare() throws Exception {
        assumeTrue(
                VulkanDevices.list().stream().anyMatch(VulkanDeviceInfo::usable),
                "no usable Vulkan device: " + VulkanDevices.unavailableReason());
        model = Files.write(root.resolve("model.glb"), TestModel.bytes());
    }

    private String[] arguments(String frames, String out, String... more) {
        String[] fixed = {
            "demo",
            "--model",
            model.toString(),
            "--size",
            "48x27",
            "--frames",
            frames,
            "--out",
            root.resolve(out).toString()
        };
        return Stream.concat(Stream.of(fixed), Stream.of(more)).toArray(String[]::new);
    }

    private String[] range(String frames, String out) {
        return arguments(frames, out, "--block", "4", "--warm-up", "2");
    }

    private static String run(String... arguments) {
        ProgramRun run = ProgramRun.of(arguments);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        return run.out();
    }

    private static String picture(int frame) {
        return "frame-%06d.png".formatted(frame);
    }

    private List<String> leftOver(String folder) throws Exception {
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("."))
                    .toList();
        }
    }

    private Process start(String log, String... arguments) throws Exception {
        return ChildJvm.builder(Main.class, (Object[]) arguments)
                .redirectErrorStream(true)
                .redirectOutput(root.resolve(log).toFile())
                .start();
    }

    /** Waits until a process has written a picture. */
    private void await(Process process, String log, Path picture) throws Exception {
        while (!Files.exists(picture)) {
            assertThat(process.isAlive())
                    .as(() -> {
                        try {
                            return Files.readString(root.resolve(log));
                        } catch (IOException e) {
                            return String.valueOf(e);
                        }
                    })
                    .isTrue();
            Thread.sleep(5);
        }
    }

    /** The ranges of the processes do not end, so both are ended in their middle. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void killedProcessesLeaveWhatIsWholeAndTheRestIsRenderedTheSame() throws Exception {
        run(range(ALL, "single"));
        Path farm = root.resolve("farm");
        List<Process> nodes = new ArrayList<>();
        try {
            nodes.add(start("first.log", range("0..99999", "farm")));
            nodes.add(start("second.log", range("5..99999", "farm")));
            await(nodes.get(0), "first.log", farm.resolve(picture(2)));
            nodes.get(0).destroyForcibly();
            await(nodes.get(1), "second.log", farm.resolve(picture(6)));
            nodes.get(1).destroy();
            for (Process node : nodes) {
                assertThat(node.waitFor(100, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(nodes.get(1).exitValue()).isEqualTo(TERMINATED);
        } finally {
            nodes.forEach(Process::destroyForcibly);
        }
        assertThat(Files.readString(root.resolve("second.log"))).contains("frames   5..99999: ", " missing");
        // As a machine leaves them that loses its power.
        Files.write(farm.resolve(picture(1)), new byte[100]);
        Files.delete(farm.resolve(picture(6)));
        // One device is opened twice where there are no two of its name.
        assertThat(run(arguments(
                        ALL, "farm", "--block", "4", "--warm-up", "2", "--device", "auto", "--device", "auto")))
                .containsPattern("^device   #[0-9]+ .*: [1-4] frames?\ndevice   #[0-9]+ .*: [1-4] frames?\n")
                .contains("frames   0..7: ", ", 0 missing")
                .doesNotContain(" 0 rendered");
        for (int frame = 0; frame < FRAMES; frame++) {
            assertThat(farm.resolve(picture(frame)))
                    .hasSameBinaryContentAs(root.resolve("single").resolve(picture(frame)));
        }
        assertThat(Files.mismatch(
                        root.resolve("single").resolve(picture(6)),
                        root.resolve("single").resolve(picture(7))))
                .as("the camera moves")
                .isNotNegative();
        assertThat(leftOver("single")).isEmpty();
        assertThat(run(range(ALL, "farm")))
                .startsWith("frames   0..7: 8 were there, 0 rendered, 0 more for their history, 0 missing");
    }

    @Test
    void theFirstBlockIsWhatTheDemoShows() throws Exception {
        run(range("1..1", "farm"));
        run(arguments("2", "demo"));
        assertThat(root.resolve("farm").resolve(picture(1)))
                .hasSameBinaryContentAs(root.resolve("demo").resolve("frame.png"));
        ProgramRun other = ProgramRun.of(arguments("1..1", "farm", "--block", "5", "--warm-up", "2"));
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err().lines())
                .singleElement()
                .asString()
                .startsWith("frameloom demo: --out: ")
                .endsWith("its block is '4', here it is '5'; name another folder, or render with what it has");
    }

    /** The first device is a virtual one, which writes nothing and is lost; the other renders all. */
    @Test
    void aDeviceThatIsLostIsNamedAndAnotherRendersItsFrames() throws Exception {
        FrameRange range = FrameRange.parse("0..3", 2, 1);
        DemoOptions options = new DemoOptions(
                model,
                null,
                range.count(),
                range,
                48,
                27,
                root.resolve("shared"),
                List.of(),
                AsyncCompute.TAGGED,
                List.of(),
                false,
                false,
                false,
                false,
                null);
        Scene scene = GltfLoader.load(model, note -> {});
        StringWriter out = new StringWriter();
        Map<String, Throwable> survived = new HashMap<>();
        AtomicReference<Throwable> ended = new AtomicReference<>();
        try (TaskGraph tasks = TaskGraph.builder().name("farm").workers(1).build()) {
            tasks.attach(NamedThread.GAME);
            for (NamedThread thread : List.of(NamedThread.GAME, NamedThread.RENDER, NamedThread.RHI)) {
                tasks.start(AskedDevices.thread(thread, 1));
                if (!thread.equals(NamedThread.GAME)) {
                    tasks.start(thread);
                }
            }
            DeviceOptions opening = DeviceOptions.of(tasks, "farm");
            try (GpuDevice losing = GpuDevices.open(DeviceSelector.parse("virtual:lose=6"), opening);
                    GpuDevice device = GpuDevices.open(new DeviceSelector.Auto(), opening)) {
                List<RangeRun.Renderer> renderers = List.of(
                        new RangeRun.Renderer(
                                "losing",
                                device.capabilities(),
                                () -> loop(losing, tasks, scene, 0),
                                (loop, failure) -> ended.set(failure)),
                        new RangeRun.Renderer(
                                "other",
                                device.capabilities(),
                                () -> loop(device, tasks, scene, 1),
                                (loop, failure) -> survived.put("none", failure)));
                int code = StopSignal.during(
                        "farm",
                        stop -> new RangeRun(options, range, new PrintWriter(out, true))
                                        .render(tasks, renderers, scene, stop, survived::put)
                                ? 0
                                : 1,
                        new PrintWriter(out, true));
                assertThat(code).isZero();
            }
            tasks.detach(NamedThread.GAME);
        }
        assertThat(survived).containsOnlyKeys("losing").containsValue(ended.get());
        assertThat(Causes.find(ended.get(), DeviceLostException.class)).isNotNull();
        assertThat(out.toString().lines())
                .startsWith(
                        "device   losing: 0 frames",
                        "device   other: 4 frames",
                        "frames   0..3: 0 were there, 4 rendered, 1 more for their history, 0 missing");
    }

    private static FrameLoop loop(GpuDevice device, TaskGraph tasks, Scene scene, int number) {
        return new FrameLoop(device, tasks, new TraceRecorder(), scene, 48, 27, 4, RdgOptions.defaults(), number);
    }
}
