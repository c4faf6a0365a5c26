package io.frameloom.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.testing.ChildProcess;
import io.frameloom.testing.XServer;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lwjgl.glfw.GLFW;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.w3c.dom.Document;

/** The programs of docs/tutorial do what their pages say and draw the pictures that are shown there. */
@Timeout(90)
final class TutorialTest {
    private static final Path TUTORIAL = Path.of("..", "docs", "tutorial");
    private static final List<String> PROGRAMS = List.of("FirstWindow", "FirstTriangle", "Cubes", "Trails", "Field");
    private static final String SCREEN = "/** Where frames go";
    private static final int SAMPLES_PER_TEXEL = 3;

    /** What a driver may round otherwise, in levels of 255: of a sample, and of all of them on average. */
    private static final int NEAR = 24;

    private static final double MEAN = 1;

    /** The share of samples that may be farther away, as those at edges are. */
    private static final double FAR = 0.003;

    /** What a reader has: the artifacts that the page names and what they bring, and nothing of the tests. */
    private static String classPathOfReaders() {
        return Stream.of(RenderGraph.class, GpuDevice.class, TaskGraph.class, MemoryUtil.class, VK13.class, GLFW.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(location -> Path.of(URI.create(location.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String page(String program) throws IOException {
        try (Stream<Path> pages = Files.list(TUTORIAL)) {
            for (Path page : pages.sorted().toList()) {
                if (page.toString().endsWith(".md")) {
                    String text = Files.readString(page);
                    if (text.contains("public class " + program + " ")) {
                        return text;
                    }
                }
            }
        }
        throw new AssertionError("no page has the program " + program);
    }

    /** Collects what the validation layer and the hazard checker have to say. */
    private static final class Words extends Handler implements AutoCloseable {
        private static final List<String> PROPERTIES =
                List.of("frameloom.gpu.validation", "frameloom.gpu.hazardChecker");

        private final Logger logger = Logger.getLogger("io.frameloom.gpu");
        final List<String> said = Collections.synchronizedList(new ArrayList<>());

        Words() {
            PROPERTIES.forEach(property -> System.setProperty(property, "true"));
            setLevel(Level.INFO);
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord message) {
            if (isLoggable(message)) {
                said.add(message.getMessage() + " " + Arrays.toString(message.getParameters()));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            PROPERTIES.forEach(System::clearProperty);
        }
    }

    @ParameterizedTest
    @CsvSource({"FirstWindow,90", "FirstTriangle,1", "Cubes,90", "Trails,90", "Field,20"})
    void drawsThePictureOfItsPage(String program, String frames, @TempDir Path dir) throws Exception {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        DocumentedProgram.compile(program, dir, classPathOfReaders());
        Path file = dir.resolve("picture.png");
        Path trace = dir.resolve("trace.json");
        String printed;
        try (Words words = new Words()) {
            printed = DocumentedProgram.printed(
                    program, dir, "--picture", file.toString(), "--frames", frames, "--trace", trace.toString());
            assertThat(words.said).isEmpty();
        }
        assertThat(page(program)).contains("```\n" + printed.replace(System.lineSeparator(), "\n") + "```");
        if (program.equals("Field")) {
            assertThat(trace).content().contains("\"cubes in parts\"", "\"cull\"", "\"submit frame 0 graphics #");
        }
        assertAlike(program, file);
    }

    private static void assertAlike(String program, Path file) throws IOException {
        BufferedImage drawn = ImageIO.read(file.toFile());
        Path kept = Path.of("target", "tutorial", program + ".png");
        Files.createDirectories(kept.getParent());
        Files.write(kept, Files.readAllBytes(file));
        BufferedImage shown = ImageIO.read(
                TUTORIAL.resolve("pictures").resolve(program + ".png").toFile());
        assertThat(drawn.getWidth()).isEqualTo(shown.getWidth());
        assertThat(drawn.getHeight()).isEqualTo(shown.getHeight());
        long sum = 0;
        int far = 0;
        for (int y = 0; y < drawn.getHeight(); y++) {
            for (int x = 0; x < drawn.getWidth(); x++) {
                for (int shift = 0; shift < SAMPLES_PER_TEXEL * Byte.SIZE; shift += Byte.SIZE) {
                    int off = Math.abs((drawn.getRGB(x, y) >> shift & 0xff) - (shown.getRGB(x, y) >> shift & 0xff));
                    sum += off;
                    far += off > NEAR ? 1 : 0;
                }
            }
        }
        double samples = SAMPLES_PER_TEXEL * drawn.getWidth() * (double) drawn.getHeight();
        String way = "look at samples/" + kept + " and, if the picture is right, put it into docs/tutorial/pictures";
        assertThat(sum / samples).as("levels off on average; " + way).isLessThan(MEAN);
        assertThat(far / samples).as("share of samples far off; " + way).isLessThan(FAR);
    }

    /** As the page says to run it. */
    @Test
    void aWindowOpens(@TempDir Path dir) throws Exception {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        String source = DocumentedProgram.write("FirstWindow", dir).toString();
        try (XServer server = XServer.start()) {
            ProcessBuilder program =
                    DocumentedProgram.java(dir, System.getProperty("java.class.path"), source, "--frames", "5");
            program.environment().put("DISPLAY", server.display());
            program.environment().remove("WAYLAND_DISPLAY");
            // Without one Mesa writes a line about it.
            program.environment().putIfAbsent("XDG_RUNTIME_DIR", dir.toString());
            List<String> lines =
                    ChildProcess.run(program, Duration.ofSeconds(80)).successfully();
            assertThat(page("FirstWindow")).contains("```\n" + String.join("\n", lines) + "\n```");
        }
    }

    /** Readers skip it after the first step. */
    @Test
    void allStepsHaveTheSameScreen() throws IOException {
        List<String> screens = new ArrayList<>();
        for (String program : PROGRAMS) {
            String source = DocumentedProgram.source(program);
            screens.add(source.substring(source.indexOf(SCREEN)));
        }
        assertThat(screens).allMatch(screens.get(0)::equals);
    }

    /** The POM that the tutorial shows asks for what this build makes. */
    @Test
    void thePomHasTheVersionsOfThisBuild() throws Exception {
        String readme = Files.readString(TUTORIAL.resolve("README.md"));
        String pom = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL)
                .matcher(readme)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        Document shown = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(pom.getBytes(StandardCharsets.UTF_8)));
        String build = Files.readString(Path.of("..", "pom.xml"));
        assertThat(build)
                .contains("<lwjgl.version>" + text(shown, "lwjgl.version") + "</lwjgl.version>")
                .contains("<version>" + text(shown, "frameloom.version") + "</version>");
    }

    private static String text(Document document, String element) {
        return document.getElementsByTagName(element).item(0).getTextContent();
    }
}
