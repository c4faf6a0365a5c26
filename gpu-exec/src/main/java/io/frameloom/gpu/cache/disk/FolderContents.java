package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Everything in the folder of a cache, for looking at, for checking and for deleting. Works whether or not processes
 * have the cache open. One thread.
 */
public final class FolderContents {
    private final StoreFiles files;
    private final CacheLayout layout;

    private FolderContents(StoreFiles files, CacheLayout layout) {
        this.files = files;
        this.layout = layout;
    }

    /** Receives the files, one after another; no more than one program is in memory at a time. */
    public interface Visitor {
        /**
         * Takes a store with a program or a problem, before these; the text of its compatibility must not be changed.
         */
        void store(String name, byte[] compatibility) throws IOException;

        /** Takes a whole program of the store that came last. */
        void program(StoredEntry entry, long bytes) throws IOException;

        /** Takes a file of the store that came last that is no whole program; {@code words} follow its name. */
        void problem(Path file, String words) throws IOException;
    }

    /**
     * What was deleted.
     *
     * @param programs programs
     * @param bytes bytes of their files
     */
    public record Cleared(long programs, long bytes) {}

    /**
     * Looks at a folder.
     *
     * @throws FolderRefusedException if it is no cache
     */
    public static FolderContents of(StoreFiles files, Path folder) throws FolderRefusedException {
        CacheLayout layout = new CacheLayout(folder);
        new FolderOpening(files, layout).requireCache();
        return new FolderContents(files, layout);
    }

    Path root() {
        return layout.root();
    }

    /** Reads everything, in the order of names; files that are deleted meanwhile may be missing. */
    public void visit(Visitor visitor) throws IOException {
        for (Path store : layout.stores(files)) {
            visit(store, visitor);
        }
    }

    private void visit(Path store, Visitor visitor) throws IOException {
        List<FileFacts> found = new ArrayList<>(CacheLayout.list(files, store));
        found.removeIf(file -> file.name().equals(CacheLayout.COMPATIBILITY) || isDraft(file));
        found.sort(Comparator.comparing(FileFacts::name));
        if (found.isEmpty()) {
            return;
        }
        String name = String.valueOf(store.getFileName());
        byte[] text = compatibility(store);
        Digest compatibility = Digest.of(text);
        visitor.store(name, text);
        if (!CacheLayout.isStoreFor(name, compatibility)) {
            visitor.problem(store.resolve(CacheLayout.COMPATIBILITY), "does not say what the folder's name says");
            return;
        }
        for (FileFacts file : found) {
            Path path = store.resolve(file.name());
            Digest digest = CacheLayout.programDigest(file.name());
            EntryReading reading = digest == null ? new EntryReading.Absent() : read(path, digest, compatibility);
            if (digest == null) {
                visitor.problem(path, "does not belong here");
            } else if (reading instanceof EntryReading.Intact intact) {
                visitor.program(intact.entry(), file.bytes());
            } else if (reading instanceof EntryReading.Damaged damaged) {
                visitor.problem(path, damaged.damage().words());
            }
        }
    }

    private static boolean isDraft(FileFacts file) {
        return file.name().endsWith(CacheLayout.TMP);
    }

    private EntryReading read(Path path, Digest digest, Digest compatibility) {
        try {
            return DiskStore.read(files, path, digest, compatibility);
        } catch (IOException e) {
            return new EntryReading.Damaged(EntryDamage.UNREADABLE);
        }
    }

    /** Returns the compatibility of a store; nothing if its text is longer than any can be. */
    private byte[] compatibility(Path store) throws IOException {
        Path file = store.resolve(CacheLayout.COMPATIBILITY);
        FileFacts facts = files.facts(file);
        return facts == null || !facts.isFile() || facts.bytes() > CacheLayout.LARGEST_COMPATIBILITY
                ? new byte[0]
                : files.read(file, CacheLayout.LARGEST_COMPATIBILITY);
    }

    /** Returns how many programs have ended processes. */
    public int crashes() throws IOException {
        return files.list(layout.quarantine()).size();
    }

    /** Deletes all programs, and the memory of crashes; processes that have the cache open go on. */
    public Cleared clear() throws IOException {
        long programs = 0;
        long bytes = 0;
        for (Path store : layout.stores(files)) {
            for (FileFacts file : CacheLayout.list(files, store)) {
                boolean program = CacheLayout.programDigest(file.name()) != null;
                if (program || (isDraft(file) && !Processes.isAlive(files, layout, CacheLayout.owner(file.name())))) {
                    files.delete(store.resolve(file.name()));
                }
                programs += program ? 1 : 0;
                bytes += program ? file.bytes() : 0;
            }
        }
        for (FileFacts crash : files.list(layout.quarantine())) {
            files.delete(layout.quarantine().resolve(crash.name()));
        }
        return new Cleared(programs, bytes);
    }
}
