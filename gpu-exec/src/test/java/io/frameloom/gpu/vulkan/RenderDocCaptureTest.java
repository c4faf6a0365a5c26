package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.testing.ChildJvm;
import io.frameloom.testing.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** RenderDoc itself where it is installed; otherwise a library that answers as it does and says what it is asked. */
@EnabledOnOs(OS.LINUX)
final class RenderDocCaptureTest {
    /** RenderDoc's interface 1.0, as in renderdoc_app.h; LWJGL's own loading asks for 1.7, which this one refuses. */
    private static final String LIBRARY = """
            #include <stdint.h>
            #include <stdio.h>
            #include <string.h>

            static char prefix[4096] = "/tmp/unnamed";
            static char files[8][4200];
            static int count, capturing;
            static void *device;

            static void say(const char *line) { printf("%s\\n", line); fflush(stdout); }
            static void unused(void) { say("a function that nobody should call"); }
            static void name_files(const char *path) { strcpy(prefix, path); }
            static uint32_t captures(void) { return count; }
            static uint32_t capture(uint32_t i, char *name, uint32_t *length, uint64_t *time) {
                if (i >= count) return 0;
                if (length) *length = strlen(files[i]) + 1;
                if (name) strcpy(name, files[i]);
                return 1;
            }
            static void trigger(void) { say("trigger"); }
            static void start(void *pointer, void *window) {
                say(pointer && !window ? "start" : "start of nothing");
                device = pointer;
                capturing = 1;
            }
            static uint32_t is_capturing(void) { return capturing; }
            static uint32_t end(void *pointer, void *window) {
                say(pointer == device && !window ? "end" : "end of another");
                capturing = 0;
                snprintf(files[count], sizeof files[count], "%s_frame%d.rdc", prefix, count);
                FILE *file = fopen(files[count], "w");
                if (!file) return 0;
                fputs("capture", file);
                fclose(file);
                count++;
                return 1;
            }
            static void *functions[] = {
                unused, unused, unused, unused, unused, unused, unused, unused, unused, unused, unused,
                name_files, unused, captures, capture, trigger, unused, unused, unused, start, is_capturing, end};
            int RENDERDOC_GetAPI(int version, void **out) {
                if (version > 10600) return 0;
                *out = functions;
                return 1;
            }
            """;

    private static final String WAY_OUT = "start the program with RenderDoc, as renderdoccmd capture java ...";

    @Test
    void capturesWhatTheWorkSubmits(@TempDir Path dir) throws Exception {
        ValidatedDevice.assumeDriver();
        assertThat(run(library(dir), Map.of(), dir))
                .containsExactly(
                        "reason=",
                        "before=[]",
                        "start",
                        "inner=RenderDoc captures a frame already; begin the next when that has ended",
                        "end",
                        "file=" + dir.resolve("captures_frame0.rdc") + ", written",
                        "start",
                        "end",
                        "failed=of the work",
                        "files=2",
                        "trigger");
    }

    @Test
    void renderDocItselfWritesACapture(@TempDir Path dir) throws Exception {
        ValidatedDevice.assumeDriver();
        Optional<Path> library = Stream.of(
                        System.getenv().getOrDefault("LD_LIBRARY_PATH", "").split(Pattern.quote(File.pathSeparator)),
                        new String[] {"/usr/lib", "/usr/lib/x86_64-linux-gnu"})
                .flatMap(Stream::of)
                .map(folder -> Path.of(folder, "librenderdoc.so"))
                .filter(Files::exists)
                .findFirst();
        assumeTrue(library.isPresent(), "no RenderDoc (Debian, Ubuntu: apt install renderdoc)");
        List<String> lines = run(library.get(), Map.of("ENABLE_VULKAN_RENDERDOC_CAPTURE", "1"), dir);
        // Debian 12 has such a one.
        assumeTrue(
                !lines.contains("no device"), "this RenderDoc offers no device with Vulkan 1.3; install a newer one");
        assertThat(lines)
                .contains("reason=", "before=[]", "failed=of the work", "files=2")
                .anyMatch(line -> line.matches("file=\\Q" + dir.resolve("captures") + "\\E.*[.]rdc, written"));
    }

    /** As {@code renderdoccmd capture} starts programs: with the library loaded before all others. */
    private static List<String> run(Path library, Map<String, String> environment, Path dir) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("LD_PRELOAD", library.toString());
        return ChildJvm.run(ChildJvm.USUAL, all, RenderDocProgram.class, dir.resolve("captures"));
    }

    private static Path library(Path dir) throws Exception {
        Path source = Files.writeString(dir.resolve("renderdoc.c"), LIBRARY);
        Path library = dir.resolve("librenderdoc.so");
        ProcessBuilder compiler = new ProcessBuilder(
                "cc",
                "-shared",
                "-fPIC",
                "-w",
                "-Wl,-soname,librenderdoc.so",
                "-o",
                library.toString(),
                source.toString());
        try {
            ChildProcess.run(compiler, Duration.ofSeconds(60)).successfully();
        } catch (IOException absent) {
            assumeTrue(false, "no C compiler (Debian, Ubuntu: apt install gcc): " + absent.getMessage());
        }
        return library;
    }

    @Test
    void saysWhenTheProgramWasNotStartedWithRenderDoc() throws Exception {
        String reason = "RenderDoc is not in this process (no librenderdoc.so); " + WAY_OUT;
        assertThat(ChildJvm.run(RenderDocProgram.class, "unused"))
                .containsExactly("reason=" + reason, "open=" + reason);
    }

    @Test
    void saysWhenTheDependencyIsMissing() throws Exception {
        String path = Stream.of(
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", ""),
                        Path.of("target", "test-classes").toString())
                .flatMap(part -> Stream.of(part.split(Pattern.quote(File.pathSeparator))))
                .filter(part -> !part.isEmpty() && !part.contains("lwjgl-renderdoc"))
                .reduce((a, b) -> a + File.pathSeparator + b)
                .orElseThrow();
        ProcessBuilder program = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                path,
                RenderDocProgram.class.getName(),
                "unused");
        String reason = "org.lwjgl:lwjgl-renderdoc is not on the class path or module path; add that dependency, and "
                + WAY_OUT;
        assertThat(ChildProcess.run(program, ChildJvm.USUAL).successfully())
                .containsExactly("reason=" + reason, "open=" + reason);
    }
}
