package io.frameloom.samples.clip;

import io.frameloom.gpu.compute.ClipBoxes;
import java.nio.ByteBuffer;

/**
 * A picture of a scene: what each element would touch as a grey outline; over it what is left of each draw, filled in the
 * colour of the clip around it, and of each clip, as an outline in its own.
 */
final class ClipPicture {
    private static final int LONGEST_SIDE = 1024;
    private static final int GREY = 0xB8B8B8;
    /** A turn that keeps neighbouring numbers apart: the golden ratio. */
    private static final double TURN = 0.618_033_988_75;

    private final double scale;
    private final int width;
    private final int height;
    private final ByteBuffer pixels;

    private ClipPicture(ClipScene scene) {
        scale = LONGEST_SIDE / Math.max(scene.width(), scene.height());
        width = Math.max(1, (int) Math.round(scene.width() * scale));
        height = Math.max(1, (int) Math.round(scene.height() * scale));
        pixels = ByteBuffer.allocate(4 * width * height);
        for (int i = 0; i < pixels.capacity(); i++) {
            pixels.put(i, (byte) 0xFF);
        }
    }

    static ClipPicture of(ClipScene scene, ClipFrame.Result result) {
        ClipPicture picture = new ClipPicture(scene);
        for (int e = 0; e < scene.length(); e++) {
            if (scene.operation(e) != ClipBoxes.END) {
                picture.outline(scene.box(e), 0, GREY);
            }
        }
        for (int e = 0; e < scene.length(); e++) {
            if (scene.operation(e) == ClipBoxes.DRAW) {
                picture.fill(result.boxes(), 4 * e, color(result.links()[e]));
            }
        }
        for (int e = 0; e < scene.length(); e++) {
            if (scene.operation(e) == ClipBoxes.BEGIN) {
                picture.outline(result.boxes(), 4 * e, color(e));
            }
        }
        return picture;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /** Returns rows from the top, four bytes per texel. */
    ByteBuffer pixels() {
        return pixels;
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

    private void fill(float[] box, int at, int color) {
        int right = pixel(box[at + 2], width);
        int bottom = pixel(box[at + 3], height);
        for (int y = pixel(box[at + 1], height); y < bottom; y++) {
            for (int x = pixel(box[at], width); x < right; x++) {
                blend(x, y, color, 0.3);
            }
        }
    }

    private void outline(float[] box, int at, int color) {
        int left = pixel(box[at], width);
        int top = pixel(box[at + 1], height);
        int right = pixel(box[at + 2], width) - 1;
        int bottom = pixel(box[at + 3], height) - 1;
        if (left > right || top > bottom) {
            return;
        }
        for (int x = left; x <= right; x++) {
            blend(x, top, color, 1);
            blend(x, bottom, color, 1);
        }
        for (int y = top; y <= bottom; y++) {
            blend(left, y, color, 1);
            blend(right, y, color, 1);
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
