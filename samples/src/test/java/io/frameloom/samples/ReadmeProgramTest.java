package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.testing.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs in README.md and docs run as they stand there. */
@Timeout(90)
class ReadmeProgramTest {

    /** What only a Vulkan device can do. */
    private static final List<String> NEED_A_DRIVER =
            List.of("Triangle", "Square", "Turned", "Hidden", "Streamed", "Adopt", "Native");

    /** What only a device with a capability can do. */
    private static final Map<String, Capability> NEED = Map.of(
            "Handed", Capability.EXTERNAL_MEMORY_FD,
            "Pointed", Capability.BUFFER_DEVICE_ADDRESS,
            "Rays", Capability.RAY_QUERIES,
            "Fans", Capability.MESH_SHADERS,
            "Records", Capability.RAY_TRACING_PIPELINES,
            "Arriving", Capability.RAY_TRACING_PIPELINES);

    private static final List<String> WRITE_FILES = List.of("Triangle", "Square");

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Hello | drawn: 0.5",
                "Visible | 1000 are near, the last is 99009, the farthest: 999.0",
                "Recursion | fibonacci(20) = 6765;1023 nodes",
                "Meshes | atlas packed;triangles: 120000",
                "Frame | before frame 0: 0;before frame 1: 1;before frame 2: 2",
                "Traced | frame 2 is in it: true",
                "Bytes | came back: 42;buffers: 16 bytes;hazards: 0",
                "Meshlets | draws by mesh shaders;without objects: true",
                "Decide | the device got 42",
                "Paced | began 6 frames",
                "Displayed | 2 queue, 1 shown at 16 ms",
                "Metered | tasks: 5",
                "Part | complete: true, failed: {};frame 20: 17.561;missing: []",
                "Triangle | in the middle: r 255 g 128 b 0;in the corner: r 0 g 0 b 0",
                "Square | ground: r 0 g 0 b 64;square: r 255 g 128 b 0",
                "Turned | without BACK: green;without FRONT: red",
                "Lost | graphics had begun [fill]",
                "Handed | the other device read 42",
                "Halves | frame 0: left 1, right 101;frame 1: left 2, right 102;frame 2: left 3, right 103",
                "Pointed | the shader followed two pointers: 42",
                "Hidden | frame 0 draws [0, 1];frame 1 draws [1];frame 2 draws [1]",
                "Overlaid | pass grey;pass overlay;pass grey;pass overlay;pass grey;pass overlay;the pointer is on the panel: true",
                "Streamed | 127, then 2, then 1",
                "Adopt | frame 0: red 1, timeline 2;frame 1: red 2, timeline 4;frame 2: red 3, timeline 6",
                "Native | the device wrote 42 and 43",
                "Rays | aaaaaaaaaaa..bbbbbbbbbbb;aaaaaaaaa......bbbbbbbbb;aaaaaaa..........bbbbbbb;aaaaa..............bbbbb;aaa..................bbb;a......................b",
                "Records | aaaaaaaaaaa..bbbbbbbbbbb;aaaaaaaaa......bbbbbbbbb;aaaaaaa..........bbbbbbb;aaaaa..............bbbbb;aaa..................bbb;a......................b",
                "Arriving | brick: 3 groups;glass: 4 groups",
                "Fans | .....ef..........ef......................ef.....;..eeeeffff....eeeeffff................eeeeffff..;.dddeeffggg..dddeeffggg..............dddeeffggg.;.ddddefgggg..ddddefgggg..............ddddefgggg.;.ccccbahhhh..ccccbahhhh..............ccccbahhhh.;.cccbbaahhh..cccbbaahhh..............cccbbaahhh.;..bbbbaaaa....bbbbaaaa................bbbbaaaa..;.....ba..........ba......................ba....."
            })
    void runs(String program, String expected, @TempDir Path dir) throws Exception {
        String reason = VulkanDevices.unavailableReason();
        Capability needed = NEED.get(program);
        assumeTrue((!NEED_A_DRIVER.contains(program) && needed == null) || reason.isEmpty(), reason);
        assumeTrue(
                needed == null
                        || VulkanDevices.list().stream()
                                .anyMatch(device -> device.capabilities().contains(needed)),
                "no device has " + needed);
        DocumentedProgram.compile(program, dir, CLASS_PATH);
        assertThat(
                        WRITE_FILES.contains(program)
                                ? printedElsewhere(program, dir)
                                : DocumentedProgram.printed(program, dir))
                .isEqualToIgnoringNewLines(expected.replace(';', '\n'));
    }

    /** Which cores these are depends on the machine. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void workersAreBoundToCores(@TempDir Path dir) throws Exception {
        DocumentedProgram.compile("Cores", dir, CLASS_PATH);
        String list = "\\d+([-,]\\d+)*";
        // Workers that are not bound have one list, that of the process.
        assertThat(DocumentedProgram.printed("Cores", dir).strip())
                .matches("workers run on: \\[" + list + (cores() > 1 ? ", " + list : "") + "\\]");
    }

    /** The kernel's count of the cores that this process may use. */
    private static long cores() throws IOException {
        String allowed = Files.readString(Path.of("/proc/thread-self/status"))
                .replaceAll("(?s).*Cpus_allowed_list:\\s*(\\S+).*", "$1");
        Set<String> cores = new HashSet<>();
        for (String range : allowed.split(",", -1)) {
            String[] ends = range.split("-", -1);
            for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
                Path core = Path.of("/sys/devices/system/cpu/cpu" + cpu + "/topology/core_cpus_list");
                assumeTrue(Files.exists(core), core + " is not there");
                cores.add(Files.readString(core));
            }
        }
        return cores.size();
    }

    private static String printedElsewhere(String program, Path dir) throws IOException, InterruptedException {
        return String.join("\n", lines(dir, dir + File.pathSeparator + CLASS_PATH, program));
    }

    private static List<String> lines(Path dir, String classPath, String program)
            throws IOException, InterruptedException {
        return ChildProcess.run(DocumentedProgram.java(dir, classPath, program), Duration.ofSeconds(80))
                .successfully();
    }

    /** In a process of its own, whose error stream is looked at, too. */
    @Test
    void loggingIsTurnedOff(@TempDir Path dir) throws Exception {
        String source = DocumentedProgram.write("Quiet", dir).toString();
        assertThat(lines(dir, CLASS_PATH, source)).containsExactly("quiet");

        Path loud = Files.writeString(
                dir.resolve("Loud.java"),
                DocumentedProgram.source("Quiet")
                        .replace("class Quiet", "class Loud")
                        .replace("Level.OFF", "Level.ALL"));
        assertThat(lines(dir, CLASS_PATH, loud.toString()))
                .hasSizeGreaterThan(1)
                .contains("quiet");
    }

    /** As README says to run it. */
    @Test
    void runsFromItsSource(@TempDir Path dir) throws IOException, InterruptedException {
        assertThat(lines(dir, CLASS_PATH, DocumentedProgram.write("First", dir).toString()))
                .containsExactly(
                        "red of the first texel: 255",
                        "pass 'read back picture' runs on queue graphics, level 1",
                        "  comes after 'draw': read after write on 'picture'",
                        "  is submitted in batch 0",
                        "  before it: picture: COLOR -> TRANSFER_SRC, read after write: draw wrote,"
                                + " read back picture read",
                        "  after it: staging of picture: end of frame: the host reads it");
    }
}
