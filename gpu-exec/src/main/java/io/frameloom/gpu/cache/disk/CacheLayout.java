package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The paths below the folder of a cache. Immutable. */
public record CacheLayout(Path root) {
    static final String MARKER = "frameloom-cache";
    static final String MARKER_TEXT = "This folder is a program cache of Frameloom. It can be deleted at any time.\n";
    static final String COMPATIBILITY = "compatibility";
    /** More bytes than the text of a compatibility takes. */
    static final int LARGEST_COMPATIBILITY = 1 << 16;

    static final String TMP = ".tmp";
    static final String PROGRAM = ".program";

    private static final Pattern STORE = Pattern.compile("[a-z]{1,16}-[0-9a-f]{32}");
    private static final int STORE_DIGITS = 32;

    Path marker() {
        return root.resolve(MARKER);
    }

    Path processes() {
        return root.resolve("processes");
    }

    Path loading() {
        return root.resolve("loading");
    }

    Path quarantine() {
        return root.resolve("quarantine");
    }

    Path store(String name) {
        return root.resolve(name);
    }

    /** Lists a store; nothing if its last program has gone since, and the store with it. */
    static List<FileFacts> list(StoreFiles files, Path store) throws IOException {
        try {
            return files.list(store);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    public static String storeName(String kind, Digest compatibility) {
        return kind + "-" + compatibility.hex().substring(0, STORE_DIGITS);
    }

    static boolean isStoreFor(String name, Digest compatibility) {
        return STORE.matcher(name).matches()
                && name.endsWith(compatibility.hex().substring(0, STORE_DIGITS));
    }

    List<Path> stores(StoreFiles files) throws IOException {
        return files.list(root).stream()
                .filter(found -> found.kind() == FileFacts.Kind.FOLDER
                        && STORE.matcher(found.name()).matches())
                .map(found -> root.resolve(found.name()))
                .sorted()
                .toList();
    }

    static String programName(Digest digest) {
        return digest.hex() + PROGRAM;
    }

    /** Returns the digest in the name of a program's file, or null if it is no such name. */
    static @Nullable Digest programDigest(String name) {
        return name.endsWith(PROGRAM) ? Digest.parse(name.substring(0, name.length() - PROGRAM.length())) : null;
    }

    /** Returns the name of a file of one process about one program. */
    static String ownedName(Digest digest, String instance) {
        return digest.hex() + "." + instance;
    }

    /** Returns the digest in a name of {@link #ownedName}, or null if it is no such name. */
    static @Nullable Digest ownedDigest(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? null : Digest.parse(name.substring(0, dot));
    }

    /** Returns the process in a name of {@link #ownedName}; empty if it is no such name. */
    static String owner(String name) {
        int dot = name.indexOf('.');
        String owner = dot < 0 ? "" : name.substring(dot + 1);
        return owner.endsWith(TMP) ? owner.substring(0, owner.length() - TMP.length()) : owner;
    }
}
