package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.CacheFolder.Field;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Fields as bytes, the same on every platform: for each field a type, the length and bytes of its name, the length and
 * bytes of its value, all numbers big-endian. Since every length is written, moving a byte from one field to the next
 * changes the result. One thread.
 */
public final class CanonicalFields {
    private static final char TEXT = 'T';
    private static final char NUMBER = 'N';
    private static final char BYTES = 'B';

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    public CanonicalFields text(String name, String value) {
        return field(TEXT, name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Appends a number, a truth value as 0 or 1, or a choice. */
    public CanonicalFields number(String name, long value) {
        return field(
                NUMBER, name, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    public CanonicalFields bytes(String name, byte[] value) {
        return field(BYTES, name, value);
    }

    /** Appends a floating-point number, bit by bit. */
    public CanonicalFields real(String name, float value) {
        return number(name, Float.floatToRawIntBits(value));
    }

    /** Appends a text of any length, by its length and SHA-256. */
    public CanonicalFields source(String name, String value) {
        return source(name, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
    }

    /** Appends the remaining bytes of a buffer of any length, by their number and SHA-256; they stay remaining. */
    public CanonicalFields source(String name, ByteBuffer value) {
        return number(name + " bytes", value.remaining())
                .bytes(name + " sha256", Digest.of(value).bytes());
    }

    public CanonicalFields all(CanonicalFields others) {
        out.writeBytes(others.encoded());
        return this;
    }

    private CanonicalFields field(char type, String name, byte[] value) {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(1 + 2 * Integer.BYTES + nameBytes.length);
        head.put((byte) type).putInt(nameBytes.length).put(nameBytes).putInt(value.length);
        out.writeBytes(head.array());
        out.writeBytes(value);
        return this;
    }

    public byte[] encoded() {
        return out.toByteArray();
    }

    /**
     * Reads fields for people: a text as it is, a number in decimal digits, bytes in hexadecimal ones. Empty if the
     * bytes are not those of fields.
     */
    public static List<Field> decode(byte[] encoded) {
        List<Field> fields = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(encoded);
        try {
            while (in.hasRemaining()) {
                char type = (char) in.get();
                String name = new String(sized(in), StandardCharsets.UTF_8);
                byte[] value = sized(in);
                fields.add(new Field(
                        name,
                        switch (type) {
                            case TEXT -> new String(value, StandardCharsets.UTF_8);
                            case NUMBER -> Long.toString(ByteBuffer.wrap(value).getLong());
                            default -> HexFormat.of().formatHex(value);
                        }));
            }
        } catch (BufferUnderflowException e) {
            return List.of();
        }
        return fields;
    }

    private static byte[] sized(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
