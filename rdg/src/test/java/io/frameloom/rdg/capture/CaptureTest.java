package io.frameloom.rdg.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.resource.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What expressions mean, what is said of wrong ones, and how numbers become pictures. */
@Timeout(60)
class CaptureTest {
    private static Capture capture(String texture) {
        return Capture.of(texture);
    }

    @Test
    void readsEveryOperator() {
        assertThat(Capture.parse("depth")).isEqualTo(capture("depth"));
        assertThat(Capture.parse(" g-buffer albedo@2 "))
                .isEqualTo(capture("g-buffer albedo").withVersion(2));
        assertThat(Capture.parse("bloom down@3:mip=2:layer=1:channel=a:range=-1..2.5:as=pfm"))
                .isEqualTo(capture("bloom down")
                        .withVersion(3)
                        .withSubresource(2, 1)
                        .withChannel(CaptureChannel.A)
                        .withRange(CaptureRange.of(-1, 2.5f))
                        .withFile(CaptureFile.PFM));
        assertThat(Capture.parse("x:range=auto").range()).isEqualTo(CaptureRange.AUTO);
        assertThat(Capture.parse("scope:inner").texture()).isEqualTo("scope:inner");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "depth",
                "a b@7",
                "x@1:mip=2:layer=3:channel=rgba",
                "x:channel=g:range=0.5..1.0:as=pfm",
                "x:range=auto"
            })
    void writesWhatItReads(String expression) {
        assertThat(Capture.parse(expression)).hasToString(expression);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|names no texture",
                "@2|names no texture",
                ":mip=1|names no texture",
                "x@|version after @",
                "x@0|version after @",
                "x@-1|version after @",
                "x@two|version after @",
                "x@99999999999|version after @",
                "x:mip=|mip must be a whole number",
                "x:mip=-1|mip must be a whole number",
                "x:layer=1.5|layer must be a whole number",
                "x:mips=1|no operator 'mips', only mip, layer, channel, range and as",
                "x:mip=1:mip=1|mip is given twice",
                "x:channel=r:channel=r|channel is given twice",
                "x:range=0..1:range=0..1|range is given twice",
                "x:as=png:as=png|as is given twice",
                "x:channel=red|channel cannot be 'red'",
                "x:range=1|range cannot be '1'",
                "x:range=a..b|range cannot be 'a..b'",
                "x:range=1..0|to a larger one",
                "x:range=NaN..1|to a larger one",
                "x:range=0..Infinity|to a larger one",
                "x:as=bmp|as cannot be 'bmp'",
                "x:channel=rgba:as=pfm|has no alpha",
            })
    void refusesWhatMeansNothing(String expression, String part) {
        assertThatThrownBy(() -> Capture.parse(expression))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(part)
                .message()
                .doesNotContain("\n");
    }

    private static ByteBuffer floats(float... numbers) {
        ByteBuffer data = ByteBuffer.allocate(numbers.length * 4).order(ByteOrder.LITTLE_ENDIAN);
        data.asFloatBuffer().put(numbers);
        return data;
    }

    private static int[] levels(CapturedTexture texture) {
        ByteBuffer rgba = texture.rgba();
        int[] levels = new int[rgba.remaining()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = rgba.get(i) & 255;
        }
        return levels;
    }

    @Test
    void rangesBecomeLevels() {
        ByteBuffer data = floats(-1, 0.5f, 3, Float.NaN);
        Capture given = capture("x").withRange(CaptureRange.of(-1, 3));
        assertThat(levels(new CapturedTexture(given, 1, 4, 1, Format.R32_SFLOAT, 0, data)))
                .containsExactly(0, 0, 0, 255, 96, 96, 96, 255, 255, 255, 255, 255, 0, 0, 0, 255);
        assertThat(levels(new CapturedTexture(capture("x"), 1, 4, 1, Format.R32_SFLOAT, 0, data)))
                .containsExactly(0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255, 0, 0, 0, 255);
        assertThat(levels(new CapturedTexture(
                        capture("x").withRange(CaptureRange.AUTO), 1, 4, 1, Format.R32_SFLOAT, 0, data)))
                .containsExactly(0, 0, 0, 255, 96, 96, 96, 255, 255, 255, 255, 255, 0, 0, 0, 255);
        assertThat(levels(new CapturedTexture(capture("x"), 1, 2, 1, Format.D32_SFLOAT, 0, floats(0.98f, 0.99f))))
                .as("depth takes the range of the picture")
                .containsExactly(0, 0, 0, 255, 255, 255, 255, 255);
        assertThat(levels(new CapturedTexture(capture("x"), 1, 1, 1, Format.D32_SFLOAT, 0, floats(1))))
                .as("one number alone has no range of its own")
                .containsExactly(255, 255, 255, 255);
    }

    @Test
    void channelsAreChosen() {
        ByteBuffer texel = ByteBuffer.wrap(new byte[] {10, 20, 30, 40});
        int[][] expected = {
            {10, 20, 30, 255},
            {10, 20, 30, 40},
            {10, 10, 10, 255},
            {20, 20, 20, 255},
            {30, 30, 30, 255},
            {40, 40, 40, 255}
        };
        for (int i = 0; i < expected.length; i++) {
            Capture shown = capture("x").withChannel(CaptureChannel.values()[i]);
            assertThat(levels(new CapturedTexture(shown, 1, 1, 1, Format.R8G8B8A8_UNORM, 0, texel)))
                    .as("%s", shown)
                    .containsExactly(expected[i]);
            assertThat(levels(new CapturedTexture(shown, 1, 1, 1, Format.R8G8B8A8_SRGB, 0, texel)))
                    .as("sRGB comes back as it was: %s", shown)
                    .containsExactly(expected[i]);
        }
        Capture stencil = capture("x").withChannel(CaptureChannel.STENCIL).withRange(CaptureRange.of(0, 255));
        assertThat(levels(new CapturedTexture(
                        stencil, 1, 1, 1, Format.D32_SFLOAT_S8_UINT, 1, ByteBuffer.wrap(new byte[] {(byte) 200}))))
                .containsExactly(200, 200, 200, 255);
    }

    @Test
    void pfmHoldsTheNumbersFromTheBottomUp() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Capture asked = capture("x").withFile(CaptureFile.PFM);
        new CapturedTexture(asked, 1, 1, 2, Format.R32G32B32A32_SFLOAT, 0, floats(1, 2, 3, 4, 5, 6, 7, 8)).write(out);
        ByteBuffer file = ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        byte[] header = new byte["PF\n1 2\n-1.0\n".length()];
        file.get(header);
        assertThat(new String(header, StandardCharsets.US_ASCII)).isEqualTo("PF\n1 2\n-1.0\n");
        float[] numbers = new float[file.remaining() / 4];
        file.asFloatBuffer().get(numbers);
        assertThat(numbers).containsExactly(5, 6, 7, 1, 2, 3);
        ByteArrayOutputStream grey = new ByteArrayOutputStream();
        new CapturedTexture(asked.withChannel(CaptureChannel.G), 1, 1, 1, Format.R32G32_SFLOAT, 0, floats(8, 9))
                .write(grey);
        assertThat(grey.toString(StandardCharsets.US_ASCII)).startsWith("Pf\n1 1\n-1.0\n");
        assertThat(ByteBuffer.wrap(grey.toByteArray())
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getFloat(grey.size() - 4))
                .isEqualTo(9);
    }

    @Test
    void filesAreNamedAfterWhatTheyShow() {
        Capture asked = Capture.parse("a/b c@3:mip=1:layer=2:channel=a:as=pfm");
        assertThat(new CapturedTexture(asked, 3, 1, 1, Format.R32_SFLOAT, 0, floats(1)).fileName())
                .isEqualTo("a-b c@3.mip1.layer2.a.pfm");
        assertThat(new CapturedTexture(capture("../x"), 0, 1, 1, Format.R32_SFLOAT, 0, floats(1)).fileName())
                .isEqualTo("-.-x.png");
    }
}
