package io.frameloom.samples.clip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.compute.BracketMatch;
import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.Main;
import io.frameloom.samples.SteeringName;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ClipCommandTest {
    private static final Path PICTURE = Path.of("src/test/resources/io/frameloom/samples/clip/clips.svg");

    private static final String BEGIN = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'>\n";

    @TempDir
    private Path folder;

    /** What was not looked at by the last {@link #draws}. */
    private final List<String> told = new ArrayList<>();

    private record Run(int code, String out, String err) {}

    private Run clip(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("sample", "clip"));
        for (Object argument : arguments) {
            all.add(argument.toString());
        }
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
        return new Run(code, out.toString(), err.toString());
    }

    private Run clipOn(String device, Path file) {
        return clip(file, "--device", device, "--out", folder.resolve("new/clip.png"));
    }

    private Path svg(String text) throws IOException {
        return Files.writeString(folder.resolve("picture.svg"), text);
    }

    @Test
    void theProcessorDrawsWhatTheDeviceDraws() throws IOException {
        Path theirs = folder.resolve("device.png");
        Path ours = folder.resolve("cpu.png");
        String device = VulkanDevices.unavailableReason().isEmpty() ? "#0" : "virtual";
        Run expected = clip(PICTURE, "--device", device, "--out", theirs);
        Run actual = clip(PICTURE, "--device", "cpu", "--out", ours);
        assertThat(actual.code).isEqualTo(expected.code).isZero();
        assertThat(actual.err).isEqualTo(expected.err);
        assertThat(actual.out).contains("(cpu)").startsWith(expected.out.substring(0, expected.out.indexOf('(')));
        assertThat(ours).hasSameBinaryContentAs(theirs);
    }

    @Test
    void theBoxesOfThePicture() throws UsageException {
        assertThat(draws(PICTURE))
                .containsExactly(
                        "0,0,400,300 within 0",
                        "20,20,150,120 within 1",
                        "130,70,220,100 within 2",
                        "140,100,230,130 within 3",
                        "460,390,230,170 within 3",
                        "220,180,260,220 within 1",
                        "305,35,355,65 within 1",
                        "200,100,260,160 within 2",
                        "20,196,260,204 within 1");
    }

    /** A path of a path of a path, in the coordinates of what it clips, whatever refers to that. */
    @Test
    void clipPathsThatAreClippedThemselves() throws IOException, UsageException {
        Path chains =
                svg("<s:svg xmlns:s='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink' width='200'"
                        + " height='100'><s:defs>"
                        + "<s:clipPath id='a' clip-path='url(#b)'><s:rect x='10' y='10' width='60' height='60'/></s:clipPath>"
                        + "<s:clipPath id='b' style='fill:red; clip-path: url(\"#c\")'><s:rect width='50' height='80'/></s:clipPath>"
                        + "<s:clipPath id='c'><s:rect y='20' width='90' height='20'/></s:clipPath>"
                        + "<s:clipPath id='half' clipPathUnits='objectBoundingBox' clip-path='url(#c)'>"
                        + "<s:rect width='0.5' height='1'/></s:clipPath></s:defs>"
                        + "<s:rect width='100' height='100' clip-path='url(#c)'/>"
                        + "<s:rect id='r' width='100' height='100' transform='translate(100 5)' style='clip-path:url(#a)'/>"
                        + "<s:g clip-path='url(#a)'><s:circle cx='50' cy='50' r='50'/></s:g>"
                        + "<s:use x:href='#r' x='-100'/>"
                        + "<s:rect x='20' width='40' height='90' clip-path='url(#half)'/></s:svg>");
        assertThat(draws(chains))
                .containsExactly(
                        "0,20,90,40 within 1",
                        "110,25,150,45 within 3",
                        "10,20,50,40 within 3",
                        "10,25,50,45 within 3",
                        "20,20,40,40 within 2");
    }

    @Test
    void aClipPathThatClipsItselfIsSaidOnOneLine() throws IOException {
        Run run = clipOn(
                "cpu",
                svg("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
                        + "<clipPath id='a' clip-path='url(#b)'/><clipPath id='b' clip-path='url(#a)'/>\n"
                        + "<rect width='5' height='5' clip-path='url(#a)'/></svg>"));
        assertThat(run.code).isEqualTo(2);
        assertThat(run.err)
                .contains("picture.svg:2:", "clip path 'a' clips itself")
                .hasLineCount(1);
    }

    /** Returns a picture of a rectangle in as many clip paths, each clipped by the next. */
    private static String chain(int length) {
        StringBuilder text = new StringBuilder(BEGIN);
        for (int i = 0; i < length; i++) {
            text.append("<clipPath id='c" + i + "' clip-path='url(#c" + (i + 1) + ")'><rect width='" + (80 - i % 7)
                    + "' height='90'/></clipPath>\n");
        }
        return text + "<clipPath id='c" + length + "'><rect width='70' height='60'/></clipPath>\n"
                + "<rect width='100' height='100' clip-path='url(#c0)'/></svg>";
    }

    @Test
    void chainsAreOfSomeLength() throws IOException, UsageException {
        assertThat(draws(svg(chain(ClipChains.LONGEST)))).containsExactly("0,0,70,60 within 101");
        Run longer = clipOn("cpu", svg(chain(ClipChains.LONGEST + 1)));
        assertThat(longer.code).isEqualTo(2);
        assertThat(longer.err)
                .contains("picture.svg:104:", "around clip path 'c0' there are more than 100 others")
                .hasLineCount(1);
    }

    /** The place of a use is a part of its transform, and so of its clip path's coordinates. */
    @Test
    void clipPathsOfUses() throws IOException, UsageException {
        String uses = "<clipPath id='a' clip-path='url(#b)'><rect width='40' height='40'/></clipPath>"
                + "<clipPath id='b'><rect y='10' width='90' height='10'/></clipPath>"
                + "<defs><rect id='r' width='60' height='60'/></defs>";
        assertThat(draws(svg(BEGIN + uses + "<use href='#r' x='50' y='5' clip-path='url(#a)'/>"
                        + "<use href='#r' x='100px' transform='translate(1 2)' clip-path='url(#b)'/>"
                        + "<use href='#r' x='20'/></svg>")))
                .containsExactly("50,15,90,25 within 2", "101,12,161,22 within 1", "20,0,80,60 within 0");
        assertThat(told).isEmpty();
        // Only this, and no chain.
        assertThat(draws(svg(BEGIN + "<clipPath id='a'><rect width='40' height='40'/></clipPath><defs>"
                        + "<rect id='r' width='60' height='60'/></defs>"
                        + "<use href='#r' x='50' y='5' clip-path='url(#a)'/></svg>")))
                .containsExactly("50,5,90,45 within 1");
        draws(svg(BEGIN + uses + "<use href='#r' x='5%' clip-path='url(#b)'/></svg>"));
        assertThat(told).singleElement().asString().startsWith("2: ").contains("'use'", "no length");
    }

    /** What is clipped stands in groups, but what takes its shape takes that alone. */
    @Test
    void shapesOfClipPathsThatAreClippedElsewhere() throws IOException, UsageException {
        assertThat(draws(svg(BEGIN + "<clipPath id='a' clip-path='url(#b)'><rect width='40' height='40'/></clipPath>"
                        + "<clipPath id='b'><rect y='10' width='90' height='10'/></clipPath>"
                        + "<rect id='r' width='60' height='50' clip-path='url(#a)'/>"
                        + "<clipPath id='q'><use href='#r'/></clipPath>"
                        + "<rect width='200' height='100' clip-path='url(#q)'/></svg>")))
                .containsExactly("0,10,40,20 within 2", "0,0,60,50 within 1");
    }

    /** Fonts differ, so that a text leaves something must do. */
    @Test
    void textsInClipPaths() throws IOException, UsageException {
        String text =
                "<clipPath id='a'><text x='20' y='50' font-size='30'>a<tspan fill='none'>b</tspan></text></clipPath>";
        List<String> draws = draws(svg(BEGIN + text + "<rect width='200' height='100' clip-path='url(#a)'/></svg>"));
        assertThat(draws).singleElement().asString().matches("2\\d,\\d\\d,[3-6]\\d,5\\d within 1");
        assertThat(told).isEmpty();
        draws(svg(BEGIN + "<svg><clipPath id='a'><text><textPath href='#p'>a</textPath></text>\n"
                + "<rect width='5%' height='5'/></clipPath></svg></svg>"));
        assertThat(told)
                .containsExactly(
                        "2: this part of clip path 'a' is text on a path, which is not looked at",
                        "3: this part of clip path 'a' has percentages, which are taken of the whole picture");
    }

    @Test
    void whatIsNotLookedAtIsTold() throws IOException {
        Run run = clipOn(
                "cpu",
                svg(BEGIN + "<clipPath id='a' transform='scale(2)' clipPathUnits='objectBoundingBox'>"
                        + "<rect width='10' height='10'/></clipPath>\n"
                        + "<clipPath id='b'><rect width='9' height='9' style='clip-path:url(#a)'/></clipPath>\n"
                        + "<switch><rect width='5' height='5'/></switch>\n"
                        + "<rect width='5' height='5' clip-path='url(#nowhere)'/>\n"
                        + "<rect width='5' height='5' clip-path='circle(3px)'/>\n"
                        + "<style>#b { clip-path: url(#a) }</style>\n"
                        + "<rect width='6' height='5' clip-path='url(#a)' style='clip-path: none'/></svg>"));
        assertThat(run.code).isZero();
        assertThat(run.out).startsWith("3 draws").hasLineCount(1);
        assertThat(run.err.lines().map(line -> line.substring(line.indexOf(".svg:") + 5)))
                .containsExactly(
                        "2: clip path 'a' has a transform, which is not looked at, since its units are those of a"
                                + " bounding box",
                        "3: this part of clip path 'b' is clipped: it is taken whole",
                        "4: nothing of this 'switch' is drawn",
                        "6: the clip path circle(3px) is not looked at: it is none of this picture",
                        "5: there is no clip path 'nowhere': it clips nothing",
                        "7: clip paths, their parts and clipped uses do not look at this style sheet for clip-path");
        assertThat(run.err.lines()).allMatch(line -> line.startsWith("frameloom sample clip: "));
        Run image = clipOn("cpu", svg(BEGIN + "<image width='9' height='9' href='data:,'/></svg>"));
        assertThat(image.err).endsWith(":2: nothing of this 'image' is drawn\n").hasLineCount(1);
        Run many = clipOn("cpu", svg(BEGIN + "<switch/>\n".repeat(25) + "</svg>"));
        assertThat(many.err).hasLineCount(21).endsWith(".svg: and 5 more of this kind\n");
    }

    /** The outline of such a path takes the JDK minutes. */
    @Test
    @Timeout(20)
    void pathsThatCrossThemselvesTooOftenAreRefused() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            points.append(random.nextDouble() * 90).append(' ');
        }
        Run run = clipOn(
                "cpu",
                svg(BEGIN + "<clipPath id='tangle'><polygon points='" + points + "'/></clipPath>"
                        + "<rect width='9' height='9' clip-path='url(#tangle)'/></svg>"));
        assertThat(run.code).isEqualTo(2);
        assertThat(run.err)
                .contains("cannot be drawn: a part of clip path 'tangle' ", "crosses itself more than 20000 times")
                .hasLineCount(1);
    }

    private List<String> draws(Path picture) throws UsageException {
        told.clear();
        ClipScene scene = SvgScene.read(picture, told::add);
        ClipFrame.Result result;
        try (TaskGraph tasks = TaskGraph.builder().name("clip").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = VirtualDevice.open(
                    new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "clip test", false, null))) {
                result = ClipFrame.compute(device, tasks, scene);
            }
        }
        List<String> draws = new ArrayList<>();
        int depth = 0;
        for (int e = 0; e < scene.length(); e++) {
            int operation = scene.operation(e);
            depth += operation == ClipBoxes.BEGIN ? 1 : operation == ClipBoxes.END ? -1 : 0;
            assertThat(depth).isNotNegative();
            if (operation == ClipBoxes.DRAW) {
                float[] box = Arrays.copyOfRange(result.boxes(), 4 * e, 4 * e + 4);
                draws.add(rounded(box) + " within " + ancestors(result.links(), e));
            }
        }
        assertThat(depth).isZero();
        return draws;
    }

    private static String rounded(float[] box) {
        return Math.round(box[0]) + "," + Math.round(box[1]) + "," + Math.round(box[2]) + "," + Math.round(box[3]);
    }

    private static int ancestors(int[] links, int element) {
        int count = 0;
        for (int at = links[element]; at != BracketMatch.NONE; at = links[at]) {
            count++;
        }
        return count;
    }

    @Test
    void thePng() throws IOException {
        Run run = clipOn("virtual", PICTURE);
        assertThat(run.err).isEmpty();
        assertThat(run.code).isZero();
        Path png = folder.resolve("new/clip.png");
        assertThat(run.out)
                .contains("9 draws, 1 of them clipped away, in 7 clips nested 3 deep", "drawn in " + png)
                .hasLineCount(1);
        BufferedImage picture = ImageIO.read(png.toFile());
        assertThat(picture.getWidth()).isEqualTo(1024);
        assertThat(picture.getHeight()).isEqualTo(768);
        // Behind the window nothing of the red rectangle is left: the ground, as in the corner.
        assertThat(picture.getRGB(26, 100)).isEqualTo(picture.getRGB(26, 700));
        assertThat(picture.getRGB(100, 100)).isNotEqualTo(picture.getRGB(26, 100));
    }

    @Test
    void aDriverGivesTheSamePicture() throws IOException {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        assertThat(clipOn("virtual", PICTURE).code).isZero();
        Path other = folder.resolve("driver.png");
        Run run = clip(PICTURE, "--out", other);
        assertThat(run.err).isEmpty();
        assertThat(other).hasSameBinaryContentAs(folder.resolve("new/clip.png"));
    }

    @Test
    void nothingToDraw() throws IOException {
        Run run = clipOn("cpu", svg("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='20'/>"));
        assertThat(run.code).isZero();
        assertThat(run.out).startsWith("0 draws");
    }

    @Test
    void nothingButTheFileIsRead() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "<rect width='5' height='5'/>");
        Path image = folder.resolve("image.png");
        ImageIO.write(new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB), "png", image.toFile());
        Run entity = clipOn(
                "cpu",
                svg("<!DOCTYPE svg [<!ENTITY secret SYSTEM '" + secret.toUri() + "'>]>\n"
                        + "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='20'>&secret;</svg>"));
        assertThat(entity.out).doesNotContain("1 draws");
        assertThat(entity.err).hasLineCount(entity.code == 0 ? 0 : 1);
        Run other = clipOn(
                "cpu",
                svg("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='20'>"
                        + "<image width='4' height='4' href='" + image.toUri() + "'/></svg>"));
        assertThat(other.code).isZero();
        assertThat(other.out).startsWith("0 draws");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no xml",
                "<svg",
                "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>",
                "<html/>",
                "<svg xmlns='http://www.w3.org/2000/svg' width='0' height='10'/>",
                "<svg xmlns='http://www.w3.org/2000/svg' width='1e30' height='10'/>"
            })
    void whatIsNoPictureIsSaidOnOneLine(String text) throws IOException {
        Run run = clipOn("cpu", svg(text));
        assertThat(run.code).isEqualTo(2);
        assertThat(run.out).isEmpty();
        assertThat(run.err)
                .startsWith("frameloom sample clip: ")
                .contains("picture.svg")
                .hasLineCount(1);
        assertThat(folder.resolve("new")).doesNotExist();
    }

    @Test
    void whatJsvgRefusesIsSaidOnOneLine() throws IOException {
        String begin = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>";
        Run cycle = clipOn("cpu", svg(begin + "<g id='a'><use href='#a'/></g></svg>"));
        assertThat(cycle.code).isEqualTo(2);
        assertThat(cycle.err).contains("cannot be drawn: ", "'a'").hasLineCount(1);
        Run deep = clipOn("cpu", svg(begin + "<g>".repeat(250) + "</g>".repeat(250) + "</svg>"));
        assertThat(deep.code).isEqualTo(2);
        assertThat(deep.err).contains("cannot be drawn: ", "depth").hasLineCount(1);
        assertThat(clipOn(
                                "cpu",
                                svg(begin + "<g>".repeat(150) + "<rect width='1' height='1'/>".repeat(3000)
                                        + "</g>".repeat(150) + "</svg>"))
                        .out)
                .startsWith("3000 draws");
    }

    @Test
    void namesDoNotSteerTheTerminal() throws IOException {
        String name = SteeringName.RAW;
        String shown = folder + "/" + SteeringName.SHOWN;
        Path picture = Files.writeString(
                folder.resolve(name + ".svg"), BEGIN + "<switch><rect width='9' height='9'/></switch></svg>");
        Run drawn = clip(picture, "--device", "cpu", "--out", folder.resolve(name + ".png"));
        assertThat(drawn.code).isZero();
        assertThat(drawn.out).endsWith("; drawn in " + shown + ".png\n");
        assertThat(drawn.err).startsWith("frameloom sample clip: " + shown + ".svg:2: ");
        assertThat(clip(folder.resolve(name)).err).isEqualTo("frameloom sample clip: there is no " + shown + "\n");
        Run refused = clip(picture, "--device", "cpu", "--out", picture.resolve("in"));
        assertThat(refused.err).contains("frameloom sample clip: cannot write " + shown + ".svg/in: ");
        assertThat(List.of(drawn.out, drawn.err, refused.err)).allMatch(SteeringName::isAbsentFrom);
    }

    @Test
    void badInput() {
        assertThat(clip().code).isEqualTo(2);
        assertThat(clipOn("cpu", Path.of("/none.svg")).err).isEqualTo("frameloom sample clip: there is no /none.svg\n");
        assertThat(clipOn("cpu", folder).err).contains("no regular file").hasLineCount(1);
        Run folderGiven = clip(PICTURE, "--device", "virtual", "--out", folder);
        assertThat(folderGiven.code).isEqualTo(2);
        assertThat(folderGiven.err).contains("cannot write " + folder).hasLineCount(1);
    }
}
