package io.frameloom.samples.clip;

import io.frameloom.gpu.compute.ClipBoxes;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * A picture of a scene. A grey outline shows what each element would touch. Over it is what is left: of each draw,
 * filled in the colour of the clip around it, and of each clip, as an outline in its own. Bands of rows are painted by
 * several threads, each with everything in order.
 */
final class ClipPicture {
    private static final int LONGEST_SIDE = 1024;
    /** Rows that one thread paints at a time. */
    private static final int BAND = 8;

    private static final int GREY = 0xB8B8B8;
    /** A turn that keeps neighbouring numbers apart: the golden ratio. */
    private static final double TURN = 0.618_033_988_75;

    /** What a filled box takes of its own colour. */
    private static final double SHARE = 0.3;

    /** For a level of the colour, times 256, and one of what is under it: the level of both. */
    private static final byte[] TINTS = tints();

    private final double scale;
    private final int width;
    private final int height;
    private final List<Mark> marks = new ArrayList<>();
    /** Three bytes of colour each, and one of opacity after them. */
    private final int[] pixels;

    private int painted;

    /**
     * What is painted of a box.
     *
     * @param right first column that is not touched
     * @param bottom first row that is not touched
     * @param filled whether all of it is tinted, or else its edge painted over
     */
    private record Mark(int left, int top, int right, int bottom, int color, boolean filled) {}

    private ClipPicture(ClipScene scene) {
        scale = LONGEST_SIDE / Math.max(scene.width(), scene.height());
        width = Math.max(1, (int) Math.round(scene.width() * scale));
        height = Math.max(1, (int) Math.round(scene.height() * scale));
        pixels = new int[width * height];
        Arrays.fill(pixels, -1);
    }

    /** Returns the picture of a scene, white until it is painted. */
    static ClipPicture of(ClipScene scene, ClipFrame.Result result) {
        ClipPicture picture = new ClipPicture(scene);
        for (int e = 0; e < scene.length(); e++) {
            if (scene.operation(e) != ClipBoxes.END) {
                picture.mark(scene.box(e), 0, GREY, false);
            }
        }
        for (int e = 0; e < scene.length(); e++) {
            if (scene.operation(e) == ClipBoxes.DRAW) {
                picture.mark(result.boxes(), 4 * e, color(result.links()[e]), true);
            }
        }
        for (int e = 0; e < scene.length(); e++) {
            if (scene.operation(e) == ClipBoxes.BEGIN) {
                picture.mark(result.boxes(), 4 * e, color(e), false);
            }
        }
        return picture;
    }

    /**
     * Paints it, once.
     *
     * @param progress receives how many rows are painted, from one thread at a time
     */
    void paint(TaskGraph tasks, IntConsumer progress) {
        tasks.parallelFor("paint rows", height, BAND, (from, to, slot) -> {
            marks.forEach(mark -> paint(mark, from, to));
            tell(to - from, progress);
        });
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /** Returns rows from the top, four bytes per texel. */
    ByteBuffer pixels() {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * pixels.length);
        bytes.asIntBuffer().put(pixels);
        return bytes;
    }

    /** Returns a colour for the clip of a number; black for none. */
    private static int color(int clip) {
        if (clip < 0) {
            return 0;
        }
        double hue = 6 * (clip * TURN % 1);
        return channel(hue + 2) << 16 | channel(hue) << 8 | channel(hue + 4);
    }

    private static int channel(double hue) {
        double level = Math.min(1, Math.max(0, 2 - Math.abs(hue % 6 - 2)));
        return (int) (40 + 160 * level);
    }

    private void mark(float[] box, int at, int color, boolean filled) {
        int left = pixel(box[at], width);
        int top = pixel(box[at + 1], height);
        int right = pixel(box[at + 2], width);
        int bottom = pixel(box[at + 3], height);
        if (left < right && top < bottom) {
            marks.add(new Mark(left, top, right, bottom, color, filled));
        }
    }

    private int pixel(float coordinate, int side) {
        return (int) Math.round(Math.min(side, Math.max(0, coordinate * scale)));
    }

    private void paint(Mark mark, int from, int to) {
        int end = Math.min(to, mark.bottom);
        for (int y = Math.max(from, mark.top); y < end; y++) {
            int left = y * width + mark.left;
            int right = y * width + mark.right;
            if (mark.filled) {
                tint(pixels, left, right, mark.color);
            } else if (y == mark.top || y == mark.bottom - 1) {
                Arrays.fill(pixels, left, right, opaque(mark.color));
            } else {
                pixels[left] = opaque(mark.color);
                pixels[right - 1] = opaque(mark.color);
            }
        }
    }

    private static int opaque(int color) {
        return color << 8 | 0xFF;
    }

    private synchronized void tell(int rows, IntConsumer progress) {
        painted += rows;
        progress.accept(painted);
    }

    private static void tint(int[] pixels, int from, int to, int color) {
        int before = 0;
        int after = tinted(before, color);
        for (int at = from; at < to; at++) {
            // Neighbours are mostly alike.
            if (pixels[at] != before) {
                before = pixels[at];
                after = tinted(before, color);
            }
            pixels[at] = after;
        }
    }

    private static int tinted(int pixel, int color) {
        return level(color >> 16, pixel >>> 24) << 24
                | level(color >> 8, pixel >> 16) << 16
                | level(color, pixel >> 8) << 8
                | 0xFF;
    }

    /** Returns the level of both, of the lowest byte of each. */
    private static int level(int above, int under) {
        return TINTS[(above & 0xFF) << 8 | (under & 0xFF)] & 0xFF;
    }

    private static byte[] tints() {
        byte[] tints = new byte[1 << 16];
        for (int i = 0; i < tints.length; i++) {
            tints[i] = (byte) Math.round(SHARE * (i >> 8) + (1 - SHARE) * (i & 0xFF));
        }
        return tints;
    }
}
