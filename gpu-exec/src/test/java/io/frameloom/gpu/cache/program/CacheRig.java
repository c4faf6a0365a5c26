package io.frameloom.gpu.cache.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.disk.SimulatedDisk;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.WorkerLevel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Caches on a simulated disk, with a task graph of one worker. */
final class CacheRig implements AutoCloseable {
    static final Path ROOT = Path.of("/home/cache");
    static final Compatibility DEVICE = new Compatibility(new CanonicalFields().text("device", "first"));

    final TaskGraph graph = TaskGraph.builder().name("cache").workers(1).build();
    final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
    /** What caches have written to the log. */
    final List<String> warnings = new CopyOnWriteArrayList<>();

    private final Deque<CachedPrograms> open = new ArrayDeque<>();

    static ProgramCacheOptions options() {
        return ProgramCacheOptions.in(ROOT);
    }

    static ProgramKey shader(String name) {
        return shader(name, DEVICE);
    }

    static ProgramKey shader(String name, Compatibility compatibility) {
        return new ProgramKey(ProgramKind.SHADER, name, compatibility, new CanonicalFields().text("source", name));
    }

    static ProgramKey pipeline(String name, ProgramKey... shaders) {
        CanonicalFields fields = new CanonicalFields().text("state", name);
        for (ProgramKey shader : shaders) {
            fields.bytes("shader", shader.digest().bytes());
        }
        return new ProgramKey(ProgramKind.PIPELINE, name, DEVICE, fields, shaders);
    }

    CachedPrograms memory(long bytes) {
        return remember(CachedPrograms.open(ProgramCacheOptions.inMemory().withMemoryBytes(bytes), graph));
    }

    CachedPrograms open() {
        return open(options());
    }

    /** Opens the cache as a process of its own. */
    CachedPrograms open(ProgramCacheOptions options) {
        return remember(CachedPrograms.open(options, graph, disk.process(), this::write, warnings::add));
    }

    /** Opens the cache as a process of its own, with a thread that writes. */
    CachedPrograms openWithThread() {
        return remember(CachedPrograms.open(options(), graph, disk.process()));
    }

    /** Writes on the worker of the task graph, so that a test knows when. */
    private void write(Runnable work) {
        try {
            graph.task("write", work::run).on(WorkerLevel.BACKGROUND).fireAndForget();
        } catch (TaskGraphClosedException e) {
            // Closing the cache writes what is left.
            return;
        }
    }

    private CachedPrograms remember(CachedPrograms cache) {
        open.push(cache);
        return cache;
    }

    /** Returns the files of all programs on disk. */
    List<Path> programs() {
        return disk.filesBelow(ROOT).stream()
                .filter(path -> path.toString().endsWith(".program"))
                .toList();
    }

    /** Keeps the only worker from its work until the latch is counted down. */
    CountDownLatch holdWorker() {
        CountDownLatch release = new CountDownLatch(1);
        graph.task("hold the worker", () -> release.await())
                .on(WorkerLevel.BACKGROUND)
                .dispatch();
        return release;
    }

    static String get(CachedPrograms cache, ProgramKey key) {
        return cache.obtain(key, new FakeProgram(key.label()));
    }

    static void known(CachedPrograms cache, boolean known, ProgramKey... keys) {
        for (ProgramKey key : keys) {
            assertThat(cache.isKnown(key)).as(key.toString()).isEqualTo(known);
        }
    }

    /** Waits until everything that was started in the background is done: the only worker takes it in order. */
    void settle() {
        GraphEvent last =
                graph.task("settle", () -> {}).on(WorkerLevel.BACKGROUND).dispatch();
        last.await();
    }

    @Override
    public void close() {
        try {
            open.forEach(CachedPrograms::close);
        } finally {
            graph.close();
        }
    }
}
