package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The published POMs are what every build tool can read, and bring all that a program needs. */
class PublishedArtifactsIT {
    private static final List<String> MODULES =
            List.of("taskgraph", "gpu-exec", "gpu-compute", "rdg", "rdg-tools", "overlay", "streaming");
    private static final String[] PLATFORMS = {
        "natives-linux", "natives-linux-arm64", "natives-windows", "natives-macos", "natives-macos-arm64"
    };

    private static Path pom(String module) {
        return Path.of("..", module, "target", ".flattened-pom.xml");
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
    void bomNamesEveryLibraryAndNothingElse() throws Exception {
        assertThat(pom("bom")).content().doesNotContain("${", "<properties>");
        assertThat(dependencies("bom"))
                .extracting(Dependency::artifact)
                .containsExactlyElementsOf(MODULES.stream()
                        .map(module -> "io.frameloom:frameloom-" + module)
                        .toList());
    }

    @Test
    void nativesOfEveryPlatformComeAlong() throws Exception {
        List<Dependency> dependencies = dependencies("gpu-exec");
        for (String library : List.of("lwjgl", "lwjgl-shaderc", "lwjgl-spvc", "lwjgl-vma")) {
            assertThat(natives(dependencies, library)).as(library).containsExactly(PLATFORMS);
        }
        assertThat(natives(dependencies("overlay"), "lwjgl-nuklear")).containsExactly(PLATFORMS);
        assertThat(natives(dependencies("streaming"), "lwjgl-ktx")).containsExactly(PLATFORMS);
        assertThat(natives(dependencies, "lwjgl-vulkan")).containsExactly("natives-macos", "natives-macos-arm64");
    }

    private static Stream<String> natives(List<Dependency> dependencies, String library) {
        return dependencies.stream()
                .filter(dependency -> dependency.artifact().equals("org.lwjgl:" + library)
                        && dependency.scope().equals("runtime"))
                .map(Dependency::classifier);
    }
}
