package io.frameloom.rdg.capture;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/** Writes PNG files ("Portable Network Graphics Specification", W3C) without the desktop module. */
public final class Png {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final byte SUB_FILTER = 1;
    private static final byte TRUE_COLOUR = 2;
    private static final byte TRUE_COLOUR_ALPHA = 6;

    private Png() {}

    /**
     * Writes a picture without its alpha.
     *
     * @param rgba rows from the top, four bytes per texel, from position 0
     */
    public static void write(OutputStream out, int width, int height, ByteBuffer rgba) throws IOException {
        write(out, width, height, rgba, false);
    }

    /**
     * Writes a picture.
     *
     * @param rgba rows from the top, four bytes per texel, from position 0
     * @param alpha whether its alpha is written
     */
    public static void write(OutputStream out, int width, int height, ByteBuffer rgba, boolean alpha)
            throws IOException {
        int channels = alpha ? 4 : 3;
        DataOutputStream data = new DataOutputStream(out);
        data.write(SIGNATURE);
        ByteBuffer header = ByteBuffer.allocate(13);
        header.putInt(width).putInt(height).put((byte) 8).put(alpha ? TRUE_COLOUR_ALPHA : TRUE_COLOUR);
        chunk(data, "IHDR", header.array());
        chunk(data, "sRGB", new byte[] {0});
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(packed)) {
            byte[] row = new byte[1 + channels * width];
            row[0] = SUB_FILTER;
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    for (int c = 0; c < channels; c++) {
                        int at = 4 * (y * width + x) + c;
                        int left = x == 0 ? 0 : rgba.get(at - 4);
                        row[1 + channels * x + c] = (byte) (rgba.get(at) - left);
                    }
                }
                deflater.write(row);
            }
        }
        chunk(data, "IDAT", packed.toByteArray());
        chunk(data, "IEND", new byte[0]);
        data.flush();
    }

    private static void chunk(DataOutputStream out, String type, byte[] content) throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 checksum = new CRC32();
        checksum.update(name);
        checksum.update(content);
        out.writeInt(content.length);
        out.write(name);
        out.write(content);
        out.writeInt((int) checksum.getValue());
    }
}
