package io.frameloom.gpu.cache.level;

import io.frameloom.gpu.cache.ProgramKind;
import io.frameloom.gpu.cache.disk.Digest;
import java.util.List;
import java.util.Locale;

/** By what the cache knows a program: the fields of its key as bytes, and their digest. Immutable; any thread. */
public final class ProgramIdentity {
    private final ProgramKind kind;
    private final byte[] text;
    private final Digest digest;
    private final byte[] compatibilityText;
    private final Digest compatibility;
    private final List<Digest> parts;

    /**
     * The identity of a key.
     *
     * @param text fields of the key; not to be changed
     * @param compatibilityText fields of its compatibility; not to be changed
     * @param parts programs that the program is made of
     */
    public ProgramIdentity(
            ProgramKind kind, byte[] text, byte[] compatibilityText, Digest compatibility, List<Digest> parts) {
        this.kind = kind;
        this.text = text;
        this.digest = Digest.of(text);
        this.compatibilityText = compatibilityText;
        this.compatibility = compatibility;
        this.parts = List.copyOf(parts);
    }

    /** Returns the name by which folders of programs of a kind begin. */
    public static String folderName(ProgramKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    ProgramKind kind() {
        return kind;
    }

    /** Returns the fields of the key as bytes; not to be changed. */
    byte[] text() {
        return text;
    }

    public Digest digest() {
        return digest;
    }

    /** Returns the fields of the compatibility as bytes; not to be changed. */
    byte[] compatibilityText() {
        return compatibilityText;
    }

    Digest compatibility() {
        return compatibility;
    }

    List<Digest> parts() {
        return parts;
    }
}
