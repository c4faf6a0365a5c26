package io.frameloom.gpu.cache.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.ProgramCacheStatistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hits that are compiled anew and compared. */
@Timeout(60)
class ProgramCacheAuditTest {
    private final CacheRig rig = new CacheRig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void oneOfSoManyHitsIsCompiledAgain() {
        try (CachedPrograms cache =
                CachedPrograms.open(ProgramCacheOptions.inMemory().withAuditEvery(3), rig.graph)) {
            FakeProgram program = new FakeProgram("same");
            cache.obtain(CacheRig.shader("a"), program);
            for (int i = 1; i <= 9; i++) {
                assertThat(cache.obtain(CacheRig.shader("a"), program))
                        .isEqualTo(i % 3 == 0 ? "built same" : "loaded same");
            }
            assertThat(program.builds.get()).isEqualTo(4);
            assertThat(program.loads.get()).isEqualTo(6);
            ProgramCacheStatistics.Lookups lookups = cache.statistics().lookups();
            assertThat(lookups.audits()).isEqualTo(3);
            assertThat(lookups.auditMismatches()).isZero();
            assertThat(lookups.memoryHits()).isEqualTo(9);
        }
    }

    @Test
    void withoutAuditsNoHitIsCompiled() {
        try (CachedPrograms cache = CachedPrograms.open(ProgramCacheOptions.inMemory(), rig.graph)) {
            FakeProgram program = new FakeProgram("same");
            for (int i = 0; i < 100; i++) {
                cache.obtain(CacheRig.shader("a"), program);
            }
            assertThat(program.builds.get()).isEqualTo(1);
            assertThat(cache.statistics().lookups().audits()).isZero();
        }
    }

    @Test
    void anotherProgramThanTheOneKeptIsCountedAndTakesItsPlaceInMemoryAndOnDisk() {
        ProgramKey key = CacheRig.shader("a");
        CachedPrograms cache = rig.open();
        cache.obtain(key, new FakeProgram("wrong"));
        cache.flush();
        CachedPrograms audited = rig.open(CacheRig.options().withAuditEvery(1));
        assertThat(audited.obtain(key, new FakeProgram("right"))).isEqualTo("built right");
        assertThat(audited.statistics().lookups().auditMismatches()).isEqualTo(1);
        audited.flush();
        assertThat(rig.open().obtain(key, new FakeProgram("never"))).isEqualTo("loaded right");
    }

    @Test
    void anAuditThatDoesNotCompileTakesWhatIsKept() {
        ProgramKey key = CacheRig.shader("a");
        try (CachedPrograms cache =
                CachedPrograms.open(ProgramCacheOptions.inMemory().withAuditEvery(1), rig.graph)) {
            cache.obtain(key, new FakeProgram("kept"));
            FakeProgram failing = new FakeProgram("").failing(() -> new IllegalStateException("out of memory"), false);
            assertThat(cache.obtain(key, failing)).isEqualTo("loaded kept");
            assertThatThrownBy(() -> cache.obtain(key, failing.refusing())).hasMessageContaining("out of memory");
        }
    }
}
