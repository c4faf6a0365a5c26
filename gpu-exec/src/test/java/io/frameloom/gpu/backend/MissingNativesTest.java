package io.frameloom.gpu.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.probe.NativesProbe;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.testing.ChildProcess;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs with and without LWJGL's native libraries, on the module path as README says and on the class path. */
class MissingNativesTest {
    private static final String MODULES =
            "org.lwjgl.natives,org.lwjgl.shaderc.natives,org.lwjgl.spvc.natives,org.lwjgl.vma.natives";

    /** LWJGL finds there what another program has unpacked. */
    @TempDir
    private Path unpacked;

    private static List<String> parts(Predicate<String> wanted) {
        return Stream.of("java.class.path", "jdk.module.path")
                .flatMap(property -> Stream.of(System.getProperty(property, "").split(File.pathSeparator)))
                .map(part -> Path.of(part).toAbsolutePath().toString())
                .filter(wanted)
                .distinct()
                .toList();
    }

    private static String path(Predicate<String> native_) {
        List<String> path = new ArrayList<>(parts(part -> part.contains("lwjgl")
                ? !part.contains("natives") || native_.test(part)
                : Stream.of("taskgraph", "jctools", "agrona").anyMatch(part::contains)));
        path.add(Path.of("target", "classes").toString());
        return String.join(File.pathSeparator, path);
    }

    private List<String> run(String device, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-Dorg.lwjgl.system.SharedLibraryExtractPath=" + unpacked);
        command.addAll(List.of(options));
        command.addAll(List.of(NativesProbe.class.getName(), device));
        return ChildProcess.run(new ProcessBuilder(command), Duration.ofSeconds(100))
                .successfully();
    }

    private List<String> onModulePath(String device, String natives, Predicate<String> there) throws Exception {
        String modules = Stream.of("io.frameloom.gpu", natives)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.joining(","));
        return run(
                device,
                "-p",
                path(there),
                "--add-modules",
                modules,
                "-cp",
                Path.of("target", "test-classes").toString());
    }

    @Test
    void theModulesThatReadmeNamesAreAll() throws Exception {
        assertThat(onModulePath("auto", MODULES, part -> true)).contains("a pipeline was made");
    }

    @Test
    void modulesThatNobodyNamesAreToldWithTheFlag() throws Exception {
        assertThat(onModulePath("auto", "", part -> true))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("reason=" + System.mapLibraryName("lwjgl") + " of the module org.lwjgl cannot")
                        .doesNotContain("Vulkan loader"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("refused=" + System.mapLibraryName("lwjgl") + " of the module org.lwjgl cannot")
                        .endsWith("on the module path, and start Java with --add-modules " + MODULES));
    }

    @ParameterizedTest
    @CsvSource({"lwjgl-shaderc, shaderc, virtual", "lwjgl-spvc, spirv-cross, virtual", "lwjgl-vma, lwjgl_vma, auto"})
    void eachMissingLibraryIsNamed(String artifact, String library, String device) throws Exception {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(device.equals("virtual") || reason.isEmpty(), reason);
        String path = path(part -> !part.contains(artifact)) + File.pathSeparator + Path.of("target", "test-classes");
        assertThat(run(device, "-cp", path))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("refused=" + System.mapLibraryName(library) + " of the module org."
                                + artifact.replace('-', '.') + " cannot be loaded")
                        .contains("the jar org.lwjgl:" + artifact + " with the classifier")
                        .endsWith("on the class path"));
    }

    /** Without the jar there is no class either; on the module path Java itself says so. */
    @ParameterizedTest
    @CsvSource({"lwjgl-shaderc, virtual", "lwjgl-spvc, virtual", "lwjgl-vma, auto"})
    void eachMissingJarIsNamed(String artifact, String device) throws Exception {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(device.equals("virtual") || reason.isEmpty(), reason);
        String path = Stream.of(path(part -> true).split(File.pathSeparator))
                .filter(part -> !part.contains(artifact))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(run(device, "-cp", path + File.pathSeparator + Path.of("target", "test-classes")))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("refused=the module org." + artifact.replace('-', '.') + " is missing")
                        .endsWith("put the jar org.lwjgl:" + artifact + " on the class path"));
    }
}
