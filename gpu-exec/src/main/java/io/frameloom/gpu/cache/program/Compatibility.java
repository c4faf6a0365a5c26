package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.CacheLayout;
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

    private Compatibility(byte[] text) {
        this.text = text;
        this.digest = Digest.of(text);
    }

    /** Begins one; the format of the cache is always part of it. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects fields, in the order in which they are named. One thread. */
    public static final class Builder {
        private final CanonicalFields fields = new CanonicalFields();

        private Builder() {
            fields.number("schema", EntryFormat.SCHEMA);
        }

        /** Adds a text. */
        public Builder text(String name, String value) {
            fields.text(name, value);
            return this;
        }

        /** Adds a number. */
        public Builder number(String name, long value) {
            fields.number(name, value);
            return this;
        }

        /** Adds bytes, such as an identifier. */
        public Builder bytes(String name, byte[] value) {
            fields.bytes(name, value);
            return this;
        }

        /**
         * Returns the result.
         *
         * @throws IllegalArgumentException if its fields take more than 64 KiB
         */
        public Compatibility build() {
            byte[] encoded = fields.encoded();
            if (encoded.length > CacheLayout.LARGEST_COMPATIBILITY) {
                throw new IllegalArgumentException("the fields of a compatibility take " + encoded.length
                        + " bytes, more than " + CacheLayout.LARGEST_COMPATIBILITY + "; add a hash of what is long");
            }
            return new Compatibility(encoded);
        }
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
