package io.frameloom.samples.demo;

import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.TextureListing;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.capture.Png;
import io.frameloom.rdg.tools.report.Thumbnail;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Makes small pictures of large ones. */
final class Thumbnails {
    private static final int LARGEST_SIDE = 320;

    /** Textures beside the picture are smaller, since there are many of them in one report. */
    private static final int CAPTURED_SIDE = 160;

    /** Bytes of the textures that are captured at once. */
    private static final long BATCH_BYTES = 128L << 20;

    private Thumbnails() {}

    /**
     * Returns a picture whose sides are at most {@value #LARGEST_SIDE}; each of its texels is the mean of those it
     * covers.
     *
     * @param texture name of the texture
     * @param rgba rows from the top, four bytes per texel, from position 0
     */
    static Thumbnail of(String texture, int width, int height, ByteBuffer rgba) throws IOException {
        return of(texture, width, height, rgba, LARGEST_SIDE);
    }

    /** Returns a picture of a captured texture whose sides are at most {@value #CAPTURED_SIDE}. */
    static Thumbnail of(CapturedTexture captured) throws IOException {
        return of(captured.capture().texture(), captured.width(), captured.height(), captured.rgba(), CAPTURED_SIDE);
    }

    /** Returns captures of what is flat of the textures, in portions that fit into memory. */
    static List<List<Capture>> batches(TextureListing textures) {
        List<List<Capture>> batches = new ArrayList<>();
        long bytes = BATCH_BYTES;
        for (TextureListing.Entry texture : textures.entries()) {
            TextureDescription shape = texture.description();
            if (shape.depth() > 1 || shape.samples() > 1 || shape.format().isCompressed()) {
                continue;
            }
            if (bytes + texture.bytes() > BATCH_BYTES) {
                batches.add(new ArrayList<>());
                bytes = 0;
            }
            batches.get(batches.size() - 1).add(Capture.of(texture.name()));
            bytes += texture.bytes();
        }
        return batches;
    }

    private static Thumbnail of(String texture, int width, int height, ByteBuffer rgba, int side) throws IOException {
        int largest = Math.max(width, height);
        int smallWidth = largest <= side ? width : Math.max(1, width * side / largest);
        int smallHeight = largest <= side ? height : Math.max(1, height * side / largest);
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
