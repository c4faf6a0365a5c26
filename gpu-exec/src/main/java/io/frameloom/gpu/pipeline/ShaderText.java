package io.frameloom.gpu.pipeline;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Decodes files of shader text, which are UTF-8. Stateless. */
final class ShaderText {
    private static final int BYTE = 0xff;

    private ShaderText() {}

    /**
     * Returns the text of a file.
     *
     * @param path file, for messages
     * @throws IOException if it is no UTF-8, naming the byte where that shows
     */
    static String decode(String path, byte[] bytes) throws IOException {
        String mark = foreignMark(bytes);
        if (!mark.isEmpty()) {
            throw new IOException("'" + path + "' begins with the byte order mark of " + mark + "; save it as UTF-8");
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        // No byte of UTF-8 gives more than one char.
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        if (result.isError()) {
            int at = in.position();
            throw new IOException(String.format(
                    "'%s' is not UTF-8: byte %d is 0x%02x, which no character begins with or goes on with there; save it"
                            + " as UTF-8",
                    path, at, bytes[at] & BYTE));
        }
        return out.flip().toString();
    }

    private static String foreignMark(byte[] bytes) {
        int first = bytes.length < 2 ? 0 : ((bytes[0] & BYTE) << Byte.SIZE) | (bytes[1] & BYTE);
        return switch (first) {
            case 0xfeff -> "UTF-16 (big-endian)";
            case 0xfffe -> "UTF-16 (little-endian)";
            default -> "";
        };
    }
}
