package io.frameloom.samples.clip;

import io.frameloom.samples.IoReasons;
import io.frameloom.samples.demo.UsageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * The text of an SVG file, which may be packed by gzip, as {@code .svgz} is. Its bytes are decoded here, since the
 * JDK's parser of XML always prints errors of decoding to standard error.
 */
final class SvgText {
    private static final int MOST_BYTES = 64 << 20;
    private static final String BEYOND = " than " + MOST_BYTES + " bytes, which are the most";
    /** Bytes that an XML declaration may take up to its encoding. */
    private static final int DECLARATION = 256;

    private static final Pattern ENCODING =
            Pattern.compile("<\\?xml\\s[^>]*?\\sencoding\\s*=\\s*[\"']([A-Za-z][A-Za-z0-9._-]*)[\"']");
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private SvgText() {}

    static String read(Path file) throws UsageException {
        byte[] bytes = unpacked(file, bytes(file));
        Charset encoding = encoding(file, bytes);
        CharsetDecoder decoder = encoding.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer from = ByteBuffer.wrap(bytes);
        CharBuffer to = CharBuffer.allocate((int) Math.ceil(bytes.length * (double) decoder.maxCharsPerByte()) + 1);
        if (decoder.decode(from, to, true).isError()) {
            throw new UsageException(
                    file + " is no SVG picture: its byte " + (from.position() + 1) + " is no text in " + encoding);
        }
        to.flip();
        boolean marked = to.hasRemaining() && to.get(0) == BYTE_ORDER_MARK;
        return to.position(marked ? 1 : 0).toString();
    }

    private static byte[] bytes(Path file) throws UsageException {
        if (!Files.isRegularFile(file)) {
            throw new UsageException(Files.exists(file) ? file + " is no regular file" : "there is no " + file);
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new UsageException(file + " has more" + BEYOND);
            }
            return bytes;
        } catch (IOException e) {
            throw new UsageException("cannot read " + file + ": " + IoReasons.of(e), e);
        }
    }

    private static byte[] unpacked(Path file, byte[] bytes) throws UsageException {
        boolean packed = bytes.length > 1 && (bytes[0] & 0xFF) == 0x1F && (bytes[1] & 0xFF) == 0x8B;
        if (!packed) {
            return bytes;
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] unpacked = in.readNBytes(MOST_BYTES + 1);
            if (unpacked.length > MOST_BYTES) {
                throw new UsageException(file + " unpacks to more" + BEYOND);
            }
            return unpacked;
        } catch (IOException e) {
            throw new UsageException(file + " is packed by gzip, but damaged: " + IoReasons.of(e), e);
        }
    }

    /** As XML has it: by the byte order mark or the zeros beside the first bracket, else as declared, else UTF-8. */
    private static Charset encoding(Path file, byte[] bytes) throws UsageException {
        int first = bytes.length < 2 ? 0 : (bytes[0] & 0xFF) << 8 | (bytes[1] & 0xFF);
        if (first == BYTE_ORDER_MARK || first == '<') {
            return StandardCharsets.UTF_16BE;
        }
        if (first == 0xFFFE || first == '<' << 8) {
            return StandardCharsets.UTF_16LE;
        }
        String begin = new String(bytes, 0, Math.min(bytes.length, DECLARATION), StandardCharsets.ISO_8859_1);
        Matcher declared = ENCODING.matcher(begin);
        if (!declared.lookingAt()) {
            return StandardCharsets.UTF_8;
        }
        try {
            return Charset.forName(declared.group(1));
        } catch (UnsupportedCharsetException e) {
            throw new UsageException(file + " declares the encoding '" + declared.group(1) + "', which is unknown", e);
        }
    }
}
