package io.frameloom.samples.clip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.testing.Chromium;
import java.awt.Rectangle;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Small pictures, each of one thing that clip paths can be; their {@code desc} says what a browser leaves of them. */
final class BrowserClipsTest {
    private static final Path PICTURES = Path.of("src/test/resources/io/frameloom/samples/clip/browser");
    private static final int SIDE = 100;
    private static final int COLUMNS = 8;
    private static final Pattern LEFT = Pattern.compile("<desc>(\\d+),(\\d+),(\\d+),(\\d+)</desc>");

    /** Of these something is not looked at, so they say so and may leave something else. */
    private static final Set<String> NOTED = Set.of(
            "bounding-box-with-transform.svg",
            "clip-in-pattern.svg",
            "clipped-part-with-transform.svg",
            "clipped-part.svg",
            "clipped-view.svg",
            "inherit.svg",
            "missing.svg",
            "not-displayed-clip-path.svg",
            "part-of-a-language.svg",
            "sheet-display.svg");

    @TempDir
    private Path folder;

    static List<Path> pictures() throws IOException {
        try (Stream<Path> all = Files.list(PICTURES)) {
            return all.sorted().toList();
        }
    }

    private static Rectangle expected(Path picture) throws IOException {
        Matcher left = LEFT.matcher(Files.readString(picture));
        assertThat(left.find()).as("what is left of %s", picture).isTrue();
        int x = Integer.parseInt(left.group(1));
        int y = Integer.parseInt(left.group(2));
        return new Rectangle(x, y, Integer.parseInt(left.group(3)) - x, Integer.parseInt(left.group(4)) - y);
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void whatIsLeftOrWhatIsNotLookedAt(Path picture) throws IOException, UsageException {
        List<String> notes = new ArrayList<>();
        ClipScene scene = SvgScene.read(picture, notes::add);
        String name = picture.getFileName().toString();
        if (NOTED.contains(name)) {
            assertThat(notes).hasSize(1);
        } else {
            assertThat(left(scene)).isEqualTo(expected(picture));
            // A style sheet may be looked at in vain.
            assertThat(notes).hasSize(name.equals("quoted-url-in-sheet.svg") ? 1 : 0);
        }
    }

    /** Returns the bounds of what the clips leave of all draws, in whole pixels. */
    private static Rectangle left(ClipScene scene) {
        Deque<Rectangle2D> clips = new ArrayDeque<>(List.of(new Rectangle(SIDE, SIDE)));
        Rectangle2D all = new Rectangle2D.Double(0, 0, -1, -1);
        for (int e = 0; e < scene.length(); e++) {
            float[] box = scene.box(e);
            Rectangle2D own = new Rectangle2D.Double();
            if (box[0] < box[2] && box[1] < box[3]) {
                own.setFrameFromDiagonal(box[0], box[1], box[2], box[3]);
            }
            Rectangle2D cut = own.createIntersection(clips.element());
            if (scene.operation(e) == ClipBoxes.BEGIN) {
                clips.push(cut);
            } else if (scene.operation(e) == ClipBoxes.END) {
                clips.pop();
            } else if (!cut.isEmpty()) {
                all = all.isEmpty() ? cut : all.createUnion(cut);
            }
        }
        int x = (int) Math.round(all.getMinX());
        int y = (int) Math.round(all.getMinY());
        return new Rectangle(x, y, (int) Math.round(all.getMaxX()) - x, (int) Math.round(all.getMaxY()) - y);
    }

    /** The expectations are what a browser shows. */
    @Test
    @Tag("thorough")
    void aBrowserLeavesTheSame() throws IOException, InterruptedException {
        assumeTrue(Chromium.isInstalled(), "no Chromium on the path (Debian, Ubuntu: apt install chromium)");
        List<Path> pictures = pictures();
        StringBuilder page = new StringBuilder("<body style='margin:0'>");
        for (int i = 0; i < pictures.size(); i++) {
            page.append("<img style='position:absolute;left:" + i % COLUMNS * SIDE + "px;top:" + i / COLUMNS * SIDE
                    + "px' src='data:image/svg+xml;base64,"
                    + Base64.getEncoder().encodeToString(Files.readAllBytes(pictures.get(i))) + "'>");
        }
        // Beyond the pictures, for the headless browser leaves a strip at the bottom white.
        int height = (pictures.size() / COLUMNS + 3) * SIDE;
        BufferedImage shown = ImageIO.read(Chromium.in(folder)
                .picture(page.toString(), COLUMNS * SIDE, height)
                .toFile());
        Map<String, Rectangle> expected = new LinkedHashMap<>();
        Map<String, Rectangle> actual = new LinkedHashMap<>();
        for (int i = 0; i < pictures.size(); i++) {
            Path picture = pictures.get(i);
            expected.put(picture.getFileName().toString(), expected(picture));
            actual.put(
                    picture.getFileName().toString(),
                    dark(shown.getSubimage(i % COLUMNS * SIDE, i / COLUMNS * SIDE, SIDE, SIDE)));
        }
        assertThat(actual).containsExactlyEntriesOf(expected);
    }

    private static Rectangle dark(BufferedImage picture) {
        Rectangle all = new Rectangle(0, 0, -1, -1);
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                if ((picture.getRGB(x, y) & 0xFF) < 128) {
                    all.add(new Rectangle(x, y, 1, 1));
                }
            }
        }
        return all;
    }
}
