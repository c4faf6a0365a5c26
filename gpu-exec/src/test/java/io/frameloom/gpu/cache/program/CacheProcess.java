package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.ProgramCacheStatistics;
import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.disk.StoreFiles;
import io.frameloom.taskgraph.TaskGraph;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process that uses a cache, in a JVM of its own. */
final class CacheProcess {
    static final int WRONG = 3;
    static final int KILLED = 9;
    static final int CRASHED = 134;
    static final int THREADS = 8;
    static final int KEYS = 30;

    private CacheProcess() {}

    /** Starts a process. */
    static Process start(Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                String.join(
                        File.pathSeparator,
                        Stream.of(
                                        Path.of("target", "classes").toString(),
                                        Path.of("target", "test-classes").toString(),
                                        System.getProperty("jdk.module.path", ""),
                                        System.getProperty("java.class.path", ""))
                                .filter(path -> !path.isEmpty())
                                .toList()),
                CacheProcess.class.getName()));
        for (Object argument : arguments) {
            command.add(String.valueOf(argument));
        }
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** A program whose bytes follow from its number; notes in a file that it was made. */
    static final class Numbered implements ProgramDriver<byte[]> {
        private final int number;
        private final @Nullable Path buildLog;
        private final Runnable whileBuilding;
        private final Runnable whileLoading;

        Numbered(int number, @Nullable Path buildLog, Runnable whileBuilding, Runnable whileLoading) {
            this.number = number;
            this.buildLog = buildLog;
            this.whileBuilding = whileBuilding;
            this.whileLoading = whileLoading;
        }

        Numbered(int number) {
            this(number, null, () -> {}, () -> {});
        }

        static byte[] bytes(int number) {
            byte[] bytes = new byte[2_000 + number];
            new Random(number).nextBytes(bytes);
            return bytes;
        }

        static ProgramKey key(int number) {
            return new ProgramKey(
                    ProgramKind.PIPELINE,
                    "program " + number,
                    CacheRig.DEVICE,
                    new CanonicalFields().number("number", number));
        }

        @Override
        public byte @Nullable [] load(byte[] binary) {
            whileLoading.run();
            return binary;
        }

        @Override
        public Built<byte[]> build() {
            whileBuilding.run();
            Path log = buildLog;
            if (log != null) {
                try {
                    Files.writeString(log, number + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            byte[] bytes = bytes(number);
            return new Built<>(bytes, bytes);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "write" -> write(folder, Integer.parseInt(arguments[2]));
            case "hammer" ->
                hammer(
                        folder,
                        Integer.parseInt(arguments[2]),
                        Long.parseLong(arguments[3]),
                        Path.of(arguments[4]),
                        Integer.parseInt(arguments[5]));
            case "crash" -> crash(folder);
            case "load" -> load(folder);
            case "exit" -> exit(folder);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static TaskGraph graph() {
        return TaskGraph.builder().name("process").workers(1).build();
    }

    /** Compiles programs 10 to 12 and replaces program 1, and is killed at a step. */
    private static void write(Path folder, int step) {
        StoreFiles files = HaltingFiles.at(step, KILLED);
        try (TaskGraph graph = graph();
                CachedPrograms cache = CachedPrograms.open(ProgramCacheOptions.in(folder), graph, files)) {
            for (int number = 10; number < 13; number++) {
                cache.obtain(Numbered.key(number), new Numbered(number));
            }
            cache.obtain(Numbered.key(1), new Numbered(1, null, () -> {}, () -> {
                throw new IllegalStateException("refused");
            }));
            cache.flush();
        }
    }

    private static void hammer(Path folder, int seed, long diskBytes, Path buildLog, int rounds) throws Exception {
        ProgramCacheOptions options =
                ProgramCacheOptions.in(folder).withMemoryBytes(1).withDiskBytes(diskBytes);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try (TaskGraph graph = graph();
                CachedPrograms cache = CachedPrograms.open(options, graph)) {
            List<Future<Boolean>> threads = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(seed * 100L + thread);
                threads.add(pool.submit(() -> {
                    boolean exact = true;
                    for (int i = 0; i < rounds; i++) {
                        int number = random.nextInt(KEYS);
                        byte[] got =
                                cache.obtain(Numbered.key(number), new Numbered(number, buildLog, () -> {}, () -> {}));
                        exact &= Arrays.equals(got, Numbered.bytes(number));
                    }
                    return exact;
                }));
            }
            boolean exact = true;
            for (Future<Boolean> thread : threads) {
                exact &= thread.get();
            }
            cache.flush();
            ProgramCacheStatistics statistics = cache.statistics();
            System.out.println(statistics.lookups() + " " + statistics.disk());
            if (!exact || !statistics.disk().damaged().isEmpty()) {
                Runtime.getRuntime().halt(WRONG);
            }
        } finally {
            pool.shutdown();
        }
    }

    private static void sayAndWait() {
        System.out.println("ready");
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends as by a crash of the driver while it is given program 7. */
    private static void crash(Path folder) {
        try (TaskGraph graph = graph();
                CachedPrograms cache = CachedPrograms.open(ProgramCacheOptions.in(folder), graph)) {
            cache.obtain(
                    Numbered.key(7),
                    new Numbered(7, null, () -> {}, () -> Runtime.getRuntime().halt(CRASHED)));
        }
    }

    /** Gives a driver program 7, which never returns. */
    private static void load(Path folder) {
        try (TaskGraph graph = graph();
                CachedPrograms cache = CachedPrograms.open(ProgramCacheOptions.in(folder), graph)) {
            cache.obtain(Numbered.key(7), new Numbered(7, null, () -> {}, CacheProcess::sayAndWait));
        }
    }

    /** Exits while a driver is given program 7. */
    private static void exit(Path folder) {
        try (TaskGraph graph = graph();
                CachedPrograms cache = CachedPrograms.open(ProgramCacheOptions.in(folder), graph)) {
            cache.obtain(Numbered.key(7), new Numbered(7, null, () -> {}, () -> System.exit(0)));
        }
    }
}
