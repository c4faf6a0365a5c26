package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.capture.Png;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written as PNG is read back as it was. */
@Timeout(60)
final class PngTest {
    @ParameterizedTest
    @CsvSource({"1,1", "3,2", "64,1", "1,64", "257,131"})
    void roundTrip(int width, int height) throws Exception {
        ByteBuffer rgba = ByteBuffer.allocate(4 * width * height);
        new SplittableRandom(width * 1000L + height).nextBytes(rgba.array());
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        Png.write(file, width, height, rgba);

        BufferedImage image = ImageIO.read(new ByteArrayInputStream(file.toByteArray()));
        assertThat(image.getWidth()).isEqualTo(width);
        assertThat(image.getHeight()).isEqualTo(height);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int at = 4 * (y * width + x);
                int expected = 0xFF000000
                        | (rgba.get(at) & 255) << 16
                        | (rgba.get(at + 1) & 255) << 8
                        | (rgba.get(at + 2) & 255);
                assertThat(image.getRGB(x, y)).isEqualTo(expected);
            }
        }
    }
}
