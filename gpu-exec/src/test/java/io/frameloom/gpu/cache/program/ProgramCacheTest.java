package io.frameloom.gpu.cache.program;

import static io.frameloom.gpu.cache.program.CacheRig.get;
import static io.frameloom.gpu.cache.program.CacheRig.known;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.gpu.cache.ProgramCacheStatistics;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What becomes of a program that is asked for. The cases are those of the tests that Chromium's design document "GPU
 * Program Caching" names, and those of a cache that several drivers use.
 */
@Timeout(60)
class ProgramCacheTest {
    private final CacheRig rig = new CacheRig();
    private final ProgramKey vertex = CacheRig.shader("vertex");
    private final ProgramKey fragment = CacheRig.shader("fragment");
    private final ProgramKey program = CacheRig.pipeline("program", vertex, fragment);

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aMissCompilesAndIsKnownAfterwards() {
        CachedPrograms cache = rig.memory(1000);
        known(cache, false, vertex);
        FakeProgram driver = new FakeProgram("v");
        assertThat(cache.obtain(vertex, driver)).isEqualTo("built v");
        known(cache, true, vertex);
        known(cache, false, fragment);
        assertThat(driver.builds).hasValue(1);
        assertThat(driver.loads).hasValue(0);
    }

    @Test
    void aHitGivesTheSameBytesAndCompilesNothing() {
        CachedPrograms cache = rig.memory(1000);
        get(cache, vertex);
        FakeProgram driver = new FakeProgram("another");
        assertThat(cache.obtain(CacheRig.shader("vertex"), driver)).isEqualTo("loaded vertex");
        assertThat(driver.builds).hasValue(0);
        assertThat(cache.statistics().lookups().memoryHits()).isEqualTo(1);
    }

    @Test
    void aFailureIsNeitherKnownNorKept() {
        CachedPrograms cache = rig.open();
        FakeProgram broken = new FakeProgram("v").failing(() -> new IllegalStateException("line 3"), false);
        for (int i = 1; i <= 2; i++) {
            assertThatThrownBy(() -> cache.obtain(vertex, broken)).hasMessage("line 3");
            assertThat(broken.builds).hasValue(i);
        }
        known(cache, false, vertex);
        cache.flush();
        assertThat(rig.programs()).isEmpty();
        assertThat(cache.statistics().lookups().failures()).isEqualTo(2);
        // The failure left nothing that stands in the way.
        assertThat(get(cache, vertex)).isEqualTo("built vertex");
    }

    @Test
    void aPermanentFailureIsRememberedInMemoryOnly() {
        CachedPrograms cache = rig.open();
        FakeProgram broken = new FakeProgram("v").failing(() -> new IllegalStateException("line 3"), true);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> cache.obtain(vertex, broken)).hasMessage("line 3");
        }
        assertThat(broken.builds).hasValue(1);
        assertThat(cache.statistics().lookups().knownFailures()).isEqualTo(2);
        known(cache, false, vertex);
        cache.close();
        assertThat(rig.programs()).isEmpty();
        assertThat(get(rig.open(), vertex)).isEqualTo("built vertex");
    }

    @Test
    void whoeverGetsAKnownFailureGetsAnExceptionOfItsOwn() {
        CachedPrograms cache = rig.memory(1000);
        FakeProgram broken = new FakeProgram("v").failing(() -> new IllegalStateException("line 3"), true);
        Set<Throwable> thrown = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 3; i++) {
            thrown.add(catchThrowable(() -> cache.obtain(vertex, broken)));
        }
        assertThat(broken.builds).hasValue(1);
        assertThat(thrown).hasSize(3).allSatisfy(failure -> assertThat(failure).hasMessage("line 3"));
    }

    @Test
    void aSharedShaderIsForgottenWithItsLastPipeline() {
        ProgramKey other = CacheRig.pipeline("other", vertex);
        CachedPrograms cache = rig.memory(100_000);
        get(cache, vertex);
        get(cache, program);
        get(cache, other);
        assertThat(cache.references(vertex)).isEqualTo(2);
        // The shader goes first, having been used least recently; the pipelines vouch for it.
        cache.trimMemory(cache.statistics().memory().bytes() - 1);
        known(cache, true, vertex, fragment, program, other);
        cache.trimMemory(cache.statistics().memory().bytes() - 1);
        known(cache, false, program, fragment);
        known(cache, true, vertex, other);
        cache.trimMemory(0);
        known(cache, false, vertex, other);
        assertThat(cache.statistics().memory().evictions()).isEqualTo(3);
    }

    @Test
    void aCacheIsNotTrimmedBelowNothing() {
        CachedPrograms cache = rig.memory(1000);
        assertThatThrownBy(() -> cache.trimMemory(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void aShaderThatIsKnownButEvictedIsCompiledAgainWhenItIsNeeded() {
        CachedPrograms cache = rig.memory(100_000);
        get(cache, vertex);
        get(cache, program);
        cache.trimMemory(cache.statistics().memory().bytes() - 1);
        known(cache, true, vertex);
        FakeProgram again = new FakeProgram("vertex");
        assertThat(cache.obtain(vertex, again)).isEqualTo("built vertex");
        assertThat(again.builds).hasValue(1);
    }

    @Test
    void aProgramWithoutBinaryIsMadeEveryTime() {
        CachedPrograms cache = rig.open();
        FakeProgram driver = new FakeProgram("v").withoutBinary();
        cache.obtain(vertex, driver);
        cache.obtain(vertex, driver);
        assertThat(driver.builds).hasValue(2);
        known(cache, false, vertex);
    }

    @Test
    void aRefusedBinaryIsMadeAnewAndReplaced() {
        CachedPrograms cache = rig.memory(1000);
        get(cache, program);
        FakeProgram picky = new FakeProgram("fresh").refusing();
        assertThat(cache.obtain(program, picky)).isEqualTo("built fresh");
        assertThat(get(cache, program)).isEqualTo("loaded fresh");
        FakeProgram throwing = new FakeProgram("fresher").failingToLoad(new IllegalStateException("VK_ERROR_UNKNOWN"));
        assertThat(cache.obtain(program, throwing)).isEqualTo("built fresher");
        assertThat(get(cache, program)).isEqualTo("loaded fresher");
        assertThat(cache.statistics().lookups().refusals()).isEqualTo(2);
    }

    @Test
    void whatADriverThrowsAtABinaryIsToldAlsoIfTheProgramIsMadeAnew() {
        CachedPrograms cache = rig.memory(1000);
        get(cache, program);
        cache.obtain(program, new FakeProgram("fresh").refusing());
        assertThat(cache.lastRefusal()).isNull();
        IllegalStateException thrown = new IllegalStateException("VK_ERROR_UNKNOWN");
        assertThat(cache.obtain(program, new FakeProgram("fresher").failingToLoad(thrown)))
                .isEqualTo("built fresher");
        assertThat(cache.lastRefusal()).isSameAs(thrown);
    }

    @Test
    void whoeverLearnsThatAProgramCannotBeMadeAnewLearnsWhatTheDriverThrewBefore() {
        for (CachedPrograms cache : List.of(rig.memory(1000), rig.open())) {
            get(cache, program);
            IllegalStateException thrown = new IllegalStateException("VK_ERROR_UNKNOWN");
            FakeProgram broken = new FakeProgram("p")
                    .failingToLoad(thrown)
                    .failing(() -> new IllegalStateException("VK_ERROR_OUT_OF_HOST_MEMORY"), false);
            assertThatThrownBy(() -> cache.obtain(program, broken))
                    .hasMessage("VK_ERROR_OUT_OF_HOST_MEMORY")
                    .hasSuppressedException(thrown);
        }
    }

    @Test
    void nothingCanBeAskedOfAClosedCache() {
        CachedPrograms cache = rig.memory(1000);
        cache.close();
        cache.close();
        assertThatThrownBy(() -> get(cache, vertex))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void statisticsCountSizesAndTimes() {
        CachedPrograms cache = rig.open();
        get(cache, vertex);
        get(cache, vertex);
        cache.flush();
        ProgramCacheStatistics statistics = cache.statistics();
        assertThat(statistics.lookups().builds()).isEqualTo(1);
        assertThat(statistics.times().memoryHit().count()).isEqualTo(1);
        assertThat(statistics.times().miss().count()).isEqualTo(1);
        assertThat(statistics.times().build().count()).isEqualTo(1);
        assertThat(statistics.memory().entryBytes().max())
                .isEqualTo(statistics.memory().bytes());
        assertThat(statistics.memory().bytesBefore().max()).isZero();
        assertThat(statistics.memory().bytesAfter().max())
                .isEqualTo(statistics.memory().bytes());
        assertThat(statistics.disk().writes()).isEqualTo(1);
        assertThat(statistics.disk().bytesAfter().max())
                .isEqualTo(statistics.disk().writtenBytes())
                .isGreaterThan("vertex".getBytes(StandardCharsets.UTF_8).length);
    }
}
