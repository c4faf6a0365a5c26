package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.disk.Digest;
import java.util.List;
import java.util.stream.Stream;
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
    private final List<Digest> parts;

    /**
     * A key.
     *
     * @param label name for messages, not part of the key
     * @param fields everything besides the compatibility, the digests of the parts included
     * @param parts programs that this one is made of, such as the shaders of a pipeline
     */
    public ProgramKey(
            ProgramKind kind, String label, Compatibility compatibility, CanonicalFields fields, ProgramKey... parts) {
        this.kind = kind;
        this.label = label;
        this.compatibility = compatibility;
        this.text = new CanonicalFields()
                .text("kind", kind.folderName())
                .bytes("compatibility", compatibility.digest().bytes())
                .all(fields)
                .encoded();
        this.digest = Digest.of(text);
        this.parts = Stream.of(parts).map(ProgramKey::digest).toList();
    }

    ProgramKind kind() {
        return kind;
    }

    String label() {
        return label;
    }

    Compatibility compatibility() {
        return compatibility;
    }

    /** Returns the programs that it is made of. */
    List<Digest> parts() {
        return parts;
    }

    /** Returns the SHA-256 of all fields, by which the program is kept. */
    public Digest digest() {
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
