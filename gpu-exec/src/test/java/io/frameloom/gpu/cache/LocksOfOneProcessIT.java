package io.frameloom.gpu.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.CacheProcess.Numbered;
import io.frameloom.gpu.cache.disk.NativeFiles;
import io.frameloom.gpu.cache.disk.StoreFiles;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several users of one folder in one process, of which each lets go of the lock only for itself; another process tells who
 * has it.
 */
@Timeout(120)
class LocksOfOneProcessIT {
    private final Process[] others = new Process[1];

    @TempDir
    private Path root;

    private Path folder = Path.of("");
    private final TaskGraph graph =
            TaskGraph.builder().name("parent").workers(1).build();

    @BeforeEach
    void fill() throws IOException {
        folder = root.resolve("cache");
        try (ProgramCache cache = open(new NativeFiles())) {
            cache.obtain(Numbered.key(1), new Numbered(1));
        }
        others[0] = CacheProcess.start("ask", folder);
    }

    @AfterEach
    void close() {
        others[0].destroyForcibly();
        graph.close();
    }

    private ProgramCache open(StoreFiles files) {
        return ProgramCache.open(ProgramCacheOptions.in(folder), graph, files);
    }

    /** Asks the other process; it answers as long as the test runs. */
    private final class Other implements AutoCloseable {
        private final BufferedWriter questions = others[0].outputWriter();
        private final BufferedReader answers = others[0].inputReader();

        String lock() throws IOException {
            questions.write("?\n");
            questions.flush();
            return answers.readLine();
        }

        @Override
        public void close() throws IOException {
            questions.close();
            answers.close();
        }
    }

    /** Starts work and returns when it has ended or waits for somebody. */
    private static <T> FutureTask<T> startUntilItWaits(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.start();
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        return task;
    }

    private interface User {
        void use() throws Exception;
    }

    /** Has somebody use the folder while a cache of this process has the lock: it keeps it. */
    private void whileACachePublishes(User user) throws Exception {
        CountDownLatch publishing = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        NativeFiles files = new NativeFiles();
        StoreFiles slow = (StoreFiles) Proxy.newProxyInstance(
                StoreFiles.class.getClassLoader(), new Class<?>[] {StoreFiles.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("move")
                            && arguments[1].toString().endsWith(".program")) {
                        publishing.countDown();
                        end.await();
                    }
                    try {
                        return method.invoke(files, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (Other other = new Other();
                ProgramCache cache = open(slow)) {
            FutureTask<Boolean> used;
            try {
                cache.obtain(Numbered.key(2), new Numbered(2));
                publishing.await();
                assertThat(other.lock()).isEqualTo("taken");
                used = startUntilItWaits(() -> {
                    user.use();
                    return true;
                });
                assertThat(other.lock()).isEqualTo("taken");
            } finally {
                end.countDown();
            }
            assertThat(used.get()).isTrue();
            cache.flush();
            assertThat(other.lock()).isEqualTo("free");
        }
    }

    @Test
    void closingAnotherCache() throws Exception {
        ProgramCache another = open(new NativeFiles());
        whileACachePublishes(another::close);
    }

    @Test
    void clearing() throws Exception {
        whileACachePublishes(CacheFolder.of(folder)::clear);
        assertThat(CacheFolder.of(folder).contents().problems()).isEmpty();
    }

    @Test
    void importing() throws Exception {
        Path bundle = root.resolve("bundle");
        CacheFolder.of(folder).exportTo(bundle);
        whileACachePublishes(() -> CacheFolder.of(folder).importFrom(bundle));
        assertThat(CacheFolder.of(folder).contents().programs()).isEqualTo(2);
    }

    @Test
    void reading() throws Exception {
        whileACachePublishes(
                () -> assertThat(CacheFolder.of(folder).contents().problems()).isEmpty());
    }

    @Test
    void closingAnInterruptedOne() throws Exception {
        ProgramCache another = open(new NativeFiles());
        whileACachePublishes(() -> {
            Thread.currentThread().interrupt();
            another.close();
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    /** The other process has opened the file that is then deleted; it has to ask for the one that is there. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aFileThatSomebodyDeletesIsNoLockAnyMore() throws Exception {
        try (Other other = new Other()) {
            assertThat(other.lock()).isEqualTo("free");
            Files.delete(folder.resolve("lock"));
            try (StoreFiles.SharedCounter counter = new NativeFiles().openCounter(folder.resolve("lock"))) {
                assertThat(counter.tryAcquire()).isTrue();
                assertThat(other.lock()).isEqualTo("taken");
                counter.release();
                assertThat(other.lock()).isEqualTo("free");
            }
        }
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aFolderThatSomebodyDeletesIsNoReasonToFail() throws Exception {
        try (ProgramCache cache = open(new NativeFiles())) {
            afterTidying();
            List<Path> all;
            try (Stream<Path> files = Files.walk(folder)) {
                all = files.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : all) {
                Files.delete(file);
            }
            for (int number = 1; number < 4; number++) {
                assertThat(cache.obtain(Numbered.key(number), new Numbered(number)))
                        .isEqualTo(Numbered.bytes(number));
            }
            cache.flush();
        }
    }

    /** A cache that was opened removes what is empty, in the background: waits until the only worker is through with it. */
    private void afterTidying() {
        graph.task("after tidying", () -> {})
                .on(WorkerLevel.BACKGROUND)
                .dispatch()
                .await();
    }

    /** Several copies of the library may be in one process, and know nothing of each other. */
    @Test
    void closingOneOfAnotherClassLoader() throws Exception {
        URL classes = NativeFiles.class.getProtectionDomain().getCodeSource().getLocation();
        // Not below the platform's class loader, which knows the modules of the test.
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes}, null);
                Other other = new Other();
                StoreFiles.SharedCounter counter = new NativeFiles().openCounter(folder.resolve("lock"))) {
            Class<?> copy = loader.loadClass(NativeFiles.class.getName());
            assertThat(copy).isNotSameAs(NativeFiles.class);
            Object another = copy.getMethod("openCounter", Path.class)
                    .invoke(copy.getConstructor().newInstance(), folder.resolve("lock"));
            Method close =
                    loader.loadClass(StoreFiles.SharedCounter.class.getName()).getMethod("close");
            assertThat(counter.tryAcquire()).isTrue();
            FutureTask<Object> closed = startUntilItWaits(() -> {
                close.invoke(another);
                return another;
            });
            assertThat(other.lock()).isEqualTo("taken");
            counter.release();
            closed.get();
            assertThat(other.lock()).isEqualTo("free");
        }
    }
}
