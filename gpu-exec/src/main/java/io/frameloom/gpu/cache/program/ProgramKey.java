package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.disk.Digest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a program: everything that can change its binary, as typed, named fields. Equal keys are equal in every
 * field; the SHA-256 of the fields is the same on every platform. Immutable; any thread.
 */
public final class ProgramKey {
    private final ProgramKind kind;
    private final String label;
    private final Compatibility compatibility;
    private final byte[] text;
    private final Digest digest;
    private final List<ProgramKey> parts;

    private ProgramKey(Builder builder) {
        kind = builder.kind;
        label = builder.label;
        compatibility = builder.compatibility;
        text = builder.fields.encoded();
        digest = Digest.of(text);
        parts = List.copyOf(builder.parts);
    }

    /**
     * Begins a key.
     *
     * @param label name for messages, not part of the key
     */
    public static Builder builder(ProgramKind kind, String label, Compatibility compatibility) {
        return new Builder(kind, label, compatibility);
    }

    /** Collects fields, in the order in which they are named. One thread. */
    public static final class Builder {
        private final ProgramKind kind;
        private final String label;
        private final Compatibility compatibility;
        private final CanonicalFields fields = new CanonicalFields();
        private final List<ProgramKey> parts = new ArrayList<>();

        private Builder(ProgramKind kind, String label, Compatibility compatibility) {
            this.kind = kind;
            this.label = label;
            this.compatibility = compatibility;
            fields.text("kind", kind.folderName())
                    .bytes("compatibility", compatibility.digest().bytes());
        }

        /** Adds a text. */
        public Builder text(String name, String value) {
            fields.text(name, value);
            return this;
        }

        /** Adds a text of any length, by its length and SHA-256. */
        public Builder source(String name, String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            fields.number(name + " bytes", bytes.length)
                    .bytes(name + " sha256", Digest.of(bytes).bytes());
            return this;
        }

        /** Adds the remaining bytes of a buffer of any length, by their number and SHA-256; they stay remaining. */
        public Builder source(String name, ByteBuffer value) {
            fields.number(name + " bytes", value.remaining())
                    .bytes(name + " sha256", Digest.of(value).bytes());
            return this;
        }

        /** Adds a number, a truth value as 0 or 1, or a choice. */
        public Builder number(String name, long value) {
            fields.number(name, value);
            return this;
        }

        /** Adds a floating-point number, bit by bit. */
        public Builder real(String name, float value) {
            return number(name, Float.floatToRawIntBits(value));
        }

        /** Adds bytes. */
        public Builder bytes(String name, byte[] value) {
            fields.bytes(name, value);
            return this;
        }

        /** Adds a program that this one is made of, such as a shader of a pipeline. */
        public Builder part(String name, ProgramKey part) {
            parts.add(part);
            return bytes(name, part.digest.bytes());
        }

        /** Returns the result. */
        public ProgramKey build() {
            return new ProgramKey(this);
        }
    }

    /** Returns the kind of the program. */
    public ProgramKind kind() {
        return kind;
    }

    /** Returns the name for messages. */
    public String label() {
        return label;
    }

    /** Returns what else its binary depends on. */
    public Compatibility compatibility() {
        return compatibility;
    }

    /** Returns the programs that it is made of. */
    public List<ProgramKey> parts() {
        return parts;
    }

    /** Returns 64 hexadecimal digits: the SHA-256 of all fields, by which the program is kept. */
    public String id() {
        return digest.hex();
    }

    Digest digest() {
        return digest;
    }

    /** Returns the fields as bytes; not to be changed. */
    byte[] text() {
        return text;
    }

    @Override
    public int hashCode() {
        return digest.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProgramKey key && digest.equals(key.digest);
    }

    @Override
    public String toString() {
        return kind.folderName() + " '" + label + "' (" + digest.hex().substring(0, 12) + ")";
    }
}
