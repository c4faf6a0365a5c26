package io.frameloom.gpu.cache.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.CacheFolder;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thread that is interrupted uses real files like any other, and stays interrupted. */
@Timeout(60)
class CacheInterruptTest {
    private final CacheRig rig = new CacheRig();
    private final List<ProgramKey> keys = List.of(CacheRig.shader("vertex"), CacheRig.shader("fragment"));

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        rig.close();
    }

    private static <T> T interrupted(Supplier<T> action) {
        Thread.currentThread().interrupt();
        T result = action.get();
        assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
        return result;
    }

    private static String get(CachedPrograms cache, ProgramKey key) {
        return interrupted(() -> cache.obtain(key, new FakeProgram(key.label())));
    }

    private static void flush(CachedPrograms cache) {
        interrupted(() -> {
            cache.flush();
            return cache;
        });
    }

    private static void close(CachedPrograms cache) {
        interrupted(() -> {
            cache.close();
            return cache;
        });
    }

    @Test
    void aCacheIsMadeFilledAndFoundAgain() {
        ProgramCacheOptions options = ProgramCacheOptions.in(folder.resolve("programs"));
        CountDownLatch release = rig.holdWorker();
        try {
            CachedPrograms first = interrupted(() -> CachedPrograms.open(options, rig.graph));
            get(first, keys.get(0));
            flush(first);
            assertThat(first.statistics().disk().writes()).isEqualTo(1);
            get(first, keys.get(1));
            close(first);
            assertThat(first.statistics().disk().writes()).isEqualTo(2);
            assertThat(first.statistics().disk().failedWrites()).isZero();

            CachedPrograms second = interrupted(() -> CachedPrograms.open(options, rig.graph));
            List<String> loaded = new ArrayList<>();
            keys.forEach(key -> loaded.add(get(second, key)));
            close(second);
            assertThat(loaded).containsExactly("loaded vertex", "loaded fragment");
        } finally {
            release.countDown();
        }
    }

    @Test
    void aFolderIsListedMovedAndCleared() {
        Path programs = folder.resolve("programs");
        try (CachedPrograms cache = CachedPrograms.open(ProgramCacheOptions.in(programs), rig.graph)) {
            keys.forEach(key -> cache.obtain(key, new FakeProgram(key.label())));
        }
        Path bundle = folder.resolve("bundle");
        CacheFolder here = CacheFolder.of(programs);
        CacheFolder there = CacheFolder.of(folder.resolve("there"));
        assertThat(interrupted(here::contents).programs()).isEqualTo(2);
        assertThat(interrupted(() -> here.exportTo(bundle)).programs()).isEqualTo(2);
        assertThat(interrupted(() -> there.importFrom(bundle)).added()).isEqualTo(2);
        assertThat(interrupted(there::contents)).isEqualTo(here.contents());
        assertThat(interrupted(there::clear).programs()).isEqualTo(2);
        assertThat(there.contents().programs()).isZero();
    }
}
