package io.frameloom.gpu.cache.disk;

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

    /**
     * A field in words.
     *
     * @param name name
     * @param value text as it is, a number in decimal digits, bytes in hexadecimal ones
     */
    public record Field(String name, String value) {}

    /** Appends a text. */
    public CanonicalFields text(String name, String value) {
        return field(TEXT, name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Appends a number. */
    public CanonicalFields number(String name, long value) {
        return field(
                NUMBER, name, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    /** Appends bytes. */
    public CanonicalFields bytes(String name, byte[] value) {
        return field(BYTES, name, value);
    }

    private CanonicalFields field(char type, String name, byte[] value) {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(1 + 2 * Integer.BYTES + nameBytes.length);
        head.put((byte) type).putInt(nameBytes.length).put(nameBytes).putInt(value.length);
        out.writeBytes(head.array());
        out.writeBytes(value);
        return this;
    }

    /** Returns the bytes of all fields. */
    public byte[] encoded() {
        return out.toByteArray();
    }

    /** Reads fields for people; empty if the bytes are not those of fields. */
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
