package io.frameloom.gpu.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.SystemPropertyException;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The system properties of a cache, which override its options. */
@Timeout(60)
class ProgramCacheOptionsTest {
    private static final String PREFIX = "frameloom.cache.";

    @TempDir
    private Path folder;

    @AfterEach
    void clear() {
        ProgramCacheOptions.propertyNames().forEach(System::clearProperty);
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
        Path elsewhere = folder.resolve("elsewhere");
        System.setProperty("frameloom.cache.folder", elsewhere.toString());
        try (TaskGraph graph = TaskGraph.builder().name("cache").workers(1).build();
                ProgramCache cache = ProgramCache.open(ProgramCacheOptions.inMemory(), graph)) {
            cache.flush();
            assertThat(elsewhere.resolve("frameloom-cache")).exists();
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
