package io.frameloom.stress.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the virtual GPU: drivers here compute on the CPU. */
class GpuCrashTest {
    @Test
    void theReportNamesThePassAndLiesInAFolder(@TempDir Path dir) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(GpuCrashMain.run("virtual", dir, new PrintStream(out, true, StandardCharsets.UTF_8)))
                .isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("pass 'before': ended", "pass 'wild store': begun, not ended", "pass 'after': not begun")
                .endsWith("the report names the pass\n");
        try (Stream<Path> folders = Files.list(dir)) {
            List<Path> made = folders.toList();
            assertThat(made).hasSize(1);
            assertThat(made.get(0).resolve("device-lost.json")).isNotEmptyFile();
        }
    }
}
