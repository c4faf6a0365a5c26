package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.Main;
import io.frameloom.samples.gltf.TestModel;
import io.frameloom.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
        assertThat(run(range(ALL, "farm")))
                .startsWith("frames   0..7: ")
                .contains(", 0 missing")
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
}
