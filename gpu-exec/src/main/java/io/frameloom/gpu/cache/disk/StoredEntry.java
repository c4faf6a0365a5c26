package io.frameloom.gpu.cache.disk;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A program in memory, on its way to disk or back. Any thread; no code may change its arrays.
 *
 * @param digest digest of the key text, by which it is kept
 * @param compatibility digest of everything outside of the program that it depends on
 * @param keyText canonical fields of its key
 * @param parts digests of the programs that it is made of
 * @param buildNanos nanoseconds that it took to make
 * @param proven whether a driver has made or taken it in this process
 */
@SuppressWarnings("ArrayRecordComponent") // equal only to itself
public record StoredEntry(
        int kind,
        Digest digest,
        Digest compatibility,
        byte[] keyText,
        List<Digest> parts,
        byte[] payload,
        long buildNanos,
        AtomicBoolean proven) {
    /** A program that no driver has seen in this process. */
    public StoredEntry(
            int kind, Digest compatibility, byte[] keyText, List<Digest> parts, byte[] payload, long buildNanos) {
        this(
                kind,
                Digest.of(keyText),
                compatibility,
                keyText,
                List.copyOf(parts),
                payload,
                buildNanos,
                new AtomicBoolean());
    }

    /** Returns what it takes of a budget. */
    public long bytes() {
        return (long) payload.length + keyText.length + (long) parts.size() * Digest.BYTES;
    }

    public boolean isProven() {
        return proven.get();
    }

    public void setProven() {
        proven.set(true);
    }
}
