package io.frameloom.samples.clip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.frameloom.samples.demo.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SvgTextTest {
    private static final String BEGIN = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'>\n";
    private static final String PICTURE = BEGIN + "<rect width='5' height='5'/></svg>";

    @TempDir
    private Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("picture.svg"), bytes);
    }

    private static byte[] packed(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static void refused(Path file, String reason) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> SvgScene.read(file, note -> {}))
                .withMessageContainingAll("picture.svg", reason)
                .satisfies(refusal -> assertThat(refusal.getMessage()).hasLineCount(1));
    }

    /** The JDK's parser would print of wrong bytes by itself. */
    @Test
    void whatIsNoTextIsRefusedAndNothingPrinted() throws IOException {
        byte[] packed = packed(PICTURE);
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(
                "its byte 1 is no text in UTF-8",
                new byte[] {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, (byte) 0xE0, 0, 16});
        files.put(
                "its byte " + (BEGIN.length() + 6) + " is no text in UTF-8",
                (BEGIN + "<!-- \u00e9 --></svg>").getBytes(StandardCharsets.ISO_8859_1));
        files.put("its byte 3 is no text in UTF-16BE", new byte[] {(byte) 0xFE, (byte) 0xFF, 0});
        files.put("the XML is wrong", new byte[] {0, 0, 0, 0});
        files.put("packed by gzip, but damaged", Arrays.copyOf(packed, packed.length / 2));
        files.put(
                "'nonsense', which is unknown",
                "<?xml version='1.0' encoding='nonsense'?><svg/>".getBytes(StandardCharsets.US_ASCII));
        PrintStream before = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                refused(file(file.getValue()), file.getKey());
            }
        } finally {
            System.setErr(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void packedPictures() throws IOException, UsageException {
        Path file = file(packed(PICTURE));
        assertThat(SvgText.read(file)).isEqualTo(PICTURE);
        assertThat(SvgScene.read(file, note -> {}).length()).isEqualTo(1);
    }

    /** 65 MiB in some 65 KiB. */
    @Test
    void packedPicturesAreBounded() throws IOException {
        refused(file(packed(BEGIN + " ".repeat(65 << 20) + "</svg>")), "unpacks to more than 67108864 bytes");
    }

    @Test
    void picturesInOtherEncodings() throws IOException, UsageException {
        String text = PICTURE.replace("<rect", "<!-- \u00e9 --><rect");
        Map<String, Charset> encodings = new LinkedHashMap<>();
        encodings.put("", StandardCharsets.UTF_8);
        encodings.put("\uFEFF", StandardCharsets.UTF_8);
        encodings.put("<?xml version='1.0' encoding='iso-8859-1'?>", StandardCharsets.ISO_8859_1);
        encodings.put("<?xml version='1.0' encoding='UTF-16'?>", StandardCharsets.UTF_16);
        encodings.put("<?xml version='1.0'?>", StandardCharsets.UTF_16LE);
        encodings.put("<?xml version=\"1.0\" ?>", StandardCharsets.UTF_16BE);
        for (Map.Entry<String, Charset> encoding : encodings.entrySet()) {
            Path file = file((encoding.getKey() + text).getBytes(encoding.getValue()));
            assertThat(SvgText.read(file)).as("%s", encoding).endsWith(text);
            assertThat(SvgScene.read(file, note -> {}).length())
                    .as("%s", encoding)
                    .isEqualTo(1);
        }
    }
}
