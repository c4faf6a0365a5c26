package io.frameloom.samples.clip;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.taskgraph.TaskGraph;
import java.awt.geom.Rectangle2D;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures painted in bands against the same painted pixel by pixel. */
final class ClipPictureTest {
    private static ClipScene scene(int elements, double width, double height, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ClipScene scene = new ClipScene(width, height);
        for (int i = 0; i < elements; i++) {
            Rectangle2D box = new Rectangle2D.Double(
                    width * random.nextDouble(-0.1, 1),
                    height * random.nextDouble(-0.1, 1),
                    width * random.nextDouble(random.nextInt(8) == 0 ? 1 : 0.05),
                    height * random.nextDouble(random.nextInt(8) == 0 ? 1 : 0.05));
            switch (random.nextInt(4)) {
                case 0 -> scene.begin(box);
                case 1 -> scene.end();
                default -> scene.draw(box);
            }
        }
        return scene;
    }

    private static List<Integer> painted(TaskGraph tasks, ClipScene scene, ClipFrame.Result result) {
        ClipPicture picture = ClipPicture.of(scene, result);
        List<Integer> rows = new ArrayList<>();
        picture.paint(tasks, rows::add);
        assertThat(rows).isSorted().endsWith(picture.height()).doesNotHaveDuplicates();
        PixelByPixel plain = new PixelByPixel(scene, picture.width(), picture.height());
        plain.paint(result);
        assertThat(picture.pixels()).isEqualTo(plain.pixels);
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void asPixelByPixel(int workers) {
        try (TaskGraph tasks =
                TaskGraph.builder().name("paint").workers(workers).build()) {
            for (int seed = 0; seed < 6; seed++) {
                ClipScene scene = scene(400, 300 + 100 * seed, 700, seed);
                painted(tasks, scene, ClipFrame.computeOnProcessor(tasks, scene));
            }
        }
    }

    /** A picture of one row, and boxes that are empty, infinite or nowhere. */
    @Test
    void strangeSides() {
        try (TaskGraph tasks = TaskGraph.builder().name("paint").workers(1).build()) {
            ClipScene flat = scene(50, 5000, 1, 3);
            assertThat(painted(tasks, flat, ClipFrame.computeOnProcessor(tasks, flat)))
                    .containsExactly(1);
            ClipScene none = new ClipScene(10, 10);
            assertThat(painted(tasks, none, ClipFrame.computeOnProcessor(tasks, none)))
                    .hasSizeGreaterThan(1);
            ClipScene three = new ClipScene(10, 10);
            for (int i = 0; i < 3; i++) {
                three.draw(new Rectangle2D.Double(1, 1, 5, 5));
            }
            float inf = Float.POSITIVE_INFINITY;
            float[] boxes = {inf, inf, -inf, -inf, -inf, -inf, inf, inf, Float.NaN, 2, 3, 4};
            painted(tasks, three, new ClipFrame.Result(boxes, new int[] {-1, 0, 1}));
        }
    }

    /** What a picture is, one pixel after the other and each channel by itself. */
    private static final class PixelByPixel {
        private final ClipScene scene;
        private final double scale;
        private final int width;
        private final int height;
        private final ByteBuffer pixels;

        PixelByPixel(ClipScene scene, int width, int height) {
            this.scene = scene;
            this.width = width;
            this.height = height;
            scale = 1024 / Math.max(scene.width(), scene.height());
            pixels = ByteBuffer.allocate(4 * width * height);
            for (int i = 0; i < pixels.capacity(); i++) {
                pixels.put(i, (byte) 0xFF);
            }
        }

        void paint(ClipFrame.Result result) {
            for (int e = 0; e < scene.length(); e++) {
                if (scene.operation(e) != ClipBoxes.END) {
                    box(scene.box(e), 0, 0xB8B8B8, false);
                }
            }
            for (int e = 0; e < scene.length(); e++) {
                if (scene.operation(e) == ClipBoxes.DRAW) {
                    box(result.boxes(), 4 * e, color(result.links()[e]), true);
                }
            }
            for (int e = 0; e < scene.length(); e++) {
                if (scene.operation(e) == ClipBoxes.BEGIN) {
                    box(result.boxes(), 4 * e, color(e), false);
                }
            }
        }

        private static int color(int clip) {
            if (clip < 0) {
                return 0;
            }
            double hue = 6 * (clip * 0.618_033_988_75 % 1);
            return channel(hue + 2) << 16 | channel(hue) << 8 | channel(hue + 4);
        }

        private static int channel(double hue) {
            return (int) (40 + 160 * Math.min(1, Math.max(0, 2 - Math.abs(hue % 6 - 2))));
        }

        private void box(float[] box, int at, int color, boolean filled) {
            int left = pixel(box[at], width);
            int top = pixel(box[at + 1], height);
            int right = pixel(box[at + 2], width) - 1;
            int bottom = pixel(box[at + 3], height) - 1;
            for (int y = top; y <= bottom; y++) {
                for (int x = left; x <= right; x++) {
                    boolean edge = x == left || x == right || y == top || y == bottom;
                    if (filled || edge) {
                        blend(x, y, color, filled ? 0.3 : 1);
                    }
                }
            }
        }

        private int pixel(float coordinate, int side) {
            return (int) Math.round(Math.min(side, Math.max(0, coordinate * scale)));
        }

        private void blend(int x, int y, int color, double share) {
            for (int channel = 0; channel < 3; channel++) {
                int at = 4 * (y * width + x) + channel;
                int above = color >> (16 - 8 * channel) & 0xFF;
                pixels.put(at, (byte) Math.round(share * above + (1 - share) * (pixels.get(at) & 0xFF)));
            }
        }
    }
}
