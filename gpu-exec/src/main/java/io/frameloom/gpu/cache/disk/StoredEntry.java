package io.frameloom.gpu.cache.disk;

import java.util.List;

/** A program in memory, on its way to disk or back. Any thread; no code may change its arrays. */
public final class StoredEntry {
    private final int kind;
    private final Digest digest;
    private final Digest compatibility;
    private final byte[] keyText;
    private final List<Digest> parts;
    private final byte[] payload;
    private final long buildNanos;
    private volatile boolean proven;

    /**
     * A program.
     *
     * @param kind number of its kind
     * @param compatibility digest of everything outside of the program that it depends on
     * @param keyText canonical fields of its key
     * @param parts digests of the programs that it is made of
     * @param payload the program
     * @param buildNanos nanoseconds that it took to make
     */
    public StoredEntry(
            int kind, Digest compatibility, byte[] keyText, List<Digest> parts, byte[] payload, long buildNanos) {
        this.kind = kind;
        this.digest = Digest.of(keyText);
        this.compatibility = compatibility;
        this.keyText = keyText;
        this.parts = List.copyOf(parts);
        this.payload = payload;
        this.buildNanos = buildNanos;
    }

    /** Returns the number of its kind. */
    public int kind() {
        return kind;
    }

    /** Returns the digest of the key text, by which it is kept. */
    public Digest digest() {
        return digest;
    }

    /** Returns the digest of everything outside of the program that it depends on. */
    public Digest compatibility() {
        return compatibility;
    }

    /** Returns the canonical fields of its key. */
    public byte[] keyText() {
        return keyText;
    }

    /** Returns the digests of the programs that it is made of. */
    public List<Digest> parts() {
        return parts;
    }

    /** Returns the program. */
    public byte[] payload() {
        return payload;
    }

    /** Returns the nanoseconds that it took to make. */
    public long buildNanos() {
        return buildNanos;
    }

    /** Returns what it takes of a budget. */
    public long bytes() {
        return (long) payload.length + keyText.length + (long) parts.size() * Digest.BYTES;
    }

    /** Returns whether a driver has made or taken it in this process. */
    public boolean isProven() {
        return proven;
    }

    /** Notes that a driver has made or taken it. */
    public void setProven() {
        proven = true;
    }
}
