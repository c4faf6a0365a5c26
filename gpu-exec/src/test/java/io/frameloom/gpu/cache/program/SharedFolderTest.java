package io.frameloom.gpu.cache.program;

import static io.frameloom.gpu.cache.program.CacheRig.known;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.disk.FileFacts;
import io.frameloom.gpu.cache.disk.FolderContents;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two caches on one folder: what one of them, or somebody else, deletes is nothing that the other believes in. */
@Timeout(60)
class SharedFolderTest {
    private final CacheRig rig = new CacheRig();
    private final ProgramKey vertex = CacheRig.shader("vertex");
    private final ProgramKey fragment = CacheRig.shader("fragment");
    private final ProgramKey program = CacheRig.pipeline("program", vertex, fragment);

    @AfterEach
    void close() {
        rig.close();
    }

    private static void get(CachedPrograms cache, ProgramKey key) {
        cache.obtain(key, new FakeProgram(key.label()));
        cache.flush();
    }

    private void clear() throws Exception {
        FolderContents.of(rig.disk.process(), CacheRig.ROOT).clear();
        assertThat(rig.programs()).isEmpty();
    }

    /** Opens a cache that keeps nothing in memory, and as much on disk as four shaders take. */
    private CachedPrograms open() {
        CachedPrograms cache = rig.open(CacheRig.options().withMemoryBytes(1).withDiskBytes(1_000));
        rig.settle();
        return cache;
    }

    @Test
    void whatAnotherCacheHasEvictedIsForgottenWhenTheFolderIsListed() {
        CachedPrograms first = open();
        get(first, program);
        get(first, CacheRig.shader("first"));
        CachedPrograms second = open();
        known(first, true, program, fragment);
        assertThat(first.references(fragment)).isEqualTo(1);
        get(second, CacheRig.shader("second"));
        get(second, CacheRig.shader("third"));
        assertThat(second.statistics().disk().evictions()).isEqualTo(1);

        get(first, CacheRig.shader("fourth"));
        get(first, CacheRig.shader("fifth"));
        assertThat(rig.programs()).hasSize(4);
        assertThat(first.statistics().disk().evictions()).as("its own").isEqualTo(1);
        known(first, false, program, fragment);
        assertThat(first.references(fragment)).isZero();
    }

    @Test
    void whatIsGoneIsForgottenByWhoeverLooksForIt() throws Exception {
        CachedPrograms cache = open();
        get(cache, program);
        known(cache, true, program, fragment);
        clear();
        FakeProgram broken = new FakeProgram("program").failing(() -> new IllegalStateException("no more"), false);
        assertThatThrownBy(() -> cache.obtain(program, broken)).hasMessage("no more");
        assertThat(broken.loads).hasValue(0);
        known(cache, false, program, fragment);
        assertThat(cache.references(fragment)).isZero();
        assertThat(cache.statistics().lookups().diskHits()).isZero();
    }

    @Test
    void whatIsGoneStaysKnownAsLongAsItIsInMemory() throws Exception {
        CachedPrograms cache = rig.open();
        rig.settle();
        get(cache, program);
        clear();
        cache.prepare(ProgramKind.PIPELINE, CacheRig.DEVICE);
        rig.settle();
        assertThat(cache.obtain(program, new FakeProgram("program"))).isEqualTo("loaded program");
        known(cache, true, program, fragment);
        assertThat(cache.references(fragment)).isEqualTo(1);
    }

    @Test
    void whatIsGoneStaysKnownAsLongAsItWaitsToBeWritten() {
        CachedPrograms cache = rig.open(CacheRig.options().withDiskBytes(500));
        get(cache, program);
        CachedPrograms other = open();
        for (int i = 0; i < 4; i++) {
            get(other, CacheRig.shader("number " + i));
        }
        assertThat(other.statistics().disk().evictions()).isEqualTo(1);
        CountDownLatch release = rig.holdWorker();
        cache.obtain(vertex, new FakeProgram("vertex"));
        cache.obtain(program, new FakeProgram("program").refusing());
        cache.trimMemory(0);
        cache.flush();
        release.countDown();
        assertThat(cache.statistics().disk().evictions()).isPositive();
        known(cache, true, program, fragment);
        assertThat(cache.references(fragment)).isEqualTo(1);
    }

    @Test
    void aDamagedProgramThatCannotBeMadeAnewIsForgotten() {
        CachedPrograms cache = open();
        get(cache, program);
        rig.programs().forEach(file -> rig.disk.plant(file, FileFacts.Kind.FILE, new byte[] {1}));
        FakeProgram broken = new FakeProgram("program").failing(() -> new IllegalStateException("no more"), false);
        assertThatThrownBy(() -> cache.obtain(program, broken)).hasMessage("no more");
        known(cache, false, program, fragment);
    }
}
