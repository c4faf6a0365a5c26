package io.frameloom.gpu.cache.disk;

import java.util.List;
import java.util.Random;

/** Programs to try the disk with; each follows from its number and version. */
final class Entries {
    /** Compatibility of all of them. */
    static final byte[] COMPATIBILITY =
            new CanonicalFields().text("device", "test").encoded();

    static final String KIND = "shader";

    private Entries() {}

    static byte[] keyText(int number) {
        return new CanonicalFields().text("kind", KIND).number("number", number).encoded();
    }

    static Digest digest(int number) {
        return Digest.of(keyText(number));
    }

    static StoredEntry entry(int number, int version, int bytes) {
        byte[] payload = new byte[bytes];
        new Random(number * 1000L + version).nextBytes(payload);
        return new StoredEntry(
                0, Digest.of(COMPATIBILITY), keyText(number), List.of(digest(number + 1_000_000)), payload, 77);
    }

    static StoredEntry entry(int number) {
        return entry(number, 0, 100);
    }

    /** Bytes of the file of a program with a payload of this size. */
    static long fileBytes(int payload) {
        return EntryFormat.encode(entry(1, 0, payload)).length;
    }
}
