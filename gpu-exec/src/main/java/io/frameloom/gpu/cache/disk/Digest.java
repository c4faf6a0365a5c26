package io.frameloom.gpu.cache.disk;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A SHA-256 value. Immutable.
 *
 * @param a bytes 0 to 7, big-endian
 * @param b bytes 8 to 15
 * @param c bytes 16 to 23
 * @param d bytes 24 to 31
 */
public record Digest(long a, long b, long c, long d) {
    public static final int BYTES = 32;

    private static final HexFormat HEX = HexFormat.of();

    public static Digest of(byte[] bytes) {
        return of(ByteBuffer.wrap(bytes));
    }

    /** Returns the digest of some of the bytes. */
    public static Digest of(byte[] bytes, int offset, int length) {
        return of(ByteBuffer.wrap(bytes, offset, length));
    }

    /** Returns the digest of the remaining bytes, which stay remaining. */
    public static Digest of(ByteBuffer bytes) {
        MessageDigest sha = sha256();
        sha.update(bytes.duplicate());
        return read(ByteBuffer.wrap(sha.digest()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256, which every runtime must have", e);
        }
    }

    /** Takes the next 32 bytes of a big-endian buffer. */
    public static Digest read(ByteBuffer from) {
        return new Digest(from.getLong(), from.getLong(), from.getLong(), from.getLong());
    }

    /** Appends the 32 bytes to a big-endian buffer. */
    public void write(ByteBuffer to) {
        to.putLong(a).putLong(b).putLong(c).putLong(d);
    }

    public byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        write(bytes);
        return bytes.array();
    }

    /** Returns 64 lower-case digits. */
    public String hex() {
        return HEX.formatHex(bytes());
    }

    /** Reads 64 lower-case digits; null if the text is anything else. */
    public static @Nullable Digest parse(String hex) {
        if (hex.length() != 2 * BYTES || !hex.chars().allMatch(Digest::isLowerHex)) {
            return null;
        }
        return read(ByteBuffer.wrap(HEX.parseHex(hex)));
    }

    private static boolean isLowerHex(int character) {
        return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
    }

    @Override
    public int hashCode() {
        return Long.hashCode(a);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Digest digest && a == digest.a && b == digest.b && c == digest.c && d == digest.d;
    }

    @Override
    public String toString() {
        return hex();
    }
}
