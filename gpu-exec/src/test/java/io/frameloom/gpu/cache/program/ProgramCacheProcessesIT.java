package io.frameloom.gpu.cache.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.CacheFolder;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.ProgramCacheStatistics;
import io.frameloom.gpu.cache.program.CacheProcess.Numbered;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.TestEffort;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One folder and several real processes, which are killed or crash. */
@Timeout(600)
class ProgramCacheProcessesIT {
    private static final int PROCESSES = TestEffort.of(3, 8);
    private static final int ROUNDS = TestEffort.of(6, 120);
    /** {@code PowerCutTest} ends a process at every step, on a simulated disk. */
    private static final int STEPS_AT_A_TIME = TestEffort.of(6, 1);

    private final List<Process> started = new ArrayList<>();

    @TempDir
    private Path root;

    private TaskGraph graph = TaskGraph.builder().name("parent").workers(1).build();

    @BeforeEach
    void replaceGraph() {
        graph.close();
        graph = TaskGraph.builder().name("parent").workers(1).build();
    }

    @AfterEach
    void close() {
        started.forEach(Process::destroyForcibly);
        graph.close();
    }

    private Process start(Object... arguments) throws IOException {
        Process process = CacheProcess.start(arguments);
        started.add(process);
        return process;
    }

    private static int end(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0 && status != CacheProcess.KILLED && status != CacheProcess.CRASHED) {
            throw new AssertionError("status " + status + ": " + output);
        }
        return status;
    }

    private CachedPrograms open(Path folder) {
        return CachedPrograms.open(ProgramCacheOptions.in(folder), graph);
    }

    private static byte[] get(CachedPrograms cache, int number) {
        return cache.obtain(Numbered.key(number), new Numbered(number));
    }

    private void fill(Path folder, int programs) {
        try (CachedPrograms cache = open(folder)) {
            for (int i = 0; i < programs; i++) {
                get(cache, i);
            }
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static long programBytes(Path folder) throws IOException {
        long bytes = 0;
        for (Path file : files(folder)) {
            bytes += file.toString().endsWith(".program") ? Files.size(file) : 0;
        }
        return bytes;
    }

    @Test
    void killedAtAnyStepOfWriting() throws Exception {
        int step = 1 - STEPS_AT_A_TIME;
        int status = CacheProcess.KILLED;
        while (status == CacheProcess.KILLED) {
            step += STEPS_AT_A_TIME;
            Path folder = root.resolve("killed at " + step);
            fill(folder, 3);
            status = end(start("write", folder, step));
            try (CachedPrograms cache = open(folder)) {
                // Programs that were there are found, and everything is exact.
                for (int number : new int[] {0, 1, 2, 10, 11, 12}) {
                    assertThat(get(cache, number)).as("step %d", step).isEqualTo(Numbered.bytes(number));
                }
                ProgramCacheStatistics statistics = cache.statistics();
                assertThat(statistics.lookups().builds()).as("step %d", step).isLessThanOrEqualTo(4);
                assertThat(statistics.disk().damaged()).as("step %d", step).isEmpty();
            }
            assertThat(files(folder))
                    .as("step %d", step)
                    .noneMatch(file -> file.toString().endsWith(".tmp"));
            try (CachedPrograms cache = open(folder)) {
                for (int number : new int[] {0, 1, 2, 10, 11, 12}) {
                    get(cache, number);
                }
                assertThat(cache.statistics().lookups().builds())
                        .as("step %d", step)
                        .isZero();
            }
        }
        assertThat(step).isGreaterThan(15);
    }

    private Map<Integer, Integer> hammer(Path folder, long diskBytes) throws Exception {
        Path log = root.resolve("builds");
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            all.add(start("hammer", folder, i, diskBytes, log, ROUNDS));
        }
        for (Process process : all) {
            assertThat(end(process)).isZero();
        }
        Map<Integer, Integer> builds = new TreeMap<>();
        for (String line : Files.readAllLines(log)) {
            builds.merge(Integer.valueOf(line), 1, Integer::sum);
        }
        assertThat(CacheFolder.of(folder).contents().problems()).isEmpty();
        assertThat(files(folder)).noneMatch(file -> file.toString().endsWith(".tmp"));
        return builds;
    }

    @Test
    @Tag("thorough")
    void processesOfEightThreadsCompileEachProgramAtMostOnceEach() throws Exception {
        Path folder = root.resolve("cache");
        Map<Integer, Integer> builds = hammer(folder, 1L << 30);
        assertThat(builds).hasSize(CacheProcess.KEYS);
        assertThat(builds.values()).allMatch(times -> times <= PROCESSES);
    }

    @Test
    void processesOfEightThreadsReadExactlyWhileProgramsAreEvicted() throws Exception {
        Path folder = root.resolve("cache");
        long budget = 25_000;
        Map<Integer, Integer> builds = hammer(folder, budget);
        assertThat(builds.values().stream().mapToInt(Integer::intValue).sum()).isGreaterThan(CacheProcess.KEYS);
        // Each process may have written an eighth of the budget since the folder was last listed.
        assertThat(programBytes(folder)).isLessThanOrEqualTo(budget + PROCESSES * budget / 8);
    }

    private static int signal(Process process, String signal) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    @Test
    void aProgramThatCrashesItsProcessIsMadeAnewAndThenNotKept() throws Exception {
        Path folder = root.resolve("cache");
        fill(folder, 9);
        for (int crash = 1; crash <= 2; crash++) {
            assertThat(end(start("crash", folder))).isEqualTo(CacheProcess.CRASHED);
            try (CachedPrograms cache = open(folder)) {
                assertThat(cache.statistics().disk().crashes()).isEqualTo(1);
                for (int number = 0; number < 9; number++) {
                    assertThat(get(cache, number)).isEqualTo(Numbered.bytes(number));
                }
                assertThat(cache.statistics().lookups().builds()).isEqualTo(1);
            }
            try (CachedPrograms cache = open(folder)) {
                get(cache, 7);
                assertThat(cache.statistics().lookups().builds())
                        .as("after crash %d", crash)
                        .isEqualTo(crash == 1 ? 0 : 1);
            }
        }
        // A third process is never given it.
        assertThat(end(start("crash", folder))).isZero();
    }

    private void loadUntil(Path folder, String signal) throws Exception {
        Process process = start("load", folder);
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo("ready");
            if (!ignoresInterrupts() || !signal.equals("-INT")) {
                assertThat(signal(process, signal)).isZero();
            } else {
                process.destroy();
            }
            assertThat(process.waitFor(1, TimeUnit.MINUTES))
                    .as("ended by %s", signal)
                    .isTrue();
        }
    }

    /** Processes that a shell starts in the background ignore the signal of the interrupt key, and so do their children. */
    private static boolean ignoresInterrupts() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void anOrdinaryExitWhileADriverIsGivenAProgramIsNoCrash() throws Exception {
        Path folder = root.resolve("cache");
        fill(folder, 9);
        for (int time = 0; time < TestEffort.of(1, 2); time++) {
            assertThat(end(start("exit", folder))).isZero();
            loadUntil(folder, "-TERM");
            loadUntil(folder, "-INT");
        }
        try (CachedPrograms cache = open(folder)) {
            assertThat(get(cache, 7)).isEqualTo(Numbered.bytes(7));
            assertThat(cache.statistics().disk().crashes()).isZero();
            assertThat(cache.statistics().lookups().builds()).isZero();
        }
        // What kills it, does count.
        loadUntil(folder, "-KILL");
        try (CachedPrograms cache = open(folder)) {
            assertThat(cache.statistics().disk().crashes()).isEqualTo(1);
        }
    }
}
