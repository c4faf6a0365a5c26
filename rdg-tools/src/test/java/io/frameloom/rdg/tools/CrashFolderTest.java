package io.frameloom.rdg.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import io.frameloom.testing.ChildProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class CrashFolderTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-02-03T12:00:00.123Z"), ZoneOffset.UTC);

    private static String read(Path folder, String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aLostDeviceLeavesReportPlanTraceAndThreads(@TempDir Path dir) throws Exception {
        CrashFolder crash = new CrashFolder(dir.resolve("new").resolve("crashes"), NOON);
        crash.fact("game", "1.2");
        Throwable failure;
        TraceRecorder trace = new TraceRecorder();
        crash.trace(trace);
        try (TaskGraph tasks =
                TaskGraph.builder().name("t").workers(1).observer(trace).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device =
                            GpuDevices.open(DeviceSelector.parse("virtual:lose=1"), DeviceOptions.of(tasks, "d"));
                    FrameExecutor executor = new FrameExecutor(device, tasks)) {
                crash.device(device);
                RenderGraph graph = new RenderGraph("doomed frame");
                RdgBuffer buffer = graph.createBuffer("bytes", BufferDescription.readback(64));
                graph.addPass("fill", PassKind.COPY)
                        .overwrites(buffer, Access.COPY_DST)
                        .record(context -> context.commands().fillBuffer(context.buffer(buffer), 0, 64, 1));
                ReadbackPasses.buffer(graph, buffer);
                FramePlan plan = executor.compile(graph);
                crash.plan(plan);
                FrameHandle frame = executor.execute(plan);
                frame.completed().awaitCompletion();
                failure = Objects.requireNonNull(frame.completed().failure());
            }
        }
        // Also when everything is closed.
        Path folder = crash.write(failure).orElseThrow();

        assertThat(folder).isEqualTo(dir.resolve("new/crashes/crash-20260203-120000"));
        assertThat(names(folder))
                .containsExactly(
                        "device-lost.json", "device-lost.txt", "graph.json", "report.txt", "threads.txt", "trace.json");
        assertThat(read(folder, "device-lost.txt")).contains("pass 'fill': begun, not ended", "marks: exact");
        JsonNode queue = new ObjectMapper()
                .readTree(read(folder, "device-lost.json"))
                .get("queues")
                .get(0);
        assertThat(queue.get("lastBegun").asText()).isEqualTo("fill");
        JsonNode pass = queue.at("/underWay/0/lists/0/passes/0");
        assertThat(pass.get("name").asText()).isEqualTo("fill");
        assertThat(pass.get("progress").asText()).isEqualTo("begun");
        assertThat(failure).isInstanceOf(DeviceLostException.class);
        assertThat(failure.getSuppressed()).isEmpty();
        assertThat(read(folder, "report.txt"))
                .startsWith("time: 2026-02-03T12:00:00Z\n")
                .contains(DeviceLostException.class.getName(), "\tat io.frameloom")
                .contains("\ngame: 1.2\n", "\nFrameloom: from classes, no version\n", "\nLWJGL: 3.", "\nJava: ")
                .contains("\ndevice: DeviceCapabilities[name=Frameloom virtual GPU", "submitted ", "\ntasks: ");
        assertThat(read(folder, "threads.txt"))
                .contains("'" + Thread.currentThread().getName() + "' RUNNABLE\n", CrashFolder.class.getName());
        JsonNode json = new ObjectMapper().readTree(read(folder, "graph.json"));
        assertThat(json.get("id").asText()).isEqualTo("doomed frame");
        assertThat(new ObjectMapper().readTree(read(folder, "trace.json")).get("traceEvents"))
                .isNotEmpty();
    }

    @Test
    void aFaultIsThereWithItsResourceAndTheVendorsBytes(@TempDir Path dir) throws Exception {
        CrashReport.Owner owner = new CrashReport.Owner("buffer 'particles'", 0x8000, 0x100, true);
        CrashReport report = new CrashReport(
                "GPU",
                "waiting",
                CrashReport.Marking.NONE,
                List.of(),
                new CrashReport.Fault(
                        "page fault",
                        List.of(new CrashReport.Address("invalid write", 0x8040, 16, List.of(owner))),
                        List.of(new CrashReport.Vendor("unit 3", -1, 2)),
                        ByteBuffer.wrap(new byte[] {1, 2, 3})));
        DeviceLostException lost = new DeviceLostException("lost", report);
        Path folder = new CrashFolder(dir)
                .write(new IllegalStateException("frame", new IllegalStateException(lost)))
                .orElseThrow();
        assertThat(Files.readAllBytes(folder.resolve("device-fault.bin"))).containsExactly(1, 2, 3);
        assertThat(read(folder, "device-lost.txt"))
                .contains("fault: page fault\n", "vendor: unit 3, code 0xffffffffffffffff, data 0x2\n")
                .contains("invalid write at 0x8040 within 16 bytes, freed buffer 'particles' (0x8000 + 64 of 256)\n");
        JsonNode json = new ObjectMapper().readTree(read(folder, "device-lost.json"));
        assertThat(json.at("/fault/addresses/0/owners/0/name").asText()).isEqualTo("buffer 'particles'");
        assertThat(json.at("/fault/addresses/0/owners/0/freed").asBoolean()).isTrue();
        assertThat(json.at("/fault/addresses/0/address").asText()).isEqualTo("0x8040");
        assertThat(json.at("/fault/binaryBytes").asInt()).isEqualTo(3);
        assertThat(json.get("summary").asText()).contains("invalid write at 0x8040");
    }

    @Test
    void nothingSecretIsInIt(@TempDir Path dir) throws Exception {
        System.setProperty("database.password", "correct horse");
        System.setProperty("frameloom.crashTest", "battery staple");
        try {
            Path folder =
                    new CrashFolder(dir).write(new IllegalStateException()).orElseThrow();
            String report = read(folder, "report.txt") + read(folder, "threads.txt");
            assertThat(report)
                    .doesNotContain("horse", "database.password")
                    .contains("frameloom.crashTest: battery staple");
            for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
                assertThat(report).doesNotContain(variable.getKey() + "=");
            }
        } finally {
            System.clearProperty("database.password");
            System.clearProperty("frameloom.crashTest");
        }
    }

    @Test
    void theFirstFailureCounts(@TempDir Path dir) throws Exception {
        CrashFolder crash = new CrashFolder(dir, NOON);
        Path folder = crash.write(new IllegalStateException("first")).orElseThrow();
        assertThat(crash.write(new IllegalStateException("second"))).contains(folder);
        assertThat(names(dir)).containsExactly("crash-20260203-120000");
        assertThat(read(folder, "report.txt")).contains("first").doesNotContain("second");

        // Of another object, such as that of another process.
        assertThat(new CrashFolder(dir, NOON).write(new IllegalStateException("third")))
                .contains(dir.resolve("crash-20260203-120000-2"));
    }

    @Test
    void whereNothingCanBeWrittenTheFailureStaysTheCause(@TempDir Path dir) throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "in the way");
        IllegalStateException failure = new IllegalStateException("first");
        assertThat(new CrashFolder(file.resolve("crashes")).write(failure)).isEmpty();
        assertThat(failure).hasMessage("first").hasNoCause();
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(IOException.class);
        assertThat(names(dir)).containsExactly("file");
    }

    /** A failure that cannot be printed, and puts something into the folder meanwhile. */
    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Path inTheWay;

        Unprintable(Path inTheWay) {
            this.inTheWay = inTheWay;
        }

        @Override
        public void printStackTrace(PrintWriter out) {
            try {
                Files.createFile(inTheWay);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            throw new IllegalStateException("cannot be printed");
        }
    }

    @Test
    void whatCannotBeRemovedDoesNotHideWhyNothingIsWritten(@TempDir Path dir) {
        Unprintable failure =
                new Unprintable(dir.resolve("crash-20260203-120000").resolve("in the way"));
        assertThat(new CrashFolder(dir, NOON).write(failure)).isEmpty();
        assertThat(failure.getSuppressed()).singleElement().satisfies(why -> {
            assertThat(why).hasMessage("cannot be printed");
            assertThat(why.getSuppressed()).singleElement().isInstanceOf(DirectoryNotEmptyException.class);
        });
    }

    @Test
    void anInterruptedThreadWritesAndStaysInterrupted(@TempDir Path dir) throws Exception {
        Thread.currentThread().interrupt();
        Path folder = new CrashFolder(dir).write(new IllegalStateException()).orElseThrow();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(names(folder)).containsExactly("report.txt", "threads.txt");
    }

    @Test
    void theHandlerHandsTheFailureOn(@TempDir Path dir) throws Exception {
        IllegalStateException failure = new IllegalStateException("of a thread");
        Thread thread = new Thread(() -> {
            throw failure;
        });
        Throwable[] handed = new Throwable[1];
        thread.setUncaughtExceptionHandler(new CrashFolder(dir, NOON).before((on, what) -> handed[0] = what));
        thread.start();
        thread.join();
        assertThat(handed[0]).isSameAs(failure);
        assertThat(read(dir.resolve("crash-20260203-120000"), "report.txt")).contains("of a thread");
    }

    /** Writes more trace than the process may write to a file. */
    static final class FullDisk {
        private FullDisk() {}

        public static void main(String[] arguments) {
            TraceRecorder trace = new TraceRecorder();
            for (int i = 0; i < 20_000; i++) {
                trace.span("GPU", "queue", "span " + i, i, 1, Map.of());
            }
            CrashFolder crash = new CrashFolder(Path.of(arguments[0]), NOON);
            crash.trace(trace);
            IllegalStateException failure = new IllegalStateException("first");
            System.out.println(crash.write(failure).isPresent() + ", suppressed " + failure.getSuppressed().length);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFileThatDoesNotFitIsNotedAndTheRestIsThere(@TempDir Path dir) throws Exception {
        ProcessBuilder limited = new ProcessBuilder(
                "sh",
                "-c",
                "ulimit -f 256 && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FullDisk.class.getName(),
                dir.toString());
        assertThat(ChildProcess.run(limited, Duration.ofSeconds(60)).successfully())
                .containsExactly("true, suppressed 0");
        Path folder = dir.resolve("crash-20260203-120000");
        assertThat(names(folder)).containsExactly("report.txt", "threads.txt");
        assertThat(read(folder, "report.txt")).contains("first", "\ntrace.json: not written: java.io.IOException: ");
    }
}
