package io.frameloom.gpu.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.SystemPropertyException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hits that are compiled anew and compared, and the options and properties that say so. */
@Timeout(60)
class ProgramCacheAuditTest {
    private static final String PREFIX = "frameloom.cache.";

    private final CacheRig rig = new CacheRig();

    @AfterEach
    void close() {
        rig.close();
        ProgramCacheOptions.propertyNames().forEach(System::clearProperty);
    }

    @Test
    void oneOfSoManyHitsIsCompiledAgain() {
        try (ProgramCache cache =
                ProgramCache.open(ProgramCacheOptions.inMemory().withAuditEvery(3), rig.graph)) {
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
        try (ProgramCache cache = ProgramCache.open(ProgramCacheOptions.inMemory(), rig.graph)) {
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
        ProgramCache cache = rig.open();
        cache.obtain(key, new FakeProgram("wrong"));
        cache.flush();
        ProgramCache audited = rig.open(CacheRig.options().withAuditEvery(1));
        assertThat(audited.obtain(key, new FakeProgram("right"))).isEqualTo("built right");
        assertThat(audited.statistics().lookups().auditMismatches()).isEqualTo(1);
        audited.flush();
        assertThat(rig.open().obtain(key, new FakeProgram("never"))).isEqualTo("loaded right");
    }

    @Test
    void anAuditThatDoesNotCompileTakesWhatIsKept() {
        ProgramKey key = CacheRig.shader("a");
        try (ProgramCache cache =
                ProgramCache.open(ProgramCacheOptions.inMemory().withAuditEvery(1), rig.graph)) {
            cache.obtain(key, new FakeProgram("kept"));
            FakeProgram failing = new FakeProgram("").failing(() -> new IllegalStateException("out of memory"), false);
            assertThat(cache.obtain(key, failing)).isEqualTo("loaded kept");
            assertThatThrownBy(() -> cache.obtain(key, failing.refusing())).hasMessageContaining("out of memory");
        }
    }

    @Test
    void propertiesOverrideTheOptions() {
        System.setProperty("frameloom.cache.auditEvery", "2");
        System.setProperty("frameloom.cache.memoryBytes", " 77 ");
        System.setProperty("frameloom.cache.folder", "/somewhere/else");
        ProgramCacheOptions options = ProgramCacheOptions.in(Path.of("/here")).withSystemProperties();
        assertThat(options.auditEvery()).isEqualTo(2);
        assertThat(options.memoryBytes()).isEqualTo(77);
        assertThat(options.folder()).isEqualTo(Path.of("/somewhere/else"));
        assertThat(options.diskBytes()).isEqualTo(512L << 20);
        System.setProperty("frameloom.cache.folder", "");
        assertThat(options.withSystemProperties().folder()).isNull();
    }

    @Test
    void anOpenedCacheObeysThem() {
        System.setProperty("frameloom.cache.auditEvery", "1");
        try (ProgramCache cache = ProgramCache.open(ProgramCacheOptions.inMemory(), rig.graph)) {
            cache.obtain(CacheRig.shader("a"), new FakeProgram("x"));
            assertThat(cache.obtain(CacheRig.shader("a"), new FakeProgram("x"))).isEqualTo("built x");
        }
    }

    @Test
    void theNamesAreThoseOfTheOptions() {
        List<String> options = Arrays.stream(ProgramCacheOptions.class.getRecordComponents())
                .map(option -> PREFIX + option.getName())
                .toList();
        assertThat(ProgramCacheOptions.propertyNames()).containsExactlyInAnyOrderElementsOf(options);
    }

    @ParameterizedTest
    @CsvSource({"auditEvery,-1", "auditEvery,often", "memoryBytes,0", "diskBytes,1.5"})
    void aPropertyThatMakesNoSenseIsNamed(String name, String value) {
        System.setProperty(PREFIX + name, value);
        assertThatThrownBy(() -> ProgramCacheOptions.inMemory().withSystemProperties())
                .isInstanceOf(SystemPropertyException.class)
                .hasMessageContaining("system property " + PREFIX + name + " must be a whole number")
                .hasMessageContaining("got '" + value + "'");
    }
}
