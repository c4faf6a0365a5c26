package io.frameloom.samples.gltf;

import io.frameloom.samples.scene.TextureImage;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.imageio.ImageIO;

/** Decodes PNG and JPEG images with the JDK's own readers, to eight bits a channel. */
final class ImageDecoder {
    private static final int MAX_EXTENT = 16384;

    private ImageDecoder() {}

    /**
     * Decodes an image.
     *
     * @throws ModelException saying what is wrong, without the name of the file
     */
    static TextureImage decode(String name, ByteBuffer data, boolean srgb) throws ModelException {
        if (ModuleLayer.boot().findModule("java.desktop").isEmpty()) {
            throw new ModelException("has textures, and this Java runtime has no module java.desktop to decode them; "
                    + "use a full JDK or JRE");
        }
        byte[] bytes = new byte[data.remaining()];
        data.duplicate().get(bytes);
        // The JDK reads more formats than glTF allows.
        if (!begins(bytes, 0x89, 'P', 'N', 'G') && !begins(bytes, 0xFF, 0xD8, 0xFF)) {
            throw new ModelException("has image '" + name + "' that is neither PNG nor JPEG");
        }
        BufferedImage image;
        try {
            image = ImageIO.read(new ByteArrayInputStream(bytes));
        } catch (IOException | RuntimeException e) {
            throw new ModelException("has image '" + name + "' that cannot be decoded (" + e.getMessage() + ")", e);
        }
        if (image == null) {
            throw new ModelException("has image '" + name + "' that this Java runtime cannot decode");
        }
        int width = image.getWidth();
        int height = image.getHeight();
        if (width > MAX_EXTENT || height > MAX_EXTENT) {
            throw new ModelException("has image '" + name + "' of " + width + "x" + height + "; at most " + MAX_EXTENT
                    + " texels per side are supported");
        }
        byte[] rgba = new byte[Math.multiplyExact(4 * width, height)];
        for (int y = 0; y < height; y++) {
            row(image, y, rgba, 4 * y * width);
        }
        return TextureImage.of(name, width, height, srgb, rgba);
    }

    private static boolean begins(byte[] bytes, int... signature) {
        boolean same = bytes.length >= signature.length;
        for (int i = 0; same && i < signature.length; i++) {
            same = (bytes[i] & 255) == signature[i];
        }
        return same;
    }

    /**
     * Stores a row as it is encoded: glTF ignores colour profiles, and the JDK gives grey images one that is linear.
     */
    private static void row(BufferedImage image, int y, byte[] rgba, int at) {
        int width = image.getWidth();
        if (!(image.getColorModel() instanceof ComponentColorModel components)) {
            int[] colors = image.getRGB(0, y, width, 1, null, 0, width);
            ByteBuffer target = ByteBuffer.wrap(rgba);
            for (int x = 0; x < width; x++) {
                target.putInt(at + 4 * x, Integer.rotateLeft(colors[x], 8));
            }
            return;
        }
        int bands = image.getRaster().getNumBands();
        int most = (1 << components.getComponentSize(0)) - 1;
        int[] values = image.getRaster().getPixels(0, y, width, 1, (int[]) null);
        for (int x = 0; x < width; x++) {
            for (int c = 0; c < 4; c++) {
                // Grey stands for all three colours; the last of two or four values is alpha.
                int band = c < 3 ? (bands < 3 ? 0 : c) : bands - 1;
                boolean opaque = c == 3 && bands % 2 == 1;
                rgba[at + 4 * x + c] = (byte) (opaque ? 255 : (values[x * bands + band] * 255L + most / 2) / most);
            }
        }
    }
}
