package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.frameloom.gpu.Capability;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.SteeringName;
import io.frameloom.samples.gltf.MovingModel;
import io.frameloom.samples.gltf.TestModel;
import io.frameloom.testing.ChromeTrace;
import io.frameloom.testing.TestEffort;
import java.awt.image.BufferedImage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs of the demo: on the virtual GPU everywhere, and with pixels where there is a Vulkan driver. */
@Timeout(600)
final class DemoTest {
    @TempDir
    private Path root;

    @TempDir
    private Path models;

    private JsonNode json(String file) throws Exception {
        return new ObjectMapper().readTree(root.resolve("out").resolve(file).toFile());
    }

    /** Runs the demo with its city, which takes seconds to generate. */
    private ProgramRun city(String... more) {
        String[] fixed = {"demo", "--out", root.resolve("out").toString(), "--validate"};
        return ProgramRun.of(Stream.concat(Stream.of(fixed), Stream.of(more)).toArray(String[]::new));
    }

    /** Runs the demo with a small model, which has the same passes. */
    private ProgramRun model(String... more) throws Exception {
        Path file = Files.write(models.resolve("model.glb"), TestModel.bytes());
        String[] fixed = {"--model", file.toString()};
        return city(Stream.concat(Stream.of(fixed), Stream.of(more)).toArray(String[]::new));
    }

    private Set<String> files() throws Exception {
        try (Stream<Path> files = Files.walk(root)) {
            return new HashSet<>(files.filter(Files::isRegularFile)
                    .map(path -> root.relativize(path).toString())
                    .toList());
        }
    }

    private static void checkSuccess(ProgramRun run) {
        checkSuccess(run, 5);
    }

    private static void checkSuccess(ProgramRun run, int lines) {
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out().lines()).hasSize(lines);
    }

    private void checkSummary(int frames, String size, boolean picture) throws Exception {
        JsonNode summary = json("summary.json");
        assertThat(summary.get("device").asText()).isNotEmpty();
        assertThat(summary.get("driver").asText()).isNotEmpty();
        assertThat(summary.get("frames").asInt()).isEqualTo(frames);
        assertThat(summary.get("size").asText()).isEqualTo(size);
        for (String field : new String[] {"game", "render", "record", "submit"}) {
            assertThat(summary.get("medianCpuMs").get(field).asDouble())
                    .as(field)
                    .isPositive();
        }
        assertThat(summary.get("medianGpuMs").asDouble()).isPositive();
        assertThat(summary.get("lastFrameGpuMs").asDouble()).isPositive();
        assertThat(summary.get("lastFrameCriticalMs").asDouble()).isPositive();
        assertThat(summary.get("lastFrameSerialMs").asDouble()).isPositive();
        assertThat(summary.get("framesPerSecond").asDouble()).isPositive();
        assertThat(summary.get("tasksPerFrame").asDouble()).isGreaterThan(10);
        assertThat(summary.get("passes").asInt()).isGreaterThan(15);
        assertThat(summary.get("culledPasses").asInt()).isEqualTo(1);
        assertThat(summary.get("barriers").asInt()).isGreaterThan(15);
        assertThat(summary.get("heapBytes").asLong()).isPositive();
        assertThat(summary.get("validationMessages").asInt()).isZero();
        assertThat(summary.get("droppedSpans").asLong()).isZero();
        assertThat(summary.get("hazards").asInt()).isZero();
        assertThat(summary.get("waits").isInt()).isTrue();
        assertThat(summary.get("picture").asText()).contains(picture ? "frame.png" : "no picture was rendered");
    }

    private void checkTrace() throws Exception {
        ChromeTrace trace = ChromeTrace.of(Files.readString(root.resolve("out/trace.json")));
        assertThat(trace.spans())
                .extracting(ChromeTrace.Span::name)
                .contains("build frame 1", "lighting", "tone mapping", "ambient occlusion", "simulate", "compile");
        assertThat(trace.spans()).extracting(ChromeTrace.Span::process).contains("CPU", "Frames", "GPU");
        assertThat(trace.markers()).contains("frame 0", "frame 1");
        assertThat(trace.counters()).containsKeys("GPU/memory", "GPU/transient memory");
        List<String> arrows =
                trace.arrows().stream().map(ChromeTrace.Arrow::names).toList();
        assertThat(arrows).anyMatch(names -> names.matches("record .* -> submit frame 1 .*"));
        assertThat(arrows).anyMatch(names -> names.endsWith(" -> frame 1 completed"));
    }

    /** A frame has one number in its tasks, in its passes on the device, in the report and in the summary. */
    private void checkFrameNumbers(int frames) throws Exception {
        Map<String, Set<Integer>> numbers = new HashMap<>();
        Pattern task = Pattern.compile("(build frame|frame) (\\d+)(| completed)");
        for (JsonNode event : json("trace.json").get("traceEvents")) {
            Matcher named = task.matcher(event.get("name").asText());
            if (event.get("ph").asText().equals("X") && named.matches()) {
                numbers.computeIfAbsent(named.group(1) + named.group(3), kind -> new TreeSet<>())
                        .add(Integer.valueOf(named.group(2)));
            }
            JsonNode onDevice = event.path("args").path("frame");
            if (onDevice.isNumber() && event.path("cat").asText().equals("GPU")) {
                numbers.computeIfAbsent("on the device", kind -> new TreeSet<>())
                        .add(onDevice.asInt());
            }
        }
        Set<Integer> all = IntStream.range(0, frames).boxed().collect(Collectors.toSet());
        assertThat(numbers)
                .containsOnlyKeys("build frame", "frame", "frame completed", "on the device")
                .allSatisfy((kind, found) -> assertThat(found).as(kind).isEqualTo(all));
        int last = frames - 1;
        assertThat(json("summary.json").get("lastFrame").asInt()).isEqualTo(last);
        Document report = Jsoup.parse(Files.readString(root.resolve("out/report.html")));
        assertThat(report.title()).startsWith("frame " + last + " ");
        assertThat(report.text()).contains("Frame " + last + ", on ").doesNotContainIgnoringCase("frame " + frames);
    }

    private void checkGraph() throws Exception {
        String graph = Files.readString(root.resolve("out/graph.json"));
        assertThat(json("graph.json").isObject()).isTrue();
        assertThat(graph).contains("shadow map 0", "debug view", "bloom down", "temporal history");
    }

    private void checkReport(boolean picture) throws Exception {
        Document report = Jsoup.parse(Files.readString(root.resolve("out/report.html")));
        int passes = json("summary.json").get("passes").asInt();
        assertThat(report.select("#graph-svg .pass:not(.culled):not(.added)")).hasSizeGreaterThan(15);
        assertThat(report.select("#timeline-predicted .bar")).hasSize(passes);
        assertThat(report.select("#timeline-measured .bar")).hasSizeGreaterThan(15);
        assertThat(report.select("#texture-table td:contains(albedo)")).isNotEmpty();
        List<String> shown = report.select("tr:has(img) button").eachText();
        if (picture) {
            assertThat(shown).contains("picture", "depth", "shadow map", "g-buffer albedo", "radiance", "occlusion");
            assertThat(shown).hasSize(15).doesNotContain("debug view");
            assertThat(report.select("img").eachAttr("src")).allMatch(src -> src.startsWith("data:image/png;base64,"));
            assertThat(Files.size(root.resolve("out/report.html"))).isLessThan(2 << 20);
        } else {
            assertThat(shown).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "virtual:queues=1,seed=3", "virtual:queues=4,seed=9"})
    void runsOnTheVirtualGpuWithoutAPicture(String device) throws Exception {
        String[] options = {"--device", device, "--frames", "5", "--size", "64x36"};
        // Where there is a driver it renders the city.
        boolean shown = device.equals("virtual") && (TestEffort.isThorough() || !hasDriver());
        ProgramRun run = shown ? city(options) : model(options);
        checkSuccess(run);
        assertThat(run.out()).contains("no picture was rendered").contains("install a Vulkan driver");
        assertThat(files())
                .containsExactlyInAnyOrder("out/report.html", "out/trace.json", "out/graph.json", "out/summary.json");
        checkSummary(5, "64x36", false);
        assertThat(json("summary.json").get("reusedPlans").asInt())
                .as("all but the first, which has no history, and the one after it")
                .isEqualTo(3);
        assertThat(json("summary.json").get("waits").asInt() > 0)
                .as("ambient occlusion runs on another queue where there is one")
                .isEqualTo(!device.contains("queues=1"));
        assertThat(run.out()).contains(" MiB of transient memory").contains("GPU simulated, ");
        assertThat(json("summary.json").get("gpuTimes").asText()).isEqualTo("simulated, without a meaning");
        assertThat(Files.readString(root.resolve("out/report.html")))
                .contains("on Frameloom virtual GPU (its times are simulated and mean nothing), ");
        if (!shown) {
            assertThat(json("summary.json").get("scene").asText()).isEqualTo("model.glb");
            assertThat(json("summary.json").get("draws").asInt()).isEqualTo(4);
        }
        checkTrace();
        checkFrameNumbers(5);
        checkGraph();
        checkReport(false);
    }

    @Test
    void runsAsManyPassesBesideGraphicsAsItIsAskedTo() throws Exception {
        Map<String, Integer> beside = new HashMap<>();
        for (String mode : List.of("off", "tagged", "all")) {
            checkSuccess(model("--device", "virtual:queues=2", "--frames", "3", "--size", "64x36", "--async", mode));
            JsonNode summary = json("summary.json");
            assertThat(summary.get("async").asText()).isEqualTo(mode);
            assertThat(summary.get("framesPerSecond").asDouble()).isPositive();
            assertThat(summary.get("medianGpuMs").asDouble()).isPositive();
            beside.put(mode, summary.get("asyncPasses").asInt());
        }
        assertThat(beside).containsEntry("off", 0).containsEntry("tagged", 3);
        assertThat(beside.get("all")).isGreaterThan(8);
    }

    /** The virtual GPU runs in order here, since otherwise its clocks tell more of the order than of the passes. */
    @Test
    void decidesByMeasurementWhatRunsBesideGraphics() throws Exception {
        String device = "virtual:queues=2,order=in-order,cost=100000";
        ProgramRun run = model("--device", device, "--frames", "60", "--size", "64x36", "--async", "measured");
        checkSuccess(run, 6);
        assertThat(run.out()).contains("async    ambient occlusion, ambient occlusion blur x, ");
        JsonNode summary = json("summary.json");
        assertThat(summary.get("async").asText()).isEqualTo("measured");
        JsonNode regions = summary.get("asyncRegions");
        assertThat(regions).isNotEmpty();
        for (JsonNode region : regions) {
            assertThat(region.get("passes")).isNotEmpty();
            assertThat(region.get("serialMs").asDouble()).isPositive();
            assertThat(region.get("decision").asText()).contains("measured to save", "predicted");
            assertThat(region.has("measuredGainMs")).isTrue();
            assertThat(region.get("beside").asBoolean())
                    .isEqualTo(region.get("decision").asText().startsWith("beside graphics"));
        }
        assertThat(summary.get("reusedPlans").asInt()).isGreaterThan(50);
    }

    @Test
    void hasNothingToDecideOnOneQueue() throws Exception {
        ProgramRun run =
                model("--device", "virtual:queues=1", "--frames", "2", "--size", "17x31", "--async", "measured");
        checkSuccess(run, 6);
        assertThat(run.out())
                .contains("async    nothing to decide: no pass runs beside graphics, for want of a queue or of a tag");
        assertThat(json("summary.json").get("asyncRegions")).isEmpty();
    }

    /** The hazard checker looks on, also where the vertices are moved on another queue than they are drawn on. */
    @Test
    void movesVerticesBeforeTheyAreDrawn() throws Exception {
        byte[] moving = new MovingModel().bending(0, 90, 0, 1);
        String file = Files.write(models.resolve("moving.glb"), moving).toString();
        for (String device : List.of("virtual:queues=1", "virtual:queues=2")) {
            String[] options = {"--model", file, "--device", device, "--frames", "3", "--size", "64x36"};
            checkSuccess(city(Stream.concat(Stream.of(options), Stream.of("--async", "all"))
                    .toArray(String[]::new)));
            assertThat(json("graph.json").toString()).contains("\"deform\"", "\"deformed vertices\"");
            checkSuccess(city(Stream.concat(Stream.of(options), Stream.of("--animation", "none"))
                    .toArray(String[]::new)));
            assertThat(json("graph.json").toString()).doesNotContain("\"deform\"");
        }
    }

    @Test
    void namesDoNotSteerTheTerminal() throws Exception {
        String name = SteeringName.RAW;
        Path model = Files.write(root.resolve(name + ".glb"), TestModel.bytes());
        String folder = root.resolve(name).toString();
        ProgramRun run = ProgramRun.of(
                "demo",
                "--device",
                "virtual",
                "--frames",
                "1",
                "--size",
                "16x16",
                "--model",
                model.toString(),
                "--out",
                folder);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(" draws of " + SteeringName.SHOWN + ".glb, ")
                .contains("written  " + root + "/" + SteeringName.SHOWN + ": ");
        String absent = root.resolve(name + ".gltf").toString();
        ProgramRun missing = ProgramRun.of("demo", "--model", absent, "--out", folder);
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains(SteeringName.SHOWN + ".gltf");
        assertThat(List.of(run.out(), run.err(), missing.err())).allMatch(SteeringName::isAbsentFrom);
    }

    private static boolean hasDriver() {
        return VulkanDevices.list().stream().anyMatch(VulkanDeviceInfo::usable);
    }

    private static void assumeDriver() {
        assumeTrue(hasDriver(), "no usable Vulkan device: " + VulkanDevices.unavailableReason());
    }

    @Test
    void rendersTheCity() throws Exception {
        assumeDriver();
        checkSuccess(city("--frames", "2", "--size", "160x90"));
        assertThat(files())
                .containsExactlyInAnyOrder(
                        "out/frame.png", "out/report.html", "out/trace.json", "out/graph.json", "out/summary.json");
        checkSummary(2, "160x90", true);
        assertThat(json("summary.json").get("draws").asInt()).isGreaterThanOrEqualTo(2000);
        checkTrace();
        checkGraph();
        checkReport(true);
        BufferedImage picture = ImageIO.read(root.resolve("out/frame.png").toFile());
        assertThat(picture.getWidth()).isEqualTo(160);
        assertThat(picture.getHeight()).isEqualTo(90);
        double[] sky = mean(picture, 0, 0, 40, 12);
        double[] street = mean(picture, 60, 70, 40, 18);
        assertThat(sky[2]).as("the sky is blue").isGreaterThan(sky[1]);
        assertThat(brightness(sky)).isBetween(30.0, 250.0);
        assertThat(brightness(street)).isBetween(4.0, 160.0);
        assertThat(brightness(sky)).isGreaterThan(brightness(street) + 15);
        assertThat(colours(picture)).isGreaterThan(1500);
    }

    /** The pictures of both ways are compared texel by texel elsewhere, and in thorough runs here. */
    @Test
    @Tag("thorough")
    void rendersTheCityByMeshlets() throws Exception {
        assumeDriver();
        checkSuccess(city("--frames", "4", "--size", "160x90"));
        byte[] expected = Files.readAllBytes(root.resolve("out/frame.png"));
        ProgramRun run = city("--frames", "4", "--size", "160x90", "--meshlets");
        checkSuccess(run, 6);
        assertThat(Files.readAllBytes(root.resolve("out/frame.png"))).isEqualTo(expected);
        JsonNode meshlets = json("summary.json").get("lastFrameMeshlets");
        int sum = 0;
        for (String fate : List.of("outside", "facingAway", "occluded", "drawn")) {
            assertThat(meshlets.get(fate).asInt()).as(fate).isPositive();
            sum += meshlets.get(fate).asInt();
        }
        assertThat(meshlets.get("all").asInt()).isEqualTo(sum);
        Document report = Jsoup.parse(Files.readString(root.resolve("out/report.html")));
        String fact = report.select("dt:contains(meshlets) + dd").text();
        assertThat(fact)
                .startsWith(sum + ", ")
                .contains(meshlets.get("triangles").asInt() + " triangles");
        assertThat(meshlets.get("shaders").asText()).isEqualTo("vertex");
        assertThat(run.out())
                .contains("meshlets " + fact + ", GPU ")
                .contains(", " + meshlets.get("drawn").asInt() + " meshlets of procedural city, ");
        assertThat(json("summary.json").has("draws")).isFalse();
        ProgramRun simulated = city("--frames", "3", "--size", "64x36", "--meshlets", "mesh", "--device", "virtual");
        checkSuccess(simulated);
        assertThat(simulated.out()).contains(", meshlets of procedural city, ");
        assertThat(json("summary.json").has("lastFrameMeshlets")).isFalse();
    }

    @Test
    void refusesMeshShadersWhereNoDeviceHasThem() {
        assumeDriver();
        assumeTrue(
                VulkanDevices.list().stream()
                        .noneMatch(device -> device.capabilities().contains(Capability.MESH_SHADERS)),
                "a device has MESH_SHADERS");
        ProgramRun run = city("--meshlets", "mesh");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .startsWith("frameloom demo: --meshlets mesh: ")
                .contains("lacks MESH_SHADERS")
                .endsWith("; --meshlets vertex needs no mesh shaders");
    }

    @Test
    void listsTexturesAndCapturesOnTheVirtualGpu() throws Exception {
        ProgramRun run = model(
                "--device", "virtual", "--frames", "2", "--size", "64x36", "--list-textures", "--capture", "radiance");
        assertThat(run.err().lines()).singleElement().asString().contains("captures show no picture");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .containsPattern("depth +64x36 +D32_SFLOAT +[0-9.]+ KiB +heap 0 at [0-9]+ +@1")
                .containsPattern("bloom down +32x18 mips=\\d +R16G16B16A16_SFLOAT")
                .contains("radiance@1.png");
        assertThat(files()).contains("out/radiance@1.png");
    }

    @Test
    void saysWhatCannotBeCaptured() throws Exception {
        for (String[] wrong : new String[][] {
            {"dept", "no such texture, the nearest are 'depth'"}, {"radiance@2", "only the versions @1 by 'lighting'"}
        }) {
            ProgramRun run = model("--device", "virtual", "--frames", "2", "--size", "64x36", "--capture", wrong[0]);
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err()).contains("--capture", wrong[1]).doesNotContain("Exception");
            assertThat(files()).isEmpty();
        }
    }

    @Test
    void rendersAModelWithItsTexturesAndWritesThoseOfTheFrame() throws Exception {
        assumeDriver();
        checkSuccess(model(
                "--frames", "4", "--size", "160x90", "--capture", "depth@1", "--capture", "bloom down@2:mip=1:as=pfm"));
        checkSummary(4, "160x90", true);
        assertThat(files()).contains("out/depth@1.png", "out/bloom down@2.mip1.pfm");
        BufferedImage depth = ImageIO.read(root.resolve("out/depth@1.png").toFile());
        assertThat(depth.getWidth()).isEqualTo(160);
        assertThat(colours(depth)).as("the range of the picture is used").isBetween(20, 256);
        byte[] bloom = Files.readAllBytes(root.resolve("out/bloom down@2.mip1.pfm"));
        assertThat(new String(bloom, 0, 9, StandardCharsets.US_ASCII)).isEqualTo("PF\n40 22\n");
        BufferedImage picture = ImageIO.read(root.resolve("out/frame.png").toFile());
        int orange = 0;
        int blue = 0;
        for (int y = 30; y < 80; y++) {
            for (int x = 0; x < 160; x++) {
                int rgb = picture.getRGB(x, y);
                int red = rgb >> 16 & 255;
                int green = rgb >> 8 & 255;
                int blueValue = rgb & 255;
                orange += red > 1.5 * blueValue && red > green ? 1 : 0;
                blue += blueValue > 1.3 * red ? 1 : 0;
            }
        }
        assertThat(orange).as("orange squares of the box").isGreaterThan(50);
        assertThat(blue).as("blue squares of the box").isGreaterThan(50);
        assertThat(colours(picture)).isGreaterThan(1000);
    }

    private static double[] mean(BufferedImage image, int x0, int y0, int width, int height) {
        double[] sum = new double[3];
        for (int y = y0; y < y0 + height; y++) {
            for (int x = x0; x < x0 + width; x++) {
                int rgb = image.getRGB(x, y);
                for (int c = 0; c < 3; c++) {
                    sum[c] += (double) (rgb >> (16 - 8 * c) & 255) / (width * height);
                }
            }
        }
        return sum;
    }

    private static double brightness(double[] rgb) {
        return (rgb[0] + rgb[1] + rgb[2]) / 3;
    }

    private static int colours(BufferedImage image) {
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                colours.add(image.getRGB(x, y));
            }
        }
        return colours.size();
    }
}
