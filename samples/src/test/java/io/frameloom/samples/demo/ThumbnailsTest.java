package io.frameloom.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.report.PlanReport;
import io.frameloom.rdg.tools.report.Thumbnail;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small pictures keep the shape and the mean colour of large ones. */
@Timeout(60)
final class ThumbnailsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"640,360,320,180", "100,50,100,50", "320,1000,102,320", "5000,3,320,1", "1,1,1,1"})
    void halvesOfAPictureStayHalves(int width, int height, int smallWidth, int smallHeight) throws Exception {
        ByteBuffer rgba = ByteBuffer.allocate(4 * width * height);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                // Stripes of one texel, whose mean is about 100, on the left; 250 on the right.
                int left = width == 1 || x % 2 == 0 ? 50 : 150;
                rgba.put(4 * (y * width + x), (byte) (2 * x < width ? left : 250));
                rgba.put(4 * (y * width + x) + 3, (byte) 255);
            }
        }

        BufferedImage small = shown(Thumbnails.of("out", width, height, rgba));
        assertThat(small.getWidth()).isEqualTo(smallWidth);
        assertThat(small.getHeight()).isEqualTo(smallHeight);
        if (width >= 2 * smallWidth) {
            assertThat(small.getRGB(0, 0) >> 16 & 255).isBetween(80, 120);
        } else {
            assertThat(small.getRGB(0, 0) >> 16 & 255).isEqualTo(50);
        }
        if (width > 1) {
            assertThat(small.getRGB(smallWidth - 1, smallHeight - 1) >> 16 & 255)
                    .isEqualTo(250);
        }
    }

    /** Returns the picture as a report shows it. */
    private BufferedImage shown(Thumbnail thumbnail) throws Exception {
        Path file = Files.writeString(
                folder.resolve("graph.json"),
                "{\"resources\":[{\"id\":\"out\",\"kind\":\"texture\",\"lifetime\":\"external\"}],\"passes\":["
                        + "{\"id\":\"A\",\"kind\":\"raster\",\"uses\":[{\"r\":\"out\",\"a\":\"colorWrite\"}]}]}");
        StringWriter html = new StringWriter();
        PlanReport.of(Objects.requireNonNull(
                        GraphFile.read(file).compile(options -> options).plan()))
                .withThumbnail(thumbnail)
                .writeHtml(html);
        String source = Objects.requireNonNull(Jsoup.parse(html.toString()).selectFirst("img"))
                .attr("src");
        byte[] png = Base64.getDecoder().decode(source.substring(source.indexOf(',') + 1));
        return ImageIO.read(new ByteArrayInputStream(png));
    }
}
