package io.frameloom.samples.gltf;

import io.frameloom.samples.scene.TextureImage;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.imageio.ImageIO;

/** Decodes PNG and JPEG images with the JDK's own readers. */
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
        BufferedImage image;
        try {
            image = ImageIO.read(new ByteArrayInputStream(bytes));
        } catch (IOException | RuntimeException e) {
            throw new ModelException("has image '" + name + "' that cannot be decoded (" + e.getMessage() + ")", e);
        }
        if (image == null) {
            throw new ModelException("has image '" + name + "' that is neither PNG nor JPEG");
        }
        int width = image.getWidth();
        int height = image.getHeight();
        if (width > MAX_EXTENT || height > MAX_EXTENT) {
            throw new ModelException("has image '" + name + "' of " + width + "x" + height + "; at most " + MAX_EXTENT
                    + " texels per side are supported");
        }
        int[] row = new int[width];
        byte[] rgba = new byte[Math.multiplyExact(4 * width, height)];
        int at = 0;
        for (int y = 0; y < height; y++) {
            image.getRGB(0, y, width, 1, row, 0, width);
            for (int argb : row) {
                rgba[at++] = (byte) (argb >> 16);
                rgba[at++] = (byte) (argb >> 8);
                rgba[at++] = (byte) argb;
                rgba[at++] = (byte) (argb >> 24);
            }
        }
        return TextureImage.of(name, width, height, srgb, rgba);
    }
}
