package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.EntryFormat;
import org.jspecify.annotations.Nullable;

/**
 * Everything outside of a program that can change its binary: the compiler and its version, or vendor, device, driver
 * and their versions and identifiers. Programs for different compatibilities never meet: each compatibility has a
 * folder of its own. Each program carries the SHA-256 of the whole text, which is compared before it is used.
 * Immutable; any thread.
 */
public final class Compatibility {
    private final byte[] text;
    private final Digest digest;

    /** Takes fields; the format of the cache is always one more. */
    public Compatibility(CanonicalFields fields) {
        text = new CanonicalFields()
                .number("schema", EntryFormat.SCHEMA)
                .all(fields)
                .encoded();
        digest = Digest.of(text);
    }

    /** Returns the fields as bytes; not to be changed. */
    byte[] text() {
        return text;
    }

    Digest digest() {
        return digest;
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Compatibility compatibility && digest.equals(compatibility.digest);
    }

    /** Returns its name in folders: 64 hexadecimal digits of SHA-256. */
    @Override
    public String toString() {
        return digest.hex();
    }
}
