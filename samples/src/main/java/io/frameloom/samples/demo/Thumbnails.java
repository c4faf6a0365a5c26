package io.frameloom.samples.demo;

import io.frameloom.rdg.capture.Png;
import io.frameloom.report.Thumbnail;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Makes small pictures of large ones. */
final class Thumbnails {
    private static final int LARGEST_SIDE = 320;

    private Thumbnails() {}

    /**
     * Returns a picture whose sides are at most {@value #LARGEST_SIDE}; each of its texels is the mean of those it covers.
     *
     * @param texture name of the texture
     * @param rgba rows from the top, four bytes per texel, from position 0
     */
    static Thumbnail of(String texture, int width, int height, ByteBuffer rgba) throws IOException {
        int largest = Math.max(width, height);
        int smallWidth = largest <= LARGEST_SIDE ? width : Math.max(1, width * LARGEST_SIDE / largest);
        int smallHeight = largest <= LARGEST_SIDE ? height : Math.max(1, height * LARGEST_SIDE / largest);
        ByteBuffer small = ByteBuffer.allocate(4 * smallWidth * smallHeight);
        for (int y = 0; y < smallHeight; y++) {
            int top = edge(y, height, smallHeight);
            int bottom = edge(y + 1, height, smallHeight);
            for (int x = 0; x < smallWidth; x++) {
                int left = edge(x, width, smallWidth);
                int right = edge(x + 1, width, smallWidth);
                for (int channel = 0; channel < 4; channel++) {
                    small.put(4 * (y * smallWidth + x) + channel, mean(rgba, width, left, top, right, bottom, channel));
                }
            }
        }
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        Png.write(png, smallWidth, smallHeight, small);
        return new Thumbnail(texture, png.toByteArray(), smallWidth, smallHeight);
    }

    private static int edge(int at, int large, int small) {
        return (int) ((long) at * large / small);
    }

    private static byte mean(ByteBuffer rgba, int width, int left, int top, int right, int bottom, int channel) {
        long sum = 0;
        for (int y = top; y < bottom; y++) {
            for (int x = left; x < right; x++) {
                sum += rgba.get(4 * (y * width + x) + channel) & 255;
            }
        }
        long count = (long) (right - left) * (bottom - top);
        return (byte) ((sum + count / 2) / count);
    }
}
