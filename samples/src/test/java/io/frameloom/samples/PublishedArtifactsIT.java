package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.testing.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What is published, staged as a repository, is what every build tool can read, and brings all that a program needs. */
@Timeout(600)
class PublishedArtifactsIT {
    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final List<String> MODULES = List.of("taskgraph", "gpu-exec", "gpu-compute", "rdg", "rdg-tools");
    private static final String[] PLATFORMS = {
        "natives-linux", "natives-linux-arm64", "natives-windows", "natives-macos", "natives-macos-arm64"
    };

    @TempDir
    private Path dir;

    private static Path pom(String module) {
        return Path.of("..", module, "target", ".flattened-pom.xml");
    }

    private static Path jar(String module) {
        return Path.of("..", module, "target", "frameloom-" + module + "-" + VERSION + ".jar");
    }

    private record Dependency(String artifact, String version, String classifier, String scope) {
        static Dependency of(Element element) {
            return new Dependency(
                    text(element, "groupId") + ":" + text(element, "artifactId"),
                    text(element, "version"),
                    text(element, "classifier"),
                    text(element, "scope"));
        }

        private static String text(Element element, String name) {
            NodeList found = element.getElementsByTagName(name);
            return found.getLength() == 0 ? "" : found.item(0).getTextContent();
        }
    }

    private static List<Dependency> dependencies(String module) throws Exception {
        Document pom = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom(module).toFile());
        assertThat(pom.getElementsByTagName("parent").getLength()).isZero();
        assertThat(pom.getElementsByTagName("profile").getLength()).isZero();
        NodeList elements = pom.getElementsByTagName("dependency");
        List<Dependency> dependencies = new ArrayList<>();
        for (int i = 0; i < elements.getLength(); i++) {
            dependencies.add(Dependency.of((Element) elements.item(i)));
        }
        return dependencies;
    }

    private static List<String> modules() {
        return MODULES;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void pomNeedsNoOtherToBeRead(String module) throws Exception {
        assertThat(pom(module)).content().doesNotContain("${");
        assertThat(dependencies(module)).isNotEmpty().allSatisfy(dependency -> {
            assertThat(dependency.artifact()).matches("[\\w.-]+:[\\w.-]+");
            assertThat(dependency.version()).matches("[0-9][\\w.-]*");
            assertThat(dependency.scope()).isIn("compile", "runtime", "provided");
        });
    }

    @Test
    void nativesOfEveryPlatformComeAlong() throws Exception {
        List<Dependency> dependencies = dependencies("gpu-exec");
        for (String library : List.of("lwjgl", "lwjgl-shaderc", "lwjgl-spvc", "lwjgl-vma")) {
            assertThat(natives(dependencies, library)).as(library).containsExactly(PLATFORMS);
        }
        assertThat(natives(dependencies, "lwjgl-vulkan")).containsExactly("natives-macos", "natives-macos-arm64");
    }

    private static Stream<String> natives(List<Dependency> dependencies, String library) {
        return dependencies.stream()
                .filter(dependency -> dependency.artifact().equals("org.lwjgl:" + library)
                        && dependency.scope().equals("runtime"))
                .map(Dependency::classifier);
    }

    @Test
    @Tag("thorough")
    void gradleRunsTheFirstProgram() throws Exception {
        assumeTrue(isOnPath("gradle"), "gradle is not there");
        for (String module : MODULES) {
            Path version = Files.createDirectories(
                    dir.resolve("repository/io/frameloom/frameloom-" + module).resolve(VERSION));
            Files.copy(jar(module), version.resolve("frameloom-" + module + "-" + VERSION + ".jar"));
            Files.copy(pom(module), version.resolve("frameloom-" + module + "-" + VERSION + ".pom"));
        }
        Path sources = Files.createDirectories(dir.resolve("src/main/java"));
        Files.writeString(sources.resolve("First.java"), ReadmeProgramTest.source("First"));
        Files.writeString(dir.resolve("settings.gradle"), "rootProject.name = 'consumer'\n");
        // The libraries of others are where Maven has put them.
        Files.writeString(dir.resolve("build.gradle"), """
                apply plugin: 'java'
                repositories {
                    maven { url 'repository' }
                    mavenLocal()
                    mavenCentral()
                }
                dependencies {
                    implementation 'io.frameloom:frameloom-rdg:%s'
                }
                task printClassPath(dependsOn: classes) {
                    doLast {
                        println sourceSets.main.runtimeClasspath.asPath
                    }
                }
                """.formatted(VERSION));
        List<String> printed =
                run("gradle", "--no-daemon", "--quiet", "--gradle-user-home", dir + "/gradle", "printClassPath");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assertThat(run(java, "-cp", printed.get(printed.size() - 1), "First")).contains("red of the first texel: 255");
    }

    private List<String> run(String... command) throws Exception {
        ProcessBuilder program = new ProcessBuilder(command).directory(dir.toFile());
        return ChildProcess.run(program, Duration.ofMinutes(4)).successfully();
    }

    private static boolean isOnPath(String program) {
        for (String folder : System.getenv("PATH").split(":", -1)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }
}
