package io.frameloom.gpu.cache.disk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The file of one program, big-endian:
 *
 * <pre>
 *   0  8  magic, whose last bytes are lost if a tool takes the file for text
 *   8  4  version of this format
 *  12  4  kind
 *  16 32  digest of the key
 *  48 32  digest of the compatibility
 *  80  4  bytes of the key text
 *  84  4  number of parts
 *  88  8  bytes of the payload
 *  96  8  nanoseconds that the program took to make
 * 104  4  CRC-32C of the bytes before
 * 108     key text, 32 bytes for each part, payload
 *     32  SHA-256 of all bytes before
 * </pre>
 *
 * <p>Nothing is believed before it is checked: no memory is taken by a declared length, and a file that does not have
 * exactly the declared length is refused. Stateless.
 */
public final class EntryFormat {
    /** Version of the format; any change of it or of the meaning of keys needs a new one. */
    public static final int SCHEMA = 1;

    /** Bytes of the largest file of a program. */
    public static final long LARGEST = 256L << 20;

    static final int HEADER_BYTES = 108;
    static final int SMALLEST = HEADER_BYTES + Digest.BYTES;
    private static final long MAGIC = 0x464C50524F470D0AL;
    private static final int CRC_OFFSET = 104;

    private EntryFormat() {}

    public static byte[] encode(StoredEntry entry) {
        long length = length(entry.keyText().length, entry.parts().size(), entry.payload().length);
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(length));
        out.putLong(MAGIC).putInt(SCHEMA).putInt(entry.kind());
        entry.digest().write(out);
        entry.compatibility().write(out);
        out.putInt(entry.keyText().length).putInt(entry.parts().size());
        out.putLong(entry.payload().length).putLong(entry.buildNanos());
        out.putInt(headerChecksum(out.array()));
        out.put(entry.keyText());
        entry.parts().forEach(part -> part.write(out));
        out.put(entry.payload());
        Digest.of(out.array(), 0, out.position()).write(out);
        return out.array();
    }

    /** Checks and parses the file of the program with the given digest; never returns that there is none. */
    public static EntryReading decode(byte[] file, Digest digest, Digest compatibility) {
        if (file.length < SMALLEST) {
            return new EntryReading.Damaged(EntryDamage.TOO_SHORT);
        }
        ByteBuffer in = ByteBuffer.wrap(file);
        if (in.getLong() != MAGIC) {
            return new EntryReading.Damaged(EntryDamage.NO_PROGRAM);
        }
        if (in.getInt() != SCHEMA) {
            return new EntryReading.Damaged(EntryDamage.OTHER_SCHEMA);
        }
        int kind = in.getInt();
        Digest storedDigest = Digest.read(in);
        Digest storedCompatibility = Digest.read(in);
        int keyBytes = in.getInt();
        int partCount = in.getInt();
        long payloadBytes = in.getLong();
        long buildNanos = in.getLong();
        if (in.getInt() != headerChecksum(file)) {
            return new EntryReading.Damaged(EntryDamage.HEADER_CHECKSUM);
        }
        if (keyBytes < 0
                || partCount < 0
                || payloadBytes < 0
                || payloadBytes > file.length
                || length(keyBytes, partCount, payloadBytes) != file.length) {
            return new EntryReading.Damaged(EntryDamage.WRONG_LENGTH);
        }
        int checked = file.length - Digest.BYTES;
        if (!Digest.of(file, 0, checked).equals(Digest.read(ByteBuffer.wrap(file, checked, Digest.BYTES)))) {
            return new EntryReading.Damaged(EntryDamage.CHECKSUM);
        }
        byte[] keyText = new byte[keyBytes];
        in.get(keyText);
        if (!storedDigest.equals(digest) || !Digest.of(keyText).equals(digest)) {
            return new EntryReading.Damaged(EntryDamage.WRONG_KEY);
        }
        if (!storedCompatibility.equals(compatibility)) {
            return new EntryReading.Damaged(EntryDamage.WRONG_COMPATIBILITY);
        }
        List<Digest> parts = new ArrayList<>(partCount);
        for (int i = 0; i < partCount; i++) {
            parts.add(Digest.read(in));
        }
        byte[] payload = new byte[(int) payloadBytes];
        in.get(payload);
        return new EntryReading.Intact(new StoredEntry(kind, compatibility, keyText, parts, payload, buildNanos));
    }

    private static long length(long keyBytes, long parts, long payloadBytes) {
        return HEADER_BYTES + keyBytes + parts * Digest.BYTES + payloadBytes + Digest.BYTES;
    }

    private static int headerChecksum(byte[] file) {
        CRC32C crc = new CRC32C();
        crc.update(file, 0, CRC_OFFSET);
        return (int) crc.getValue();
    }
}
